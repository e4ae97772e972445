import { ids, MINUTE, startTriggerEnvironment, type TriggerEnvironment } from './triggerBench';

let bench: TriggerEnvironment;

beforeEach(async () => (bench = await startTriggerEnvironment({ resultsPerRun: 1 })));
afterEach(async () => await bench.close());

const all = (event: string, options: object = {}) => ({ event, watch: 'all', options });

/** Activates the trigger, and polls once a minute. Returns the number of requests of each poll. */
async function requestsPerPoll(trigger: ReturnType<TriggerEnvironment['trigger']>, polls: number) {
	bench.requests();
	await trigger.activate();
	const counts = [bench.requests().length];
	for (let poll = 1; poll < polls; poll++) {
		bench.pass(MINUTE);
		await trigger.tick();
		counts.push(bench.requests().length);
	}
	return counts;
}

test.each([
	['at most 30 requests by default', 30, {}],
	['at most as many requests as Max Requests per Poll', 8, { maxRequests: 8 }],
])('a poll sends %s, and later polls find the rest', async (_, max, options) => {
	const { workflows } = bench.control.seed({ workflows: 40 });
	const trigger = bench.trigger(all('newRun', options));
	expect(Math.max(...(await requestsPerPoll(trigger, 2)))).toBe(max);
	const { runs } = bench.control.seed({ runs: workflows.map((workflowId) => ({ workflowId })) });
	for (let poll = 0; poll < 10; poll++) {
		bench.pass(MINUTE);
		await trigger.tick();
		expect(bench.requests().length).toBeLessThanOrEqual(max);
	}
	expect(ids(trigger.executions.flat()).sort()).toEqual(runs.sort());
});

test('retries count as requests of the poll', async () => {
	const { workflows } = bench.control.seed({ workflows: 40 });
	const trigger = bench.trigger(all('newRun'));
	await requestsPerPoll(trigger, 3);
	bench.control.addFault({ kind: 'status', status: 503, times: 0, probability: 0.5 });
	const { runs } = bench.control.seed({ runs: workflows.map((workflowId) => ({ workflowId })) });
	for (let poll = 0; poll < 10; poll++) {
		bench.pass(MINUTE);
		await trigger.tick();
		expect(bench.requests().length).toBeLessThanOrEqual(30);
	}
	expect(ids(trigger.executions.flat()).sort()).toEqual(runs.sort());
});

test.each(['newRun', 'newResult', 'runStatusChanged', 'runFailed'])(
	'%s: with 500 unfinished runs, none of the first polls sends more than 30 requests',
	async (event) => {
		bench.control.patchSettings({ runStatuses: ['running', 'failed'], runStageMs: 60 * MINUTE });
		const live = { live: true, results: 1 };
		const [workflowId] = bench.control.seed({ workflows: [{ runs: Array(500).fill(live) }] }).workflows;
		bench.pass(1000);
		const trigger = bench.trigger(all(event));
		expect(Math.max(...(await requestsPerPoll(trigger, 6)))).toBeLessThanOrEqual(30);
		expect(trigger.executions.flat()).toEqual([]);
		const [started] = bench.control.seed({ runs: [{ workflowId, status: 'failed' }] }).runs;
		bench.pass(MINUTE);
		const [{ json }] = await trigger.tick();
		expect(json.run_id ?? json.id).toBe(started);
	},
);
