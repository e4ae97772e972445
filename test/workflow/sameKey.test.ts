import { initialState, outputOf, stateAfterKill, stateAfterWait, stateForRetry } from '../../engine';
import { failing } from './fixtures';
import { different, START, startRunEnvironment, type RunEnvironment } from './runBench';
import { chainNodes, node } from './support';

let bench: RunEnvironment;

beforeAll(async () => {
	bench = await startRunEnvironment();
});
afterAll(async () => await bench.close());
beforeEach(() => bench.forget());

/** n8n before 2.14 has no resume token: there, nothing that a node can see survives a killed process (README). */
const withResumeToken = process.env.compat === 'n8n1' ? test.skip : test;

describe('the same key goes out', () => {
	test('when Retry On Fail runs the node again', async () => {
		bench.loseAnswers(2);
		const ended = await bench.run(
			chainNodes(bench.start({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 })),
		);
		expect(ended.status).toBe('success');
		expect(bench.keys()).toHaveLength(3);
		expect(different(bench.keys())).toBe(1);
		expect(bench.startedRuns()).toBe(1);
	});

	test('when a failed execution is retried, and when that retry is retried', async () => {
		bench.loseAnswers(2);
		const workflow = chainNodes(bench.start());
		const failed = await bench.run(workflow);
		expect(failed.status).toBe('error');
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('error');
		const last = await bench.run(workflow, { mode: 'retry', state: stateForRetry(again) });
		expect(last.status).toBe('success');
		expect(different(bench.keys())).toBe(1);
		expect(bench.keys()).toHaveLength(3);
		expect(bench.startedRuns()).toBe(1);
		expect(outputOf(last, START)[0].json.idempotency_key).toBe(bench.keys()[0]);
	});

	test('when a retry has lost the resume token but kept what the node remembered, as in n8n 1', async () => {
		bench.loseAnswers(1);
		const workflow = chainNodes(bench.start());
		const state = bench.withoutToken();
		const failed = await bench.run(workflow, { state });
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('success');
		expect(different(bench.keys())).toBe(1);
		expect(bench.startedRuns()).toBe(1);
	});

	test('when a node behind it failed and the execution is retried from there', async () => {
		const { type, state } = failing();
		bench.nodeTypes.add('test.failing', type);
		const workflow = chainNodes(bench.start(), node('Behind', 'test.failing', {}));
		const failed = await bench.run(workflow);
		expect(failed.status).toBe('error');
		state.fails = false;
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('success');
		expect(bench.keys()).toHaveLength(1);
	});

	withResumeToken('when the process was killed after the start and the execution begins anew', async () => {
		bench.loseAnswers(1);
		const workflow = chainNodes(bench.start());
		const before = initialState(chainNodes(bench.start()));
		const killed = await bench.run(workflow, { state: structuredClone(before) });
		const again = await bench.run(workflow, { mode: 'retry', state: structuredClone(before) });
		expect(killed.status).toBe('error');
		expect(again.status).toBe('success');
		expect(bench.keys()).toHaveLength(2);
		expect(different(bench.keys())).toBe(1);
		expect(bench.startedRuns()).toBe(1);
	});

	withResumeToken(
		'in each round of a loop whose process was killed, although n8n goes on counting',
		async () => {
			const workflow = bench.loopWorkflow();
			const input = [{ json: { n: 1 } }, { json: { n: 2 } }];
			const before = initialState(workflow, input);
			const whole = await bench.run(workflow, { state: structuredClone(before) });
			const first = bench.keys();
			const runData = stateAfterKill(before, whole).resultData.runData;
			// Killed in the second round: of the first, everything had been saved.
			for (const runs of Object.values(runData)) runs.splice(1);
			const state = structuredClone(before);
			state.resultData.runData = runData;
			const again = await bench.run(workflow, { mode: 'retry', state });
			expect(again.status).toBe('success');
			expect(bench.keys().slice(2)).toEqual(first);
			expect(bench.startedRuns()).toBe(2);
		},
	);

	test('when a failed start was retried, and that retry was killed behind the node and is retried', async () => {
		const { type, state } = failing();
		bench.nodeTypes.add('test.failing', type);
		const workflow = chainNodes(bench.start(), node('Behind', 'test.failing', {}));
		bench.loseAnswers(1);
		const failed = await bench.run(workflow);
		const before = stateForRetry(failed);
		const killed = await bench.run(workflow, { mode: 'retry', state: structuredClone(before) });
		state.fails = false;
		const left = stateAfterKill(before, { ...killed, data: stateForRetry(killed) });
		const again = await bench.run(workflow, { mode: 'retry', state: left });
		expect(again.status).toBe('success');
		expect(bench.keys()).toHaveLength(3);
		expect(different(bench.keys())).toBe(1);
		expect(bench.startedRuns()).toBe(1);
	});

	test('when an execution goes on after a Wait and is then retried', async () => {
		bench.loseAnswers(1);
		const workflow = chainNodes(node('Wait', 'test.wait', {}), bench.start());
		const waiting = await bench.run(workflow);
		expect(waiting.status).toBe('waiting');
		const failed = await bench.run(workflow, { state: stateAfterWait(waiting), executionId: 'same' });
		expect(failed.status).toBe('error');
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('success');
		expect(bench.keys()).toHaveLength(2);
		expect(different(bench.keys())).toBe(1);
	});

	test('when a person gave it, whatever execution sends it', async () => {
		const workflow = chainNodes(
			bench.start({}, { idempotencyKeyMode: 'custom', idempotencyKey: 'leads-2026-11-21' }),
		);
		await bench.run(workflow);
		const ended = await bench.run(workflow);
		expect(bench.keys()).toEqual(['leads-2026-11-21', 'leads-2026-11-21']);
		expect(bench.startedRuns()).toBe(1);
		expect(outputOf(ended, START)[0].json.idempotency_key).toBe('leads-2026-11-21');
	});
});
