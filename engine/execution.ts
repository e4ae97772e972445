import * as core from 'n8n-core';
import type {
	IConnections,
	INode,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import type { CredentialStore } from './credentials';
import type { NodeTypes } from './nodeTypes';

/** The part of an n8n workflow file that is executed. */
export interface WorkflowFile {
	id?: string;
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowBase['settings'];
}

export interface ExecutionOptions {
	nodeTypes: NodeTypes;
	credentials: CredentialStore;
	workflow: WorkflowFile;
	/** Counted up by default, as in an instance of n8n. */
	executionId?: string;
	mode?: WorkflowExecuteMode;
	/** The node to begin with; the first by default. */
	startNode?: string;
	/** What the first node gets; one empty item by default. */
	input?: INodeExecutionData[];
	/** State to go on from: a retry, or what was left of a killed process. */
	state?: IRunExecutionData;
	/** Other workflows that this one may call, by id. */
	subWorkflows?: Record<string, WorkflowFile>;
	/** Told when a node begins and when it has ended. */
	onNode?: (node: string, event: 'begins' | 'ended') => void;
}

/** A running execution. */
export interface Execution {
	id: string;
	/** Resolves for a failed execution too: look at `data.resultData.error`. */
	finished: Promise<IRun>;
	/** What *Stop* does in n8n. */
	stop(): void;
}

let lastExecutionId = 0;

/** Executes a workflow with n8n's own engine. */
export function execute(options: ExecutionOptions): Execution {
	const { workflow: file, nodeTypes, mode = 'manual', state } = options;
	const id = options.executionId ?? String(++lastExecutionId);
	const workflow = new Workflow({
		id: file.id ?? 'workflow',
		name: file.name,
		nodes: file.nodes,
		connections: file.connections,
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', ...file.settings },
	});
	const additionalData = additionalDataFor(options, id, mode);
	const engine = new core.WorkflowExecute(
		additionalData,
		mode,
		state ?? freshState(file, options.input, options.startNode),
	);
	const running = engine.processRunExecutionData(workflow);
	return {
		id,
		finished: running.then((run) => run),
		stop: () => running.cancel(),
	};
}

/** Executes a workflow to its end. */
export const run = async (options: ExecutionOptions): Promise<IRun> => await execute(options).finished;

/** An execution that has not begun: one node to run and, in n8n 2, the token that all its retries share. */
export function freshState(
	{ nodes }: WorkflowFile,
	input: INodeExecutionData[] = [{ json: {} }],
	startNode = nodes[0].name,
): IRunExecutionData {
	const node = nodes.find(({ name }) => name === startNode);
	if (!node) throw new Error(`The workflow has no node '${startNode}' to begin with`);
	return {
		version: 1,
		startData: {},
		resultData: { runData: {} },
		executionData: {
			contextData: {},
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
			nodeExecutionStack: [{ node, data: { main: [input] }, source: null }],
		},
		...('EncryptionKeyProxy' in core && { resumeToken: randomToken() }),
	} as unknown as IRunExecutionData;
}

const randomToken = () => Array.from({ length: 4 }, () => Math.random().toString(16).slice(2)).join('');

/** n8n asks for all of these before an expression is evaluated, and each must be a URL. */
const URLS = [
	'restApiUrl',
	'instanceBaseUrl',
	'webhookBaseUrl',
	'webhookWaitingBaseUrl',
	'webhookTestBaseUrl',
];
const FURTHER_URLS = ['formBaseUrl', 'formWaitingBaseUrl', 'formTestBaseUrl', 'mcpBaseUrl', 'mcpTestBaseUrl'];

function additionalDataFor(
	options: ExecutionOptions,
	executionId: string,
	mode: WorkflowExecuteMode,
): IWorkflowExecuteAdditionalData {
	const { workflow, credentials, onNode, subWorkflows = {} } = options;
	const hooks = new core.ExecutionLifecycleHooks(mode, executionId, workflow as IWorkflowBase);
	hooks.addHandler('nodeExecuteBefore', (node) => onNode?.(node, 'begins'));
	hooks.addHandler('nodeExecuteAfter', (node) => onNode?.(node, 'ended'));
	const urls = [...URLS, ...FURTHER_URLS].map((name) => [name, `http://localhost:5678/${name}`]);
	return {
		...Object.fromEntries(urls),
		credentialsHelper: credentials,
		hooks,
		executionId,
		currentNodeExecutionIndex: 0,
		variables: {},
		getRunExecutionData: async () => undefined,
		logAiEvent: () => {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		executeWorkflow: async (
			{ id = '' }: { id?: string },
			_: unknown,
			{ inputData }: { inputData?: INodeExecutionData[] },
		) => {
			const sub = execute({
				...options,
				workflow: subWorkflows[id],
				mode: 'integrated',
				input: inputData,
				executionId: undefined,
				state: undefined,
				startNode: undefined,
			});
			const { data } = await sub.finished;
			if (data.resultData.error) throw data.resultData.error;
			const last = data.resultData.lastNodeExecuted ?? '';
			return { executionId: sub.id, data: data.resultData.runData[last]?.at(-1)?.data?.main ?? [] };
		},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** The items that a node put out in its last run. */
export function outputOf(run: IRun, node: string, branch = 0): INodeExecutionData[] {
	return run.data.resultData.runData[node]?.at(-1)?.data?.main[branch] ?? [];
}
