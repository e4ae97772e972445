import type { Credentials } from './pipelines';
import type { N8n } from '../../test/e2e/n8n/instance';

/** One restart or stop of n8n at a time; REST calls wait until n8n is running. */
export class N8nUnderTest {
	/** Times of SIGKILL. */
	readonly kills: number[] = [];
	isRunning = true;
	private last: Promise<unknown> = Promise.resolve();

	constructor(readonly n8n: N8n) {}

	/** Runs after everything that was started before, even if that has failed. */
	async exclusively<T>(act: () => Promise<T>): Promise<T> {
		const result = this.last.then(act, act);
		this.last = result.catch(() => {});
		return await result;
	}

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
		await this.exclusively(
			async () =>
				await this.n8n.rest.patch(`/rest/credentials/${id}`, {
					...{ name, type: 'prospectorApi' },
					data: { baseUrl, apiKey },
				}),
		);
	}
}
