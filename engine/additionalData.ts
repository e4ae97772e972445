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

/** n8n asks for all of these before an expression is evaluated, and each must be a URL. */
const URLS = [
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
	onNode?: (node: string, event: 'begins' | 'ended') => void;
	/** Told at the execution's end what is to be kept with the workflow, where that has changed. */
	onStaticData?: (data: IDataObject) => void;
	/** Executes another workflow, by id. */
	call: (id: string, input?: INodeExecutionData[]) => Promise<unknown>;
}

/** What n8n's server hands to its engine beside the workflow. */
export function additionalDataFor(surroundings: AdditionalDataOptions): IWorkflowExecuteAdditionalData {
	const { executionId, mode, workflow, credentials, onNode, onStaticData, call } = surroundings;
	const hooks = new core.ExecutionLifecycleHooks(mode, executionId, workflow as IWorkflowBase);
	hooks.addHandler('nodeExecuteBefore', (node) => onNode?.(node, 'begins'));
	hooks.addHandler('nodeExecuteAfter', (node) => onNode?.(node, 'ended'));
	hooks.addHandler('workflowExecuteAfter', (_, changed) => changed && onStaticData?.(changed));
	return {
		...Object.fromEntries(URLS.map((name) => [name, `http://localhost:5678/${name}`])),
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
		) => await call(id, inputData),
	} as unknown as IWorkflowExecuteAdditionalData;
}
