import type { IDataObject } from 'n8n-workflow';
import { byId } from '../nodes';
import { MINUTE, startTriggerEnvironment, type TriggerEnvironment } from './triggerEnvironment';

const DAY = 24 * 60 * MINUTE;
/** Prospector workflows that the sandbox has from the start. */
const DEMO_WORKFLOWS = 5;

let env: TriggerEnvironment;
beforeEach(async () => {
	env = await startTriggerEnvironment({ defaultPageSize: 50, maxPageSize: 50, limit: 1_000_000 });
});
afterEach(async () => await env.close());

/** Adds Prospector workflows, each with old runs. */
function addWorkflows(count: number, oldRuns: number): string[] {
	const before = (milliseconds: number) => new Date(env.now() - milliseconds).toISOString();
	const workflows = Array.from({ length: count }, (_, i) => ({
		createdAt: before(100 * DAY + i * MINUTE),
		runs: Array.from({ length: oldRuns }, (_run, j) => ({ createdAt: before(40 * DAY + j * MINUTE) })),
	}));
	return env.control.seed({ workflows }).workflows;
}

/** Returns the number of requests in each of three polls, one per minute, after the one of the activation. */
async function countRequests(parameters: IDataObject): Promise<number[]> {
	const trigger = env.trigger({ ...parameters, options: { maxRequests: 1000 } });
	await trigger.activate();
	env.takeOperations();
	const counts: number[] = [];
	for (let poll = 0; poll < 3; poll++) {
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
		expect(await countRequests({ event, watch: 'one', workflowId: byId(id) })).toEqual([1, 1, 1]);
	},
);

test.each(EVENTS)(
	'each poll but the first for the event %s sends 11 requests if 10 Prospector workflows with up to 200 old runs are watched',
	async (event) => {
		addWorkflows(10 - DEMO_WORKFLOWS, 200);
		// The first poll does not know the order of the list.
		const [, ...counts] = await countRequests({ event, watch: 'all' });
		expect(counts).toEqual([11, 11]);
	},
);
