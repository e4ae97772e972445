import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { CredentialStore, NodeTypes, run, type WorkflowFile } from '../../scripts/engine';
import { startSandbox } from '../../sandbox/sandbox';
import { describeNodeType } from '../nodes';
import { readExample } from './examples';

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
		description: describeNodeType('test.exporter'),
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
export async function startExport() {
	const settings = { runStageMs: 0, limit: 1_000_000, defaultPageSize: 10 };
	const sandbox = await startSandbox({ port: 0, seed: false, settings });
	const n8nNodes = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'];
	const nodeTypes = await NodeTypes.load('.', ...n8nNodes.map((name) => `test/n8n/node_modules/${name}`));
	const credentials = new CredentialStore(nodeTypes);
	const { baseUrl, keys, control } = sandbox;
	// The example names this placeholder.
	await credentials.add('prospector', 'prospectorApi', { apiKey: keys.full, baseUrl });
	const workflow: WorkflowFile = { ...readExample('advanced/resumable-export.json'), id: 'example' };

	/** Replaces a node of the database by one that is not retried. */
	function replace(name: string, { description, ...type }: INodeType, typeName: string): void {
		nodeTypes.add(typeName, { ...type, description: { ...description, name: typeName } });
		const replaced = { type: typeName, typeVersion: 1, retryOnFail: false, credentials: undefined };
		workflow.nodes = workflow.nodes.map((node) => (node.name === name ? { ...node, ...replaced } : node));
	}
	replace('Create the table', exporter().type, 'test.table');
	const page = workflow.nodes.find(({ name }) => name === 'Export one page')!;
	/** Kept from night to night. */
	const staticData = {};
	return {
		control,
		workflow,
		/** Adds a Prospector workflow with a finished run for each number of results. */
		seed: (...results: number[]) =>
			control.seed({ workflows: results.map((count) => ({ runs: [{ results: count }] })) }),
		/** Executes the export as its schedule does. */
		async night(onNode?: (node: string, event: string) => void) {
			const subWorkflows = { example: workflow };
			const options = { nodeTypes, credentials, workflow, subWorkflows, staticData, onNode };
			const ended = await run({ ...options, mode: 'trigger' });
			return { ended, error: ended.data.resultData.error };
		},
		/** Replaces the database by an exporter, and shortens n8n's wait before Retry On Fail. */
		exportInto(...options: Parameters<typeof exporter>) {
			const { type, exported } = exporter(...options);
			replace('Add or update the results', type, 'test.exporter');
			page.waitBetweenTries = 1;
			return exported;
		},
		disableRetries: () => void (page.retryOnFail = false),
		close: async () => await sandbox.close(),
	};
}
