import { WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import type { CredentialStore } from './credentials';
import type { NodeTypes } from './nodeTypes';
import { cloneAsJson, initialState } from './state';
import { idOf, loadWorkflow, type WorkflowFile } from './workflowFile';

export interface ExecutionOptions {
	nodeTypes: NodeTypes;
	credentials: CredentialStore;
	workflow: WorkflowFile;
	/** Default: counts up, as in n8n. */
	executionId?: string;
	mode?: WorkflowExecuteMode;
	/** Default: the first node. */
	startNode?: string;
	/** Input of the start node; default: one empty item. */
	input?: INodeExecutionData[];
	/** State to continue from: of a retry, or of a killed process. */
	state?: IRunExecutionData;
	/** Workflows that this one can call, by ID. */
	subWorkflows?: Record<string, WorkflowFile>;
	/** Static data by workflow ID. Changed in place. */
	staticData?: Record<string, IDataObject>;
	onNode?: (node: string, event: 'start' | 'finish') => void;
}

export interface Execution {
	id: string;
	/** Also resolves if the execution fails: see `data.resultData.error`. */
	finished: Promise<IRun>;
	/** Does the same as *Stop* in n8n. */
	stop(): void;
}

const SUB_WORKFLOW_TRIGGER = 'n8n-nodes-base.executeWorkflowTrigger';

let lastExecutionId = 0;

/** Executes a workflow with n8n's own engine. */
export function execute(options: ExecutionOptions): Execution {
	const { workflow: file, nodeTypes, credentials, mode = 'manual', onNode } = options;
	const id = options.executionId ?? String(++lastExecutionId);
	const workflowId = idOf(file);
	const { staticData = {} } = options;
	const workflow = loadWorkflow(file, nodeTypes, { staticData: structuredClone(staticData[workflowId]) });
	const executeWorkflow = async (subWorkflow: string, input?: INodeExecutionData[]) =>
		await runSubWorkflow(options, subWorkflow, input);
	// n8n doesn't save static data after manual executions.
	const onStaticData = (changed: IDataObject) => {
		if (mode !== 'manual') staticData[workflowId] = cloneAsJson(changed);
	};
	const engine = new WorkflowExecute(
		createAdditionalData({
			executionId: id,
			mode,
			workflow: file,
			credentials,
			onNode,
			onStaticData,
			executeWorkflow,
		}),
		mode,
		options.state ?? initialState(file, options.input, options.startNode),
	);
	const running = engine.processRunExecutionData(workflow);
	return {
		id,
		finished: running.then((run) => run),
		stop: () => running.cancel(),
	};
}

/** Like execute, but waits for the end. */
export const run = async (options: ExecutionOptions): Promise<IRun> => await execute(options).finished;

async function runSubWorkflow(
	{ nodeTypes, credentials, subWorkflows = {}, staticData }: ExecutionOptions,
	id: string,
	input?: INodeExecutionData[],
) {
	const workflow = subWorkflows[id];
	if (!workflow) throw new Error(`There is no workflow '${id}' to call`);
	const startNode = workflow.nodes.find(({ type }) => type === SUB_WORKFLOW_TRIGGER)?.name;
	const shared = { nodeTypes, credentials, subWorkflows, staticData };
	const sub = execute({ ...shared, workflow, input, startNode, mode: 'integrated' });
	const ended = await sub.finished;
	const { error, lastNodeExecuted = '' } = ended.data.resultData;
	if (error) throw error;
	return { executionId: sub.id, data: [outputOf(ended, lastNodeExecuted)] };
}

/** Returns the items of a node's last run. */
export function outputOf(run: IRun, node: string, branch = 0): INodeExecutionData[] {
	return run.data.resultData.runData[node]?.at(-1)?.data?.main[branch] ?? [];
}
