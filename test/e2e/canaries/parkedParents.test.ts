import type { INode } from 'n8n-workflow';
import { byId, chainNodes, node } from '../../nodes';
import { useEnvironment } from '../environment';
import { failureOf, jsonOf } from '../n8n/executions';
import { expectAsBefore, setNode, startWaiting, STORED_WAIT_SECONDS, waitNode } from './canary';

const LONG_WAIT_SECONDS = 3600;
const CALL = 'Call the sub-workflow';
const INPUT = 'Input of the parent';
const MESSAGE = 'The sub-workflow has failed';

const RECONSIDER = 'reconsider the decision about a sleep option (docs/decisions/0003-no-sleep-option.md)';

interface Parked {
	executionId: string;
	childWorkflowId: string;
}

/** An execution that waits for a sub-workflow with a Wait node is parked: n8n keeps both in its database. */
describe('An execution that waits for a sub-workflow with a Wait node', () => {
	const e2e = useEnvironment({ ownN8n: {} });
	let failing: Parked;
	let stopped: Parked;

	async function park(waitSeconds: number, last: INode): Promise<Parked> {
		const parameters = { inputSource: 'passthrough' };
		const trigger = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', parameters, { typeVersion: 1.1 });
		const child = await e2e.workflows.create(chainNodes(trigger, waitNode(waitSeconds), last));
		await e2e.workflows.activate(child);
		const callParameters = { workflowId: byId(child.id), options: {} };
		const call = node(CALL, 'n8n-nodes-base.executeWorkflow', callParameters, { typeVersion: 1.2 });
		const nodes = [setNode(INPUT), call, setNode('After')];
		const executionId = await startWaiting(e2e, 'an execution by a webhook', nodes);
		return { executionId, childWorkflowId: child.id };
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

	beforeAll(async () => {
		const stopAndError = node('Stop', 'n8n-nodes-base.stopAndError', { errorMessage: MESSAGE });
		[failing, stopped] = await Promise.all([
			park(STORED_WAIT_SECONDS, stopAndError),
			park(LONG_WAIT_SECONDS, setNode('Output')),
		]);
		await e2e.executions.stop(stopped.executionId);
		await e2e.executions.reached(failing.executionId, 'error', 120_000);
	});

	test('the retry of a parent fails again without a call of the sub-workflow if the sub-workflow failed after its wait', async () => {
		expect(failureOf(await e2e.executions.get(failing.executionId))).toBe(MESSAGE);
		expectAsBefore(
			await retry(failing),
			{ status: 'error', output: [], message: MESSAGE, calls: 1 },
			`retries a parent differently if its sub-workflow has failed: ${RECONSIDER}`,
		);
	});

	test('the retry of a parent that was stopped while its sub-workflow waited outputs the input of the sub-workflow', async () => {
		expect((await e2e.executions.get(stopped.executionId)).status).toBe('canceled');
		expectAsBefore(
			await retry(stopped),
			{ status: 'success', output: [{ from: INPUT }], message: undefined, calls: 1 },
			`retries a parent differently if it was stopped while it was parked: ${RECONSIDER}`,
		);
	});
});
