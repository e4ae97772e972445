/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-imports -- not published */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { byId, chainNodes, node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import {
	expectAsBefore,
	setNode,
	startWaiting,
	STARTED_AS,
	STORED_WAIT_SECONDS,
	waitNode,
	type StartedAs,
	type Waiting,
} from './canary';

const LONG_WAIT_SECONDS = 3600;
const CALL = 'Call the sub-workflow';
const INPUT = 'Input of the parent';
const MESSAGE = 'The sub-workflow has failed';

const RECONSIDER = 'reconsider the decision about a sleep option (docs/decisions/0003-no-sleep-option.md)';

/** Marks a waiting execution as crashed in n8n's database. */
const MARK_AS_CRASHED = `
	const { DatabaseSync } = require('node:sqlite');
	const [file, id] = process.argv.slice(1);
	const { changes } = new DatabaseSync(file, { timeout: 10_000 })
		.prepare("UPDATE execution_entity SET status = 'crashed' WHERE id = ? AND status = 'waiting'")
		.run(id);
	if (changes !== 1) throw new Error('The execution did not wait');
`;

interface Parked extends Waiting {
	childWorkflowId: string;
}

/** An execution that waits for a sub-workflow with a Wait node is parked: n8n keeps both in its database. */
describe('An execution that waits for a sub-workflow with a Wait node', () => {
	let e2e: Environment;
	const failing = {} as Record<StartedAs, Parked>;
	const stopped = {} as Record<StartedAs, Parked>;
	const crashed = {} as Record<StartedAs, Parked>;
	const withCrashedChild = {} as Record<StartedAs, Parked>;

	async function park(startedAs: StartedAs, waitSeconds: number, last: INode): Promise<Parked> {
		const parameters = { inputSource: 'passthrough' };
		const trigger = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', parameters, { typeVersion: 1.1 });
		const child = await e2e.workflows.create(chainNodes(trigger, waitNode(waitSeconds), last));
		await e2e.workflows.activate(child);
		const callParameters = { workflowId: byId(child.id), options: {} };
		const call = node(CALL, 'n8n-nodes-base.executeWorkflow', callParameters, { typeVersion: 1.2 });
		const nodes = [setNode(INPUT), call, setNode('After')];
		return { ...(await startWaiting(e2e, startedAs, nodes)), childWorkflowId: child.id };
	}

	/** Retries a parent. Returns the retry's status, the output of the node, and how often the sub-workflow was called. */
	async function retry({ executionId, childWorkflowId }: Parked) {
		const execution = await e2e.executions.retry(executionId);
		const calls = (await e2e.executions.of(childWorkflowId)).length;
		return {
			status: execution.status,
			output: jsonOf(execution, CALL),
			message: failureOf(execution),
			calls,
		};
	}

	/**
	 * When n8n starts after a kill, it marks each waiting execution as crashed for an instant. If it is killed again in
	 * that instant, the execution remains crashed (tried in 2.41.1). The instant is too short to hit it in each test.
	 */
	function markAsCrashed(executionId: string): void {
		const database = join(e2e.n8n.folder, '.n8n/database.sqlite');
		execFileSync(e2e.n8n.target.node, ['-e', MARK_AS_CRASHED, database, executionId]);
	}

	beforeAll(async () => {
		e2e = await startEnvironment({ ownN8n: {} });
		const stopAndError = node('Stop', 'n8n-nodes-base.stopAndError', { errorMessage: MESSAGE });
		await Promise.all(
			STARTED_AS.map(async (startedAs) => {
				failing[startedAs] = await park(startedAs, STORED_WAIT_SECONDS, stopAndError);
				stopped[startedAs] = await park(startedAs, LONG_WAIT_SECONDS, setNode('Output'));
				crashed[startedAs] = await park(startedAs, LONG_WAIT_SECONDS, setNode('Output'));
				withCrashedChild[startedAs] = await park(startedAs, LONG_WAIT_SECONDS, setNode('Output'));
			}),
		);
		await Promise.all(
			Object.values(stopped).map(async (each) => await e2e.executions.stop(each.executionId)),
		);
		for (const { executionId } of Object.values(failing))
			await e2e.executions.reached(executionId, 'error', 120_000);
		const children = await Promise.all(
			Object.values(withCrashedChild).map(async (each) => await e2e.executions.of(each.childWorkflowId)),
		);
		await e2e.n8n.kill();
		await e2e.n8n.start();
		await e2e.rest.logIn();
		for (const { executionId } of Object.values(crashed)) markAsCrashed(executionId);
		for (const [{ id }] of children) markAsCrashed(id);
	});
	afterAll(async () => await e2e?.close());

	test.each(STARTED_AS)(
		'the retry of %s fails again without a call of the sub-workflow if the sub-workflow failed after its wait',
		async (startedAs) => {
			expect(failureOf(await e2e.executions.get(failing[startedAs].executionId))).toBe(MESSAGE);
			expectAsBefore(
				await retry(failing[startedAs]),
				{ status: 'error', output: [], message: MESSAGE, calls: 1 },
				`retries a parent differently if its sub-workflow has failed: ${RECONSIDER}`,
			);
		},
	);

	test.each([
		...STARTED_AS.map((startedAs) => ({ startedAs, status: 'crashed', parked: crashed })),
		...STARTED_AS.map((startedAs) => ({ startedAs, status: 'canceled', parked: stopped })),
	])(
		'the retry of $startedAs that was $status while its sub-workflow waited outputs the input of the sub-workflow',
		async ({ startedAs, status, parked }) => {
			expect((await e2e.executions.get(parked[startedAs].executionId)).status).toBe(status);
			expectAsBefore(
				await retry(parked[startedAs]),
				{ status: 'success', output: [{ from: INPUT }], message: undefined, calls: 1 },
				`retries a parent differently if it was ${status} while it was parked: ${RECONSIDER}`,
			);
		},
	);

	// n8n takes what the Wait node has as the output of the sub-workflow, which has never continued.
	test.each(STARTED_AS)(
		'%s outputs the input of its sub-workflow if the sub-workflow crashed while it waited',
		async (startedAs) => {
			const { executionId } = withCrashedChild[startedAs];
			const execution = await eventually(
				'the parent to continue',
				async () => {
					const read = await e2e.executions.get(executionId);
					return read.status !== 'waiting' && read.status !== 'running' && read;
				},
				120_000,
			);
			expectAsBefore(
				[execution.status, jsonOf(execution, CALL)],
				['success', [{ from: INPUT }]],
				`continues a parked parent differently if its sub-workflow has crashed: ${RECONSIDER}`,
			);
		},
	);
});
