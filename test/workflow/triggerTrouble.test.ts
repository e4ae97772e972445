import type { FaultRule } from '../../sandbox/types';
import { waitFor } from '../waitFor';
import { byId } from './support';
import { ids, MINUTE, startTriggerEnvironment, type TriggerEnvironment } from './triggerBench';

let bench: TriggerEnvironment;
let workflows: string[];

beforeEach(async () => {
	bench = await startTriggerEnvironment({ runStageMs: MINUTE, resultsPerRun: 3, defaultPageSize: 5 });
	workflows = bench.control.seed({ workflows: [{ runs: 1 }, { runs: 1 }] }).workflows;
	bench.pass(1000);
});
afterEach(async () => await bench.close());

const all = (event = 'newRun', options: object = {}) => ({ event, watch: 'all', options });
const startRun = (workflow = 0, seed: object = {}) =>
	bench.control.seed({ runs: [{ workflowId: workflows[workflow], ...seed }] }).runs[0];
const refuse = (status: number, rest: Partial<FaultRule> = {}) =>
	bench.control.addFault({ kind: 'status', status, times: 0, ...rest });
describe('a poll in which something cannot be read', () => {
	test('puts out the rest, and the next poll makes up for it', async () => {
		const trigger = bench.trigger(all());
		await trigger.activate();
		const [first, second] = [startRun(0), startRun(1)];
		refuse(404, { match: { path: workflows[0] } });
		expect(ids(await trigger.tick())).toEqual([second]);
		bench.control.clearFaults();
		expect(ids(await trigger.tick())).toEqual([first]);
		expect(await trigger.tick()).toEqual([]);
	});

	test('a limit that is lower than what a poll needs delays, and loses nothing', async () => {
		bench.control.patchSettings({ limit: 4 });
		const more = bench.control.seed({ workflows: 5 }).workflows;
		const trigger = bench.trigger(all());
		await trigger.activate();
		// A run that is created in the very millisecond of the activation belongs to the baseline.
		bench.pass(1);
		const runs: string[] = [];
		for (let poll = 0; poll < 30; poll++) {
			if (poll < 10) runs.push(...bench.control.seed({ runs: [{ workflowId: more[poll % 5] }] }).runs);
			await trigger.tick();
			bench.pass(MINUTE);
		}
		const found = trigger.executions.flat().map(({ json }) => String(json.id));
		expect(found.sort()).toEqual(runs.sort());
	});
});

describe('restarts', () => {
	/** A trigger whose poll, which is to find a run, waits for a slow answer. */
	async function pollUnderWay() {
		const trigger = bench.trigger(all());
		await trigger.activate();
		const run = startRun();
		bench.control.addFault({ match: { operation: 'listRuns' }, kind: 'slow', delayMs: 1500 });
		bench.requests();
		const slow = trigger.tick();
		await waitFor('a request that waits', () =>
			bench.control.journal().some(({ operation }) => operation === 'listRuns'),
		);
		return { trigger, run, slow };
	}

	test.each(['newRun', 'runStatusChanged', 'newResult'])(
		'%s: what happened meanwhile is put out once, when n8n is back',
		async (event) => {
			const trigger = bench.trigger(all(event));
			await trigger.activate();
			startRun();
			bench.pass(MINUTE);
			const before = await trigger.tick();
			expect(before.length).toBeGreaterThan(0);
			trigger.deactivate();
			startRun(1);
			bench.pass(60 * MINUTE);
			const after = [...(await trigger.activate()), ...(await trigger.tick())];
			expect(after.length).toBe(before.length);
			expect(ids(after).filter((id) => ids(before).includes(id))).toEqual([]);
		},
	);

	test('a poll that is still under way when the n8n workflow is activated again puts nothing out', async () => {
		const { trigger, run, slow } = await pollUnderWay();
		const [late, again] = await Promise.all([slow, trigger.activate()]);
		expect([...ids(late), ...ids(again)]).toEqual([run]);
		expect(await trigger.tick()).toEqual([]);
	});

	test('a poll is left out while the one before is still under way', async () => {
		const { trigger, run, slow } = await pollUnderWay();
		expect(await trigger.tick()).toEqual([]);
		expect(ids(await slow)).toEqual([run]);
		expect(await trigger.tick()).toEqual([]);
	});
});

test('a workflow that is deleted: its unfinished runs are followed to their end', async () => {
	const trigger = bench.trigger(all('newResult'));
	await trigger.activate();
	startRun(0, { live: true, results: 4 });
	await trigger.tick();
	await bench.items({ resource: 'workflow', operation: 'delete', workflowId: byId(workflows[0]) });
	for (let poll = 0; poll < 8; poll++) {
		bench.pass(MINUTE / 2);
		await trigger.tick();
	}
	expect(trigger.executions.flat()).toHaveLength(4);
});
