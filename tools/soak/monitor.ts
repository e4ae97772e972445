/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import type { N8nUnderTest } from './n8nUnderTest';

const EVERY_MS = 5000;

/** Observes the state that n8n has saved for the trigger. */
export class Monitor {
	/** Runs that a saved state has contained. */
	readonly knownRuns = new Set<string>();
	private timer?: NodeJS.Timeout;
	private current?: Promise<void>;

	constructor(
		private readonly n8n: N8nUnderTest,
		private readonly workflowId: string,
	) {}

	start(): void {
		this.timer = setInterval(() => {
			this.current ??= this.sample()
				.catch(() => {})
				.finally(() => (this.current = undefined));
		}, EVERY_MS);
	}

	async stop(): Promise<void> {
		clearInterval(this.timer);
		await this.current;
	}

	async sample(): Promise<void> {
		if (!this.n8n.isRunning) return;
		const path = `/rest/workflows/${this.workflowId}`;
		const { staticData } = await this.n8n.n8n.rest.get<{ staticData: unknown }>(path);
		for (const [run] of JSON.stringify(staticData ?? '').matchAll(/run_[0-9a-f]+/g)) this.knownRuns.add(run);
	}
}
