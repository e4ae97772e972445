import * as core from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { runCode } from './codeRunner';
import type { CredentialStore } from './credentials';
import type { WorkflowFile } from './workflowFile';

/** n8n reads all of these before it evaluates an expression. */
const URL_FIELDS = [
	'formBaseUrl',
	'formTestBaseUrl',
	'formWaitingBaseUrl',
	'instanceBaseUrl',
	'mcpBaseUrl',
	'mcpTestBaseUrl',
	'restApiUrl',
	'webhookBaseUrl',
	'webhookTestBaseUrl',
	'webhookWaitingBaseUrl',
];

export interface AdditionalDataOptions {
	executionId: string;
	mode: WorkflowExecuteMode;
	workflow: WorkflowFile;
	credentials: CredentialStore;
	onNode?: (node: string, event: 'start' | 'finish') => void;
	/** Called after the execution if it changed the workflow's static data. */
	onStaticData?: (data: IDataObject) => void;
	executeWorkflow: (id: string, input?: INodeExecutionData[]) => Promise<unknown>;
}

/** Returns the data that n8n's server passes to its engine together with a workflow. */
export function createAdditionalData({
	executionId,
	mode,
	workflow,
	credentials,
	onNode,
	onStaticData,
	executeWorkflow,
}: AdditionalDataOptions): IWorkflowExecuteAdditionalData {
	const hooks = new core.ExecutionLifecycleHooks(mode, executionId, workflow as IWorkflowBase);
	hooks.addHandler('nodeExecuteBefore', (node) => onNode?.(node, 'start'));
	hooks.addHandler('nodeExecuteAfter', (node) => onNode?.(node, 'finish'));
	hooks.addHandler('workflowExecuteAfter', (_, changed) => changed && onStaticData?.(changed));
	return {
		...Object.fromEntries(URL_FIELDS.map((name) => [name, `http://localhost:5678/${name}`])),
		credentialsHelper: credentials,
		hooks,
		executionId,
		currentNodeExecutionIndex: 0,
		variables: {},
		getRunExecutionData: async () => undefined,
		logAiEvent: () => {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		startRunnerTask: runCode,
		executeWorkflow: async (
			{ id = '' }: { id?: string },
			_: unknown,
			{ inputData }: { inputData?: INodeExecutionData[] },
		) => await executeWorkflow(id, inputData),
	} as unknown as IWorkflowExecuteAdditionalData;
}
