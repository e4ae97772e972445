import { startSandbox } from '../../sandbox/sandbox';
import { FastClock, SPEED } from './time';

/** Name of the API key that all n8n workflows use. */
export const KEY_NAME = 'n8n';

export interface StoredResult {
	id: string;
	runId: string;
	leadId: string;
	/** On the service's clock. */
	createdAt: number;
}

/**
 * A sandbox with a fast clock, whose rate limit counts real minutes.
 *
 * @param limit requests per real minute
 */
export async function startService(limit: number) {
	const clock = new FastClock();
	const sandbox = await startSandbox({
		clock: clock.now,
		seed: false,
		settings: { limit, windowMs: 60_000 * SPEED },
	});
	const { secret } = sandbox.control.createKey({ name: KEY_NAME });
	const request = async (method: string, path: string) => {
		const response = await fetch(`${sandbox.baseUrl}/api/public/v1${path}`, {
			method,
			headers: { authorization: `Bearer ${sandbox.keys.full}` },
		});
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
		return (await response.json()) as {
			data: Array<{ id: string; lead_id: string; created_at: string }>;
			pagination?: { next_cursor: string | null };
		};
	};

	return {
		...{ clock, sandbox, secret, control: sandbox.control },
		/** Deletes a Prospector workflow, as somebody else in the workspace does. */
		deleteWorkflow: async (id: string) => void (await request('DELETE', `/prospector/workflows/${id}`)),
		/** Requests of n8n. */
		journal: () => sandbox.control.journal().filter(({ keyName }) => keyName === KEY_NAME),
		/** Reads every result that the service shows, by ID. */
		async readResults(): Promise<Map<string, StoredResult>> {
			const results = new Map<string, StoredResult>();
			sandbox.control.patchSettings({ limit: 1_000_000 });
			try {
				for (const { id: runId } of sandbox.control.runs().runs) {
					let cursor: string | null | undefined = '';
					while (cursor != null) {
						const { data, pagination } = await request(
							'GET',
							`/prospector/runs/${runId}/results?limit=100&cursor=${cursor}`,
						);
						for (const { id, lead_id, created_at } of data)
							results.set(id, { id, runId, leadId: lead_id, createdAt: Date.parse(created_at) });
						cursor = pagination?.next_cursor;
					}
				}
				return results;
			} finally {
				sandbox.control.patchSettings({ limit });
			}
		},
		close: sandbox.close,
	};
}

export type Service = Awaited<ReturnType<typeof startService>>;
