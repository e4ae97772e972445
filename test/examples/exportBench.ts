import type { INodeType } from 'n8n-workflow';
import type { SandboxSettings } from '../../sandbox/settings';
import { exporter } from './fixtures';
import { startExample } from './support';

export const EXPORT = 'Export these results';
const EXPORT_PAGE = 'Export one page';

/** The nightly export on a sandbox without demo data, and what n8n keeps with it from night to night. */
export async function startExport(settings: Partial<SandboxSettings> = {}) {
	const bench = await startExample(
		'nightly-resumable-export.json',
		{ defaultPageSize: 10, ...settings },
		{ seed: false },
	);
	const page = bench.workflow.nodes.find(({ name }) => name === EXPORT_PAGE)!;
	const staticData = {};
	return {
		...bench,
		/** Adds a Prospector workflow with a finished run for each number of results, and gives the ids of the results. */
		seed: (...results: number[]) =>
			bench.sandbox.control.seed({
				workflows: results.map((count) => ({ runs: [{ results: count }] })),
			}),
		/** Executes the export as its schedule does. */
		night: async () => await bench.execute('trigger', { staticData }),
		/** Puts an exporting node in, and lets n8n not pause for seconds before it tries again. */
		exportBy(type: INodeType) {
			bench.replace(EXPORT, type);
			page.waitBetweenTries = 1;
		},
		/** Every page is tried once. */
		once: () => void (page.retryOnFail = false),
		reads: () => bench.journal().filter(({ operation }) => operation === 'listResults').length,
	};
}

export type ExportBench = Awaited<ReturnType<typeof startExport>>;

/** An exporter put into a bench. */
export function exportInto(bench: ExportBench, ...how: Parameters<typeof exporter>) {
	const made = exporter(...how);
	bench.exportBy(made.type);
	return made;
}
