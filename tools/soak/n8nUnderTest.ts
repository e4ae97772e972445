import type { Credentials } from '../../test/e2e/n8n/credentials';
import type { N8n } from '../../test/e2e/n8n/instance';
import { createQueue } from './serial';

/** One restart or stop of n8n at a time; REST calls wait until n8n is running. */
export class N8nUnderTest {
	/** Times of SIGKILL. */
	readonly kills: number[] = [];
	isRunning = true;
	private readonly exclusively = createQueue();

	constructor(readonly n8n: N8n) {}

	/** Ends n8n, waits, and starts it again. */
	async restart(signal: 'SIGKILL' | 'SIGTERM', down: () => Promise<void>): Promise<void> {
		await this.exclusively(async () => {
			this.isRunning = false;
			if (signal === 'SIGKILL') this.kills.push(Date.now());
			await (signal === 'SIGKILL' ? this.n8n.kill() : this.n8n.stop());
			await down();
			await this.n8n.start();
			await this.n8n.rest.logIn();
			this.isRunning = true;
		});
	}

	/** What the user does when an API key was rotated. */
	async changeApiKey({ prospectorApi }: Credentials, baseUrl: string, apiKey: string): Promise<void> {
		const { id, name } = prospectorApi;
		const credential = { name, type: 'prospectorApi', data: { baseUrl, apiKey } };
		await this.exclusively(async () => {
			await this.n8n.rest.patch(`/rest/credentials/${id}`, credential);
		});
	}
}
