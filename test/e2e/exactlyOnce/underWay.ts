import type { IDataObject } from 'n8n-workflow';
import type { WorkflowFile } from '../../../engine';
import { node } from '../../nodes';
import type { E2e } from '../bench';
import { eventually } from '../n8n/rest';
import { clicked } from '../n8n/workflows';
import { threeRounds } from './loop';
import { START, startsIn, type Starts } from './starts';

/** An execution that waits for the reply to a start, while the service has started the run. */
export interface UnderWay {
	starts: Starts;
	workflowId: string;
	executionId: string;
}

/** n8n offers a retry of a clicked execution that did not come to its end only where it has saved how far it was. */
const PROGRESS = { saveExecutionProgress: true };

/** Started with the editor's button. */
export async function clickedUnderWay(e2e: E2e, options: IDataObject = {}): Promise<UnderWay> {
	const starts = await startsIn(e2e);
	starts.withholdReply();
	return await click(e2e, starts, clicked(starts.node(options)), 1);
}

/** Started with the editor's button; the first of three rounds of a loop is done, the second is under way. */
export async function loopUnderWay(e2e: E2e): Promise<UnderWay> {
	const starts = await startsIn(e2e);
	starts.withholdReply({ skip: 1 });
	return await click(e2e, starts, threeRounds(starts.node()), 2);
}

async function click(e2e: E2e, starts: Starts, workflow: WorkflowFile, runs: number): Promise<UnderWay> {
	const saved = await e2e.workflows.create(workflow, PROGRESS);
	const executionId = await e2e.workflows.start(saved);
	await starts.reached(runs);
	return { starts, workflowId: saved.id, executionId };
}

/** Started by a call of the webhook of an active n8n workflow, which saves nothing on its way. */
export async function calledUnderWay(e2e: E2e): Promise<UnderWay> {
	const starts = await startsIn(e2e);
	starts.withholdReply();
	const path = `go-${Date.now()}`;
	const webhook = node(
		'Webhook',
		'n8n-nodes-base.webhook',
		{ path, options: {} },
		{ typeVersion: 2, webhookId: path },
	);
	const saved = await e2e.workflows.create({
		nodes: [webhook, starts.node()],
		connections: { Webhook: { main: [[{ node: START, type: 'main', index: 0 }]] } },
	});
	await e2e.workflows.activate(saved);
	// n8n 2 calls an n8n workflow active some time before its webhook answers.
	await eventually('the webhook', async () => (await fetch(`${e2e.n8n.baseUrl}/webhook/${path}`)).ok);
	await starts.reached(1);
	const [{ id }] = await e2e.executions.of(saved.id);
	return { starts, workflowId: saved.id, executionId: id };
}
