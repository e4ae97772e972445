import { node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { countDistinct, loopOf, prepareRunStarts, type RunStarts, START } from './runStarts';

const ITERATIONS = 6;
const FAILS_IN = 3;

let e2e: Environment;
beforeAll(async () => {
	e2e = await startEnvironment();
});
afterAll(async () => await e2e.close());

/** A loop that starts a run in each iteration, then executes this code. */
const loop = (starts: RunStarts, name: string, jsCode: string) =>
	loopOf(
		ITERATIONS,
		{ ...starts.node(), name },
		node('Check', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 }),
	);

describe('Exactly one run: lost responses, retried and stopped executions', () => {
	test('a renamed node starts the other runs of a failed loop when the execution is retried', async () => {
		const starts = await prepareRunStarts(e2e);
		const fails = `if ($runIndex === ${FAILS_IN - 1}) throw new Error('Stop here'); return $input.all()`;
		const saved = await e2e.workflows.create(loop(starts, START, fails));
		const failed = await e2e.executions.ended(await e2e.workflows.start(saved));
		expect(failed.status).toBe('error');
		expect(starts.runCount()).toBe(FAILS_IN);

		await e2e.workflows.save({ ...saved, ...loop(starts, 'Renamed', 'return $input.all()') });
		const retried = await e2e.executions.retry(failed.id, { loadWorkflow: true });
		expect(retried.status).toBe('success');
		starts.expectStarted(ITERATIONS, ITERATIONS);
		expect(countDistinct(jsonOf(retried, 'Loop').map(({ id }) => id))).toBe(ITERATIONS);
	});
});
