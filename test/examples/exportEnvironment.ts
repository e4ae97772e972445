import type { SandboxSettings } from '../../sandbox/settings';
import { exporter } from './fixtures';
import { startExample } from './support';

/** Starts the nightly export on a sandbox without demo data. */
export async function startExport(settings: Partial<SandboxSettings> = {}) {
	const environment = await startExample(
		'nightly-resumable-export.json',
		{ defaultPageSize: 10, ...settings },
		{ seed: false },
	);
	const page = environment.workflow.nodes.find(({ name }) => name === 'Export one page')!;
	/** Kept from night to night. */
	const staticData = {};
	return {
		...environment,
		/** Adds a Prospector workflow with a finished run for each number of results. */
		seed: (...results: number[]) =>
			environment.sandbox.control.seed({
				workflows: results.map((count) => ({ runs: [{ results: count }] })),
			}),
		/** Executes the export as its schedule does. */
		night: async (onNode?: (node: string, event: string) => void) =>
			await environment.execute('trigger', { staticData, onNode }),
		/** Replaces the placeholder by an exporter, and shortens n8n's wait before Retry On Fail. */
		exportInto(...options: Parameters<typeof exporter>) {
			const { type, exported } = exporter(...options);
			environment.replace('Export these results', type);
			page.waitBetweenTries = 1;
			return exported;
		},
		disableRetries: () => void (page.retryOnFail = false),
		reads: () => environment.journal().filter(({ operation }) => operation === 'listResults').length,
	};
}
