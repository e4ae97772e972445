import { WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { additionalDataFor } from './additionalData';
import type { CredentialStore } from './credentials';
import type { NodeTypes } from './nodeTypes';
import { initialState } from './state';
import { idOf, loadWorkflow, type WorkflowFile } from './workflowFile';

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
	/** What n8n keeps with each workflow from one execution to the next, by the workflow's id; changed in place. */
	staticData?: Record<string, IDataObject>;
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

/** Where n8n begins when a workflow is called by another one, or by itself. */
const SUB_WORKFLOW_TRIGGER = 'n8n-nodes-base.executeWorkflowTrigger';

let lastExecutionId = 0;

/** Executes a workflow with n8n's own engine. */
export function execute(options: ExecutionOptions): Execution {
	const { workflow: file, nodeTypes, credentials, mode = 'manual', onNode } = options;
	const id = options.executionId ?? String(++lastExecutionId);
	const workflowId = idOf(file);
	const { staticData = {} } = options;
	const workflow = loadWorkflow(file, nodeTypes, { staticData: structuredClone(staticData[workflowId]) });
	const call = async (subWorkflow: string, input?: INodeExecutionData[]) =>
		await runSubWorkflow(options, subWorkflow, input);
	// As the database would hold it; of an execution that was started by hand n8n keeps nothing.
	const onStaticData = (changed: IDataObject) => {
		if (mode !== 'manual') staticData[workflowId] = JSON.parse(JSON.stringify(changed)) as IDataObject;
	};
	const engine = new WorkflowExecute(
		additionalDataFor({ executionId: id, mode, workflow: file, credentials, onNode, onStaticData, call }),
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

/** Executes a workflow to its end. */
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

/** The items that a node put out in its last run. */
export function outputOf(run: IRun, node: string, branch = 0): INodeExecutionData[] {
	return run.data.resultData.runData[node]?.at(-1)?.data?.main[branch] ?? [];
}
