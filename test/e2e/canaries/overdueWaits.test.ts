import { setTimeout } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { INode } from 'n8n-workflow';
import { node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf } from '../n8n/executions';
import { createDataTable } from '../templates/importTemplate';
import { expectAsBefore, setNode, startWaiting, STORED_WAIT_SECONDS, waitNode } from './canary';

/** Longer than n8n needs from the end of the wait until it accepts requests, and short enough to wait in memory. */
const SLOW_NODE_SECONDS = 60;

const RECONSIDER = 'reconsider the template run-that-takes-hours.json and its test';

/** n8n continues such an execution before it has started completely, and before it looks for lost executions. */
describe('A wait that ends while n8n is down', () => {
	let e2e: Environment;
	let beforeSlowNode: string;
	let beforeDataTable: string[];
	/** Of the execution before a slow node, when n8n had started. */
	let firstStatus: string;

	beforeAll(async () => {
		e2e = await startEnvironment({ ownN8n: {} });
		const { reference } = await createDataTable(e2e);
		const parameters = { resource: 'row', operation: 'get', dataTableId: reference, returnAll: true };
		const dataTable = node('Data table', 'n8n-nodes-base.dataTable', parameters, { alwaysOutputData: true });
		const slowNode = waitNode(SLOW_NODE_SECONDS, 'Slow node');
		const start = async (next: INode) =>
			await startWaiting(e2e, waitNode(STORED_WAIT_SECONDS), next, setNode('Last'));
		// n8n continues the first one first.
		beforeDataTable = [await start(dataTable), await start(dataTable)];
		beforeSlowNode = await start(slowNode);
		await e2e.n8n.kill();
		await setTimeout(STORED_WAIT_SECONDS * 1000);
		await e2e.n8n.start();
		await e2e.rest.logIn();
		firstStatus = (await e2e.executions.get(beforeSlowNode)).status;
	});
	afterAll(async () => await e2e?.close());

	test('n8n continues an execution whose wait ended while n8n was down, and shows it as crashed until it has succeeded', async () => {
		expectAsBefore(
			firstStatus,
			'crashed',
			`shows another status of an execution whose wait ended while n8n was down: ${RECONSIDER}`,
		);
		await e2e.executions.reached(beforeSlowNode, 'success', 120_000);
	});

	// On a busy machine, data tables may be there when n8n continues the second one.
	test('an execution whose wait ended while n8n was down fails if a Data table node is next, and succeeds when it is retried', async () => {
		const executions = await Promise.all(beforeDataTable.map(async (id) => await e2e.executions.ended(id)));
		const failed = executions.filter(({ status }) => status === 'error');
		expectAsBefore(
			[...new Set(failed.map(failureOf))],
			['Attempted to use Data table node but the module is disabled'],
			`continues an execution differently if a Data table node follows a wait that ended while n8n was down: ${RECONSIDER}`,
		);
		for (const { id } of failed) expect((await e2e.executions.retry(id)).status).toBe('success');
	});
});
