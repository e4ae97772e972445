// What random n8n workflows (identity.test.ts) leave out: another operation, messages, and items that are continued.
import type { IRun } from 'n8n-workflow';
import { outputOf, stateForRetry, type WorkflowFile } from '../../scripts/engine';
import { byId, chainNodes } from '../nodes';
import { startFastEnvironment } from './environment';

/** The operations that start runs. */
type Operation = 'run' | 'runAndGetResults';

/** A fast environment with a node that starts runs, and with what the service received from it. */
async function startRunEnvironment() {
	const environment = await startFastEnvironment({ resultsPerRun: 1 });
	const { control, prospector } = environment;
	const [workflowId] = control.seed({ workflows: 1 }).workflows;
	return {
		...environment,
		/** Without the node's own retries, so that the test sees what n8n repeats. */
		startNode: (operation: Operation = 'run') =>
			prospector(
				{ resource: 'workflow', operation, workflowId: byId(workflowId), options: { retryFor: 0 } },
				{ name: 'Start', id: 'start' },
			),
		/** The requests that should start a run, in the order of their arrival. */
		posts: () => control.journal().filter(({ operation }) => operation === 'runWorkflow'),
		/** The service starts the run, but the connection ends before its response. */
		loseResponse: () =>
			control.addFault({ match: { operation: 'runWorkflow' }, kind: 'drop', when: 'after' }),
	};
}

/** Checks that all of the requests had the same key and started one run. */
function expectOneRun({ requests }: { requests: number }) {
	const posts = env.posts();
	expect(posts).toHaveLength(requests);
	expect(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
	expect(posts.filter(({ committed }) => committed)).toHaveLength(1);
}

const retry = async (workflow: WorkflowFile, failed: IRun) =>
	await env.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
const statusesOf = (...ended: IRun[]) => ended.map(({ status }) => status);

let env: Awaited<ReturnType<typeof startRunEnvironment>>;
beforeAll(async () => (env = await startRunEnvironment()));
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

test.each<[Operation, Operation]>([
	['runAndGetResults', 'run'],
	['run', 'runAndGetResults'],
])(
	'a retry starts no second run when the operation of the node was changed from %s to %s',
	async (before, after) => {
		env.loseResponse();
		const failed = await env.run(chainNodes(env.startNode(before)));
		const again = await retry(chainNodes(env.startNode(after)), failed);
		expect(statusesOf(failed, again)).toEqual(['error', 'success']);
		expectOneRun({ requests: 2 });
	},
);

test('a retry sends the same idempotency key, and its message says that the run may have been started, when a refusal follows a lost response', async () => {
	env.loseResponse();
	const workflow = chainNodes(env.startNode());
	const lost = await env.run(workflow);
	env.control.addFault({ match: { operation: 'runWorkflow' }, kind: 'status', status: 403 });
	const refused = await retry(workflow, lost);
	expect(refused.data.resultData.error?.description).toContain('The run may have been started');
	expect((await retry(workflow, refused)).status).toBe('success');
	expectOneRun({ requests: 3 });
});

test('Retry On Fail deletes nothing twice when a failed item is continued', async () => {
	const { workflows: ids } = env.control.seed({ workflows: 3 });
	env.control.addFault({ match: { operation: 'deleteWorkflow' }, kind: 'status', status: 500 });
	const parameters = {
		resource: 'workflow',
		operation: 'delete',
		workflowId: byId('={{ $json.id }}') as never,
	};
	const extra = {
		onError: 'continueRegularOutput',
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 1,
	} as const;
	const workflow = chainNodes(env.prospector({ ...parameters, options: { retryFor: 0 } }, extra));
	const ended = await env.run(workflow, { input: ids.map((id) => ({ json: { id } })) });
	expect(outputOf(ended, 'Prospector').map(({ json }) => json.deleted)).toEqual([true, true, true]);
	expect(env.operations()).toHaveLength(4);
});
