import type { IDataObject } from 'n8n-workflow';
import { byId } from '../nodes';
import { MINUTE, startTriggerEnvironment, type TriggerEnvironment } from './triggerEnvironment';

const DAY = 24 * 60 * MINUTE;
const PAGE_SIZE = 50;
/** Prospector workflows that the sandbox has from the start. */
const DEMO_WORKFLOWS = 5;

let env: TriggerEnvironment;
beforeEach(async () => {
	const page = { defaultPageSize: PAGE_SIZE, maxPageSize: PAGE_SIZE };
	// Runs that are live neither end nor find more results.
	env = await startTriggerEnvironment({ ...page, limit: 1_000_000, runStageMs: 100 * DAY });
});
afterEach(async () => await env.close());

/** Adds Prospector workflows, each with old runs and with runs that have just been started. */
function addWorkflows(count: number, oldRuns: number, newRuns = 0): string[] {
	const runs = (length: number, ago: number, live: boolean) =>
		Array.from({ length }, (_, i) => ({ createdAt: before(ago + i * MINUTE), live }));
	const workflows = Array.from({ length: count }, (_, i) => ({
		createdAt: before(100 * DAY + i * MINUTE),
		runs: [...runs(oldRuns, 40 * DAY, false), ...runs(newRuns, 0, true)],
	}));
	return env.control.seed({ workflows }).workflows;
}

const before = (milliseconds: number) => new Date(env.now() - milliseconds).toISOString();

/** Returns the number of requests in each of these polls, one per minute, after the one of the activation. */
async function countRequests(parameters: IDataObject, polls: number): Promise<number[]> {
	const trigger = env.trigger({
		...parameters,
		options: { maxRequests: 1000, ...(parameters.options as object) },
	});
	await trigger.activate();
	env.takeOperations();
	const counts: number[] = [];
	for (let i = 0; i < polls; i++) {
		env.advance(MINUTE);
		await trigger.tick();
		counts.push(env.takeOperations().length);
	}
	return counts;
}

const EVENTS = ['newRun', 'runFailed', 'runStatusChanged', 'newResult'];

test.each(EVENTS.flatMap((event) => [5, 200].map((oldRuns) => [event, oldRuns] as const)))(
	'a poll for the event %s sends one request when one Prospector workflow with %i old runs is watched',
	async (event, oldRuns) => {
		const [id] = addWorkflows(1, oldRuns);
		expect(await countRequests({ event, watch: 'one', workflowId: byId(id) }, 3)).toEqual([1, 1, 1]);
	},
);

test.each([
	...EVENTS.map((event) => [event, 10, 200] as const),
	['newRun', 100, 5],
	['newResult', 100, 5],
] as const)(
	'a poll for the event %s sends N + 1 requests if N = %i Prospector workflows with up to %i old runs are watched',
	async (event, count, oldRuns) => {
		addWorkflows(count - DEMO_WORKFLOWS, oldRuns);
		// The first poll does not know the order of the list.
		const [, ...counts] = await countRequests({ event, watch: 'all' }, 3);
		expect(counts).toEqual([count + 1, count + 1]);
	},
);

test('polls send as many requests as Max Requests per Poll permits when 200 Prospector workflows are watched', async () => {
	addWorkflows(200 - DEMO_WORKFLOWS, 1);
	const counts = await countRequests({ event: 'newRun', watch: 'all', options: { maxRequests: 60 } }, 7);
	expect(counts).toEqual([60, 60, 60, 60, 60, 60, 60]);
});

test.each([1, 3])(
	'a poll for new results sends one more request for each of %i new runs, and fewer as the runs get older',
	async (newRuns) => {
		const [id] = addWorkflows(1, 5, newRuns);
		const counts = await countRequests({ event: 'newResult', watch: 'one', workflowId: byId(id) }, 60);
		expect(counts[0]).toBe(1 + newRuns);
		// A run that has not changed for some minutes is checked after a quarter of that time.
		const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
		const perRun = (sum(counts.slice(20, 60)) - 40) / newRuns;
		const predicted = 4 * Math.log(60 / 20);
		expect(perRun).toBeGreaterThan(0.6 * predicted);
		expect(perRun).toBeLessThan(1.4 * predicted);
	},
);
