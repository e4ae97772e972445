import type { IDataObject, INodeExecutionData, INodeType, WorkflowExecuteMode } from 'n8n-workflow';
import {
	CredentialStore,
	NodeTypes,
	outputOf,
	Poller,
	installDeduplication,
	run,
	type ExecutionOptions,
	type WorkflowFile,
} from '../../engine';
import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import type { SandboxOptions } from '../../sandbox/types';
import { readExample } from './examples';

/** This package and n8n's own nodes, which the examples are made of. */
export const PACKAGES = [
	'.',
	'test/n8n/node_modules/n8n-nodes-base',
	'test/n8n/node_modules/@n8n/n8n-nodes-langchain',
];

export const loadNodeTypes = async () => await NodeTypes.load(...PACKAGES);

/** What the examples' only placeholder stands for. */
export async function credentialsFor(nodeTypes: NodeTypes, baseUrl: string, apiKey: string) {
	const credentials = new CredentialStore(nodeTypes);
	await credentials.add('prospector', 'prospectorApi', { apiKey, baseUrl });
	return credentials;
}

type Rest = Partial<Omit<ExecutionOptions, 'nodeTypes' | 'credentials' | 'workflow'>>;

/** The sandbox, and n8n's engine ready to execute an example on it; `close()` it in `afterAll`. */
export async function startExample(
	file: string,
	settings: Partial<SandboxSettings> = {},
	options: Pick<SandboxOptions, 'clock' | 'seed'> = {},
) {
	const sandbox = await startSandbox({
		...options,
		port: 0,
		settings: { runStageMs: 0, limit: 1_000_000, ...settings },
	});
	const nodeTypes = await loadNodeTypes();
	await installDeduplication();
	const credentials = await credentialsFor(nodeTypes, sandbox.baseUrl, sandbox.keys.full);
	/** As imported: with an id of its own. */
	const workflow: WorkflowFile = { ...readExample(file), id: 'example' };
	return {
		sandbox,
		nodeTypes,
		workflow,
		journal: () => sandbox.control.journal(),
		/** The example's trigger as n8n polls it once the n8n workflow is active. */
		poller: () => new Poller({ nodeTypes, credentials, workflow }),
		/** Executes the example to its end. */
		async execute(mode: WorkflowExecuteMode, rest: Rest = {}) {
			const ended = await run({
				nodeTypes,
				credentials,
				workflow,
				mode,
				subWorkflows: { example: workflow },
				...rest,
			});
			const { error, lastNodeExecuted } = ended.data.resultData;
			return {
				ended,
				error,
				lastNode: lastNodeExecuted,
				/** What the node put out in its last run. */
				items: (name: string, branch = 0) => outputOf(ended, name, branch).map(({ json }) => json),
			};
		},
		/** Puts a node of a type made for the test in the place of one of the example's, as a person does. */
		replace(name: string, type: INodeType): void {
			nodeTypes.add(type.description.name, type);
			workflow.nodes = workflow.nodes.map((node) =>
				node.name === name ? { ...node, type: type.description.name, typeVersion: 1 } : node,
			);
		},
		close: async () => await sandbox.close(),
	};
}

/** What a trigger found, as it hands it to the engine. */
export const found = (...items: IDataObject[]): { input: INodeExecutionData[] } => ({
	input: items.map((json) => ({ json })),
});
