import type { INode } from 'n8n-workflow';
import { outputOf, stateAfterWait, stateForRetry } from '../../engine';
import { systemClock } from '../../nodes/Prospector/transport/retry/clock';
import { fastClock, replaceTiming } from '../fastClock';
import { different, START, startRunEnvironment, type RunEnvironment } from './runBench';
import { chainNodes, node, PROSPECTOR } from './support';

// The node's own retries are on here, where sameKey.test.ts and differentKey.test.ts look at those of n8n alone.

let bench: RunEnvironment;
let restore: () => void;
beforeAll(async () => {
	restore = replaceTiming(systemClock, fastClock(100).timing);
	bench = await startRunEnvironment();
});
afterAll(async () => {
	restore();
	await bench.close();
});
beforeEach(() => bench.forget());

const PATIENT = { maxWait: 300 };
const start = (extra: Partial<INode> = {}) => bench.start(extra, PATIENT);
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ json: { n } }));
/** Five answers are lost, one after a few that are not. */
const loseFive = () => {
	for (const skip of [0, 1, 2, 3, 4]) {
		bench.sandbox.control.addFault({
			...{ match: { operation: 'runWorkflow' as const }, kind: 'drop', when: 'after', times: 1, skip },
		});
	}
};

/** Each once, although some were asked for more than once. */
function expectOnce(intended: number) {
	expect(bench.startedRuns()).toBe(intended);
	expect(different(bench.keys())).toBe(intended);
	expect(bench.posts().length).toBeGreaterThan(intended);
}

test('a lost answer is asked for again with the same key', async () => {
	bench.loseAnswers(3);
	const ended = await bench.run(chainNodes(start()));
	expect(ended.status).toBe('success');
	expect(outputOf(ended, START)[0].json.idempotency_key).toBe(bench.keys()[0]);
	expectOnce(1);
});

test('ten items of which five answers are lost start ten runs', async () => {
	loseFive();
	const ended = await bench.run(chainNodes(start()), { input: items(10) });
	expect(outputOf(ended, START)).toHaveLength(10);
	expect(different(outputOf(ended, START).map(({ json }) => json.id))).toBe(10);
	expectOnce(10);
});

test('ten items with Retry On Fail over the node’s own retries start ten runs', async () => {
	bench.loseAnswers(4);
	const own = bench.start({ retryOnFail: true, maxTries: 5, waitBetweenTries: 1 }, { maxWait: 0 });
	const ended = await bench.run(chainNodes(own), { input: items(10) });
	expect(outputOf(ended, START)).toHaveLength(10);
	expect(bench.startedRuns()).toBe(10);
	expect(different(bench.keys())).toBe(10);
});

test('two nodes start one run each', async () => {
	bench.loseAnswers(1);
	bench.sandbox.control.addFault({
		...{ match: { operation: 'runWorkflow' as const }, kind: 'drop', when: 'after', skip: 2 },
	});
	const ended = await bench.run(chainNodes(start(), start({ name: 'Second', id: 'second' })));
	expect(ended.status).toBe('success');
	expectOnce(2);
});

test('each round of a loop starts one run', async () => {
	loseFive();
	const workflow = bench.loopWorkflow();
	workflow.nodes[1] = start();
	const ended = await bench.run(workflow, { input: items(4) });
	expect(ended.status).toBe('success');
	expectOnce(4);
});

test('a run after a Wait is started once', async () => {
	bench.loseAnswers(2);
	const workflow = chainNodes(node('Wait', 'test.wait', {}), start());
	const waiting = await bench.run(workflow);
	const ended = await bench.run(workflow, { state: stateAfterWait(waiting), executionId: 'same' });
	expect(ended.status).toBe('success');
	expectOnce(1);
});

test('a sub-workflow starts one run per call', async () => {
	bench.loseAnswers(2);
	const workflow = chainNodes(
		node('Call', 'test.subWorkflow', { workflow: 'sub' }),
		node('Call again', 'test.subWorkflow', { workflow: 'sub' }),
	);
	const sub = { ...chainNodes(start()), id: 'sub' };
	const ended = await bench.run(workflow, { subWorkflows: { sub } });
	expect(ended.status).toBe('success');
	expectOnce(2);
});

test('each tool call of an AI agent starts one run', async () => {
	bench.loseAnswers(2);
	const tool = { ...start(), name: 'Tool', type: `${PROSPECTOR}Tool` };
	const workflow = {
		nodes: [node('Agent', 'test.agent', { calls: 3 }), tool],
		connections: { Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] } },
	};
	const ended = await bench.run(workflow);
	expect(ended.data.resultData.error).toBeUndefined();
	expectOnce(3);
});

test('an execution that failed after Max Wait and is retried goes on with the same keys', async () => {
	bench.sandbox.control.addFault({
		...{ match: { operation: 'runWorkflow' as const }, kind: 'status', status: 503, when: 'after' },
		...{ skip: 2, times: 0 },
	});
	const workflow = chainNodes(bench.start({}, { maxWait: 5 }));
	const failed = await bench.run(workflow, { input: items(4) });
	expect(failed.status).toBe('error');
	expect(bench.startedRuns()).toBe(3);
	bench.sandbox.control.clearFaults();
	const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
	expect(again.status).toBe('success');
	expect(bench.startedRuns()).toBe(4);
	expect(different(bench.keys())).toBe(4);
});
