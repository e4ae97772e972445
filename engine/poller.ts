import * as core from 'n8n-core';
import type { IDataObject, INodeExecutionData, Workflow, WorkflowExecuteMode } from 'n8n-workflow';
import { additionalDataFor } from './additionalData';
import type { CredentialStore } from './credentials';
import type { NodeTypes } from './nodeTypes';
import { loadWorkflow, type WorkflowFile } from './workflowFile';

export interface PollerOptions {
	nodeTypes: NodeTypes;
	credentials: CredentialStore;
	/** Its first node is the polling trigger. */
	workflow: WorkflowFile;
	/** What the database holds of an earlier time. */
	staticData?: IDataObject;
	/** Told of every execution that a poll starts. */
	onItems?: (items: INodeExecutionData[]) => void | Promise<void>;
	/** Called with every failure of which a poll makes a failed execution, beside those that it throws. */
	onError?: (error: Error) => void;
}

/**
 * An n8n workflow with a polling trigger, as n8n treats it: static data is saved when the n8n workflow was activated and
 * when items are put out, and not after a poll that finds nothing or fails.
 */
export class Poller {
	/** What the database holds: as text, as a database would. */
	private saved: string;
	private workflow?: Workflow;

	constructor(private readonly options: PollerOptions) {
		this.saved = JSON.stringify(options.staticData ?? {});
	}

	/** What would survive the process. */
	get staticData(): IDataObject {
		return JSON.parse(this.saved) as IDataObject;
	}

	/** Activates the n8n workflow, which polls once. @throws what the poll throws: then it is not activated */
	async activate(): Promise<INodeExecutionData[]> {
		const workflow = this.load();
		const items = await this.poll(workflow, 'trigger');
		this.workflow = workflow;
		this.save(workflow);
		return items;
	}

	/** Polls as the timer does. @throws what the poll throws, of which n8n makes an execution that failed */
	async tick(): Promise<INodeExecutionData[]> {
		if (!this.workflow) throw new Error('The n8n workflow is not active');
		return await this.poll(this.workflow, 'trigger');
	}

	/** What *Stop*, a new version of the n8n workflow, or the end of the process leaves. */
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
		const call = async () => await Promise.reject(new Error('A trigger calls no other n8n workflow'));
		const data = additionalDataFor({ executionId: '', mode, workflow: file, credentials, call });
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
		if (!poll) throw new Error(`'${node.name}' is no polling trigger`);
		const items = (await poll.call(context))?.[0] ?? [];
		if (items.length > 0 && mode !== 'manual') {
			this.save(workflow);
			await onItems?.(items);
		}
		return items;
	}
}
