import type { INodeType, WorkflowExecuteMode } from 'n8n-workflow';
import {
	CredentialStore,
	NodeTypes,
	run,
	type ExecutionOptions,
	type WorkflowFile,
} from '../../scripts/engine';
import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import { readExample } from './examples';

/** Loads this package and n8n's own nodes. */
const loadNodeTypes = async () =>
	await NodeTypes.load(
		'.',
		'test/n8n/node_modules/n8n-nodes-base',
		'test/n8n/node_modules/@n8n/n8n-nodes-langchain',
	);

type Rest = Partial<Omit<ExecutionOptions, 'nodeTypes' | 'credentials' | 'workflow'>>;

/** Starts the sandbox, and prepares n8n's engine to execute an example on it. */
export async function startExample(
	file: string,
	settings: Partial<SandboxSettings> = {},
	options: { seed?: boolean } = {},
) {
	const sandbox = await startSandbox({
		...options,
		port: 0,
		settings: { runStageMs: 0, limit: 1_000_000, ...settings },
	});
	const nodeTypes = await loadNodeTypes();
	const credentials = new CredentialStore(nodeTypes);
	const { baseUrl, keys } = sandbox;
	// The examples name this placeholder.
	await credentials.add('prospector', 'prospectorApi', { apiKey: keys.full, baseUrl });
	const workflow: WorkflowFile = { ...readExample(file), id: 'example' };
	return {
		sandbox,
		workflow,
		journal: () => sandbox.control.journal(),
		/** Executes the example. */
		async execute(mode: WorkflowExecuteMode, rest: Rest = {}) {
			const subWorkflows = { example: workflow };
			const ended = await run({ nodeTypes, credentials, workflow, mode, subWorkflows, ...rest });
			const { error, lastNodeExecuted } = ended.data.resultData;
			return {
				ended,
				error,
				lastNode: lastNodeExecuted,
			};
		},
		/** Replaces a node of another system by one that is not retried. */
		replace(name: string, type: INodeType): void {
			nodeTypes.add(type.description.name, type);
			workflow.nodes = workflow.nodes.map((node) =>
				node.name === name
					? {
							...node,
							type: type.description.name,
							typeVersion: 1,
							retryOnFail: false,
							credentials: undefined,
						}
					: node,
			);
		},
		close: async () => await sandbox.close(),
	};
}
