import { setTimeout } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { INode } from 'n8n-workflow';
import { node } from '../../nodes';
import { useEnvironment } from '../environment';
import { failureOf } from '../n8n/executions';
import { createDataTable } from '../templates/importTemplate';
import {
	expectAsBefore,
	setNode,
	startWaiting,
	STARTED_AS,
	STORED_WAIT_SECONDS,
	waitNode,
	type StartedAs,
} from './canary';

/** Longer than n8n needs from the end of the wait until it accepts requests, and short enough to wait in memory. */
const SLOW_NODE_SECONDS = 60;

const RECONSIDER = 'reconsider the template run-that-takes-hours.json and its test';

/** n8n continues such an execution before it has started completely, and before it looks for lost executions. */
describe('A wait that ends while n8n is down', () => {
	const e2e = useEnvironment({ ownN8n: {} });
	/** IDs of executions. */
	const beforeSlowNode = {} as Record<StartedAs, string>;
	const beforeDataTable = {} as Record<StartedAs, string>;
	/** Of the executions before a slow node, when n8n had started. */
	const firstStatus = {} as Record<StartedAs, string>;

	beforeAll(async () => {
		const { reference } = await createDataTable(e2e);
		const parameters = { resource: 'row', operation: 'get', dataTableId: reference, returnAll: true };
		const dataTable = node('Data table', 'n8n-nodes-base.dataTable', parameters, { alwaysOutputData: true });
		const start = async (startedAs: StartedAs, next: INode) =>
			await startWaiting(e2e, startedAs, [waitNode(STORED_WAIT_SECONDS), next, setNode('Last')]);
		await Promise.all(
			STARTED_AS.map(async (startedAs) => {
				beforeDataTable[startedAs] = await start(startedAs, dataTable);
				beforeSlowNode[startedAs] = await start(startedAs, waitNode(SLOW_NODE_SECONDS, 'Slow node'));
			}),
		);
		await e2e.n8n.kill();
		await setTimeout(STORED_WAIT_SECONDS * 1000);
		await e2e.n8n.start();
		for (const startedAs of STARTED_AS) {
			firstStatus[startedAs] = (await e2e.executions.get(beforeSlowNode[startedAs])).status;
		}
	});

	test.each(STARTED_AS)(
		'n8n continues %s whose wait ended while n8n was down, and shows it as crashed until it has succeeded',
		async (startedAs) => {
			expectAsBefore(
				firstStatus[startedAs],
				'crashed',
				`shows another status of an execution whose wait ended while n8n was down: ${RECONSIDER}`,
			);
			await e2e.executions.reached(beforeSlowNode[startedAs], 'success', 120_000);
		},
	);

	// On a busy machine, data tables may be there when n8n continues the second one.
	test('an execution whose wait ended while n8n was down fails if a Data table node is next, and succeeds when it is retried', async () => {
		const executions = await Promise.all(
			Object.values(beforeDataTable).map(async (id) => await e2e.executions.ended(id)),
		);
		const failed = executions.filter(({ status }) => status === 'error');
		expectAsBefore(
			[...new Set(failed.map(failureOf))],
			['Attempted to use Data table node but the module is disabled'],
			`continues an execution differently if a Data table node follows a wait that ended while n8n was down: ${RECONSIDER}`,
		);
		for (const { id } of failed) expect((await e2e.executions.retry(id)).status).toBe('success');
	});
});
