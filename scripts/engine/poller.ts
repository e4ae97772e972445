import * as core from 'n8n-core';
import type { IDataObject, INodeExecutionData, Workflow, WorkflowExecuteMode } from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import type { CredentialStore } from './credentials';
import type { NodeTypes } from './nodeTypes';
import { loadWorkflow, type WorkflowFile } from './workflowFile';

export interface PollerOptions {
	nodeTypes: NodeTypes;
	credentials: CredentialStore;
	/** The first node must be the polling trigger. */
	workflow: WorkflowFile;
	/** Static data from the database. */
	staticData?: IDataObject;
	/** Called when a poll starts an execution. */
	onItems?: (items: INodeExecutionData[]) => void | Promise<void>;
	/** Called when a poll creates a failed execution without throwing. */
	onError?: (error: Error) => void;
}

/**
 * Polls the trigger of an n8n workflow as n8n does: static data is saved after the activation and after polls with
 * items, but not after polls without items or failed polls.
 */
export class Poller {
	/** JSON, as in the database. */
	private saved: string;
	private workflow?: Workflow;

	constructor(private readonly options: PollerOptions) {
		this.saved = JSON.stringify(options.staticData ?? {});
	}

	/** Returns the saved static data, which survives the end of the process. */
	get staticData(): IDataObject {
		return JSON.parse(this.saved) as IDataObject;
	}

	/**
	 * Activates the n8n workflow, which polls once.
	 * @throws if the poll fails; the n8n workflow is then not active
	 */
	async activate(): Promise<INodeExecutionData[]> {
		const workflow = this.load();
		const items = await this.poll(workflow, 'trigger');
		this.workflow = workflow;
		this.save(workflow);
		return items;
	}

	/**
	 * Polls like n8n's timer.
	 * @throws if the poll fails; n8n then creates a failed execution
	 */
	async tick(): Promise<INodeExecutionData[]> {
		if (!this.workflow) throw new Error('The n8n workflow is not active');
		return await this.poll(this.workflow, 'trigger');
	}

	/** Does the same as *Stop*, a new version of the n8n workflow, or the end of the process. */
	deactivate(): void {
		this.workflow = undefined;
	}

	/** Tests the trigger in the editor. */
	async test(): Promise<INodeExecutionData[]> {
		return await this.poll(this.load(), 'manual');
	}

	private load(): Workflow {
		const { workflow: file, nodeTypes } = this.options;
		return loadWorkflow(file, nodeTypes, { active: true, staticData: this.staticData });
	}

	private save(workflow: Workflow): void {
		this.saved = JSON.stringify(workflow.staticData);
	}

	private async poll(workflow: Workflow, mode: WorkflowExecuteMode): Promise<INodeExecutionData[]> {
		const { workflow: file, credentials, nodeTypes, onItems, onError } = this.options;
		const [node] = file.nodes;
		const executeWorkflow = async () =>
			await Promise.reject(new Error('A trigger calls no other n8n workflow'));
		const data = createAdditionalData({
			executionId: '',
			mode,
			workflow: file,
			credentials,
			executeWorkflow,
		});
		const context = new core.PollContext(
			workflow,
			node,
			data,
			mode,
			mode === 'manual' ? 'manual' : 'activate',
			undefined,
			(error) => onError?.(error),
		);
		const { poll } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		if (!poll) throw new Error(`'${node.name}' is not a polling trigger`);
		const items = (await poll.call(context))?.[0] ?? [];
		if (items.length > 0 && mode !== 'manual') {
			this.save(workflow);
			await onItems?.(items);
		}
		return items;
	}
}
