import type { IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';
import type { WorkflowFile } from '../../../scripts/engine';
import { chainNodes, node } from '../../nodes';
import { Executions, type Execution } from './executions';
import { eventually } from '../../eventually';
import type { Rest } from './rest';
import { atLeast } from './target';

/** An n8n workflow as n8n has saved it. */
export interface Saved {
	id: string;
	versionId: string;
	name: string;
	nodes: INode[];
	connections: WorkflowFile['connections'];
	settings: IWorkflowSettings;
	active: boolean;
}

export const manualTrigger = () => node('When clicking', 'n8n-nodes-base.manualTrigger', {});

export class Workflows {
	private readonly executions: Executions;
	private readonly activeIds = new Set<string>();

	constructor(private readonly rest: Rest) {
		this.executions = new Executions(rest);
	}

	async create(
		workflow: WorkflowFile & { name?: string; settings?: IWorkflowSettings },
		settings: IWorkflowSettings = {},
	): Promise<Saved> {
		return await this.rest.create<Saved>('/rest/workflows', {
			name: 'Under test',
			// n8n 1 requires it.
			active: false,
			...workflow,
			settings: { executionOrder: 'v1', ...workflow.settings, ...settings },
		});
	}

	async get(id: string): Promise<Saved> {
		return await this.rest.get<Saved>(`/rest/workflows/${id}`);
	}

	async save({ id, ...rest }: Pick<Saved, 'id'> & Partial<Saved>): Promise<Saved> {
		return await this.rest.patch<Saved>(`/rest/workflows/${id}`, rest);
	}

	/**
	 * Starts an n8n workflow as the editor's button does.
	 * @param trigger name of the trigger to start from; by default the first node
	 * @returns the execution's id
	 */
	async start(workflow: Saved, trigger = workflow.nodes[0].name): Promise<string> {
		const { executionId } = await this.rest.post<{ executionId?: string }>(
			`/rest/workflows/${workflow.id}/run`,
			{
				triggerToStartFrom: { name: trigger },
				// n8n 1 executes what the editor shows; n8n 2 what is saved.
				...(!atLeast('2.0') && { workflowData: workflow }),
			},
		);
		if (!executionId) throw new Error(`n8n has started no execution of '${workflow.name}'`);
		return executionId;
	}

	/** Creates an n8n workflow, executes it, and waits for the end. */
	async execute(workflow: WorkflowFile): Promise<Execution> {
		const saved = await this.create(workflow);
		return await this.executions.ended(await this.start(saved));
	}

	/** Activates (in n8n 2: publishes) an n8n workflow, and waits until n8n has done so. */
	async activate({ id }: Pick<Saved, 'id'>): Promise<void> {
		const { versionId } = await this.get(id);
		this.activeIds.add(id);
		await this.rest.post(`/rest/workflows/${id}/activate`, { versionId });
		await eventually(`n8n workflow ${id} to be active`, async () => (await this.get(id)).active, 100_000);
	}

	/**
	 * Creates and activates an n8n workflow of a webhook and these nodes in a row.
	 *
	 * @param parameters of the webhook
	 * @returns the workflow, and a function that calls the webhook with a body in JSON
	 */
	async createWebhook(nodes: INode[], parameters: IDataObject = {}, settings?: IWorkflowSettings) {
		const path = crypto.randomUUID();
		const all = { path, httpMethod: 'POST', options: {}, ...parameters };
		const extra = { typeVersion: 2, webhookId: path };
		const webhook = node('Webhook', 'n8n-nodes-base.webhook', all, extra);
		const workflow = await this.create(chainNodes(webhook, ...nodes), settings);
		await this.activate(workflow);
		const call = async (body: object = {}): Promise<void> => {
			const request = {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			};
			// In n8n 2, a workflow is active some time before its webhook responds.
			await eventually('the webhook', async () => {
				const response = await fetch(`${this.rest.baseUrl}/webhook/${path}`, request);
				if (!response.ok && response.status !== 404) throw new Error(`The webhook: ${await response.text()}`);
				return response.ok;
			});
		};
		return { workflow, call };
	}

	/**
	 * Creates an n8n workflow that starts with a webhook, and calls the webhook.
	 * @returns the execution's id, once n8n lists the execution
	 */
	async startByWebhook(...nodes: INode[]): Promise<string> {
		const { workflow, call } = await this.createWebhook(nodes);
		await call();
		const first = async () => (await this.executions.of(workflow.id)).at(0);
		return (await eventually('an execution', first)).id;
	}

	/** Activates an n8n workflow that can't be activated, and returns what n8n shows once it gives up. */
	async refusedActivation({ id }: Pick<Saved, 'id'>): Promise<string> {
		const { versionId } = await this.get(id);
		this.activeIds.add(id);
		const activation = this.rest.post(`/rest/workflows/${id}/activate`, { versionId });
		// n8n 1 waits for the first poll.
		const refusal = await activation.then(() => '').catch(({ message }: Error) => message);
		if (refusal !== '') return refusal;
		return await eventually(
			'the refusal',
			async () => {
				const shown = JSON.stringify(await this.rest.get(`/rest/workflows/${id}/publication-status`));
				return /error|fail/i.test(shown) && shown;
			},
			120_000,
		);
	}

	async deactivate({ id }: Pick<Saved, 'id'>): Promise<void> {
		await this.rest.post(`/rest/workflows/${id}/deactivate`);
		this.activeIds.delete(id);
	}

	/** Deactivates every n8n workflow that was activated here. */
	async deactivateAll(): Promise<void> {
		for (const id of this.activeIds) await this.deactivate({ id });
	}
}

/** An n8n workflow with a manual trigger and these nodes in a row. */
export function manualWorkflow(...nodes: INode[]): WorkflowFile {
	const row = [manualTrigger(), ...nodes];
	return chainNodes(...row.map((each, index): INode => ({ ...each, position: [index * 220, 0] })));
}

/** Nodes in a row, of which the last one has this name and outputs these items. A Code node needs another process. */
export const inputItems = (name: string, items: IDataObject[]): INode[] => [
	node(
		`${name} in one`,
		'n8n-nodes-base.set',
		{ mode: 'raw', jsonOutput: JSON.stringify({ items }) },
		{ typeVersion: 3.4 },
	),
	node(name, 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'items', options: {} }),
];
