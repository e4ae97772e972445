import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import type { SandboxSettings } from '../../sandbox/settings';
import { describeType } from '../nodes';
import { startExample } from './support';

/**
 * A node that exports a page at a time.
 *
 * @param onPage called with the number of the page, from 1, before it is exported
 * @param toOutput returns what the node puts out for a page
 */
function exporter(
	onPage: (page: number) => unknown = () => {},
	toOutput: (page: IDataObject[]) => IDataObject[] = (page) => page,
) {
	const exported: IDataObject[] = [];
	let pages = 0;
	const type: INodeType = {
		description: describeType('test.exporter'),
		async execute(this: IExecuteFunctions) {
			const page = this.getInputData().map(({ json }) => json);
			await onPage(++pages);
			exported.push(...page);
			return [toOutput(page).map((json) => ({ json }))];
		},
	};
	return { type, exported };
}

/** Starts the export on a sandbox without demo data, with nodes of this file in place of the database. */
export async function startExport(settings: Partial<SandboxSettings> = {}) {
	const environment = await startExample(
		'advanced/resumable-export.json',
		{ defaultPageSize: 10, ...settings },
		{ seed: false },
	);
	const page = environment.workflow.nodes.find(({ name }) => name === 'Export one page')!;
	environment.replace('Create the table', { ...exporter().type, description: describeType('test.table') });
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
		/** Replaces the database by an exporter, and shortens n8n's wait before Retry On Fail. */
		exportInto(...options: Parameters<typeof exporter>) {
			const { type, exported } = exporter(...options);
			environment.replace('Add or update the results', type);
			page.waitBetweenTries = 1;
			return exported;
		},
		disableRetries: () => void (page.retryOnFail = false),
		reads: () => environment.journal().filter(({ operation }) => operation === 'listResults').length,
	};
}
