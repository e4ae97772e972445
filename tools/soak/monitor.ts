/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import type { N8nUnderTest } from './n8nUnderTest';

export interface Sample {
	/** Seconds since n8n was started the last time. */
	uptimeSeconds: number;
	memoryMb: number;
	stateBytes: number;
	at: number;
}

const EVERY_MS = 5000;

const metric = (text: string, name: string): number =>
	Number(new RegExp(`^\\w*${name}(?:\\{[^}]*\\})? ([\\d.e+]+)`, 'm').exec(text)?.[1]);

/** Measures n8n's memory and the state that n8n has saved for the triggers. */
export class Monitor {
	readonly samples: Sample[] = [];
	/** Runs that a saved state of each trigger has contained. */
	readonly knownRuns = new Map<string, Set<string>>();
	private timer?: NodeJS.Timeout;
	private current?: Promise<void>;

	constructor(
		private readonly n8n: N8nUnderTest,
		private readonly triggers: Record<string, string>,
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

	/** n8n may be stopped meanwhile; then there is no sample. */
	async sample(): Promise<void> {
		if (!this.n8n.isRunning) return;
		const { rest, baseUrl } = this.n8n.n8n;
		let stateBytes = 0;
		for (const [name, id] of Object.entries(this.triggers)) {
			const { staticData } = await rest.get<{ staticData: unknown }>(`/rest/workflows/${id}`);
			const text = JSON.stringify(staticData ?? '');
			stateBytes = Math.max(stateBytes, Buffer.byteLength(text));
			const known = this.knownRuns.get(name) ?? new Set();
			this.knownRuns.set(name, known);
			for (const [run] of text.matchAll(/run_[0-9a-f]+/g)) known.add(run);
		}
		const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
		this.samples.push({
			at: Date.now(),
			uptimeSeconds: Date.now() / 1000 - metric(metrics, 'process_start_time_seconds'),
			memoryMb: metric(metrics, 'process_resident_memory_bytes') / 1024 / 1024,
			stateBytes,
		});
	}
}
