import { isDeepStrictEqual } from 'node:util'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { useEnvironment } from '../environment';
import { failureOf, jsonOf } from '../n8n/executions';
import { eventually } from '../../eventually';
import type { Saved } from '../n8n/workflows';
import { EVENTS, readChanges, readEmitted, readPolls, type Event } from './history';
import { createTrigger, NEXT_POLL_TIMEOUT_MS, nextPoll } from './polling';

/** Time that a run stays in each status. */
const STAGE_MS = 3_600_000;

const byEvent = async <T>(get: (event: Event) => Promise<T>) => {
	const entries = [];
	for (const event of EVENTS) entries.push([event, await get(event)] as const);
	return Object.fromEntries(entries) as Record<Event, T>;
};

describe('The trigger in an n8n that runs, stops and restarts', () => {
	const e2e = useEnvironment({ ownN8n: {}, settings: { runStageMs: STAGE_MS, resultsPerRun: 5 } });
	let prospectorWorkflow: string;
	let saved: Record<Event, Saved>;
	let runsBefore: Set<string>;

	const emittedByAll = async (): Promise<unknown> =>
		await byEvent(async (event) => await readEmitted(e2e, event, saved[event].id));

	async function activateAll(): Promise<void> {
		for (const trigger of Object.values(saved)) await e2e.workflows.activate(trigger);
	}
	async function deactivateAll(): Promise<void> {
		for (const trigger of Object.values(saved)) await e2e.workflows.deactivate(trigger);
	}

	/** Earlier runs get their next status and results, and two runs are started, of which one will fail. */
	function changeService(): string {
		e2e.control.advanceClock(STAGE_MS);
		const started = { workflowId: prospectorWorkflow, live: true };
		return e2e.control.seed({ runs: [{ ...started, status: 'failed' }, started] }).runs[1];
	}

	/** Expects that the triggers emit everything that has happened, once. */
	async function expectAllEmitted(): Promise<void> {
		const expected = await readChanges(e2e.sandbox, runsBefore);
		expect(expected.newRun).not.toEqual([]);
		await eventually(
			'all items',
			async () => isDeepStrictEqual(await emittedByAll(), expected),
			NEXT_POLL_TIMEOUT_MS,
		).catch(() => {});
		expect(await emittedByAll()).toEqual(expected);
	}

	beforeAll(async () => {
		[prospectorWorkflow] = e2e.control.seed({ workflows: [{ name: 'Watched', runs: 3 }] }).workflows;
		runsBefore = new Set(e2e.control.runs().runs.map(({ id }) => id));
		saved = await byEvent(
			async (event) => await createTrigger(e2e, e2e.sandbox, event, { event, watch: 'all' }),
		);
		await activateAll();
		if (e2e.n8n.target.scheduler === 'classic') return;
		// The durable scheduler does not save the state of the activation's poll, which can still be the next one.
		await nextPoll(e2e.sandbox, ...EVENTS);
		await nextPoll(e2e.sandbox, ...EVENTS);
	});

	test('n8n stores the state of a trigger in static data only if n8n does not use the durable scheduler', async () => {
		const { staticData } = await e2e.rest.get<{ staticData: unknown }>(`/rest/workflows/${saved.newRun.id}`);
		const isStatic = JSON.stringify(staticData ?? '').includes('prospectorTrigger');
		expect(isStatic).toBe(e2e.n8n.target.scheduler === 'classic');
	});

	test.each([
		['while n8n is stopped', () => e2e.n8n.stop(), () => e2e.n8n.start()],
		['between a kill and a restart of n8n', () => e2e.n8n.kill(), () => e2e.n8n.start()],
		['while the n8n workflow is inactive', deactivateAll, activateAll],
	])('a trigger emits each change once if the change happens %s', async (_, pause, resume) => {
		await pause();
		changeService();
		changeService();
		await resume();
		await expectAllEmitted();
	});

	test('a scheduled poll emits an item, and no earlier one again, even if a test in the editor has already shown the item', async () => {
		const runId = changeService();
		for (const event of EVENTS) {
			const shown = await e2e.executions.ended(await e2e.workflows.start(saved[event]));
			expect(shown).toMatchObject({ status: 'success', mode: 'manual' });
			const ids = jsonOf(shown, 'Trigger').map(({ id }) => id);
			expect(ids.length).toBeGreaterThan(event === 'runFailed' ? 0 : 2);
			if (event === 'newRun' || event === 'runStatusChanged') expect(ids).toContain(runId);
		}
		await nextPoll(e2e.sandbox, ...EVENTS);
		await expectAllEmitted();
		expect((await readChanges(e2e.sandbox, runsBefore)).runFailed.length).toBeGreaterThan(1);
	});

	test('a trigger fails once and still emits other new runs if one of its Prospector workflows is deleted', async () => {
		const [deleted, other] = e2e.control.seed({ workflows: 2 }).workflows;
		const parameters = { event: 'newRun', watch: 'several', workflowIds: [deleted, other] };
		const trigger = await createTrigger(e2e, e2e.sandbox, 'deletion', parameters);
		await e2e.workflows.activate(trigger);
		await nextPoll(e2e.sandbox, 'deletion');
		e2e.control.deleteWorkflow(deleted);
		const [runId] = e2e.control.seed({ runs: [{ workflowId: other }] }).runs;
		const executions = async () => await e2e.executions.of(trigger.id);
		await eventually('two executions', async () => (await executions()).length >= 2, NEXT_POLL_TIMEOUT_MS);
		await nextPoll(e2e.sandbox, 'deletion');
		const { items, ended } = await readPolls(e2e, trigger.id);
		expect(items.map(({ id }) => id)).toEqual([runId]);
		const failures = ended.map(failureOf).filter((failure) => failure !== undefined);
		expect(failures).toEqual([expect.stringContaining(deleted)]);
		expect(e2e.n8n.log()).toMatch(new RegExp(`Trigger in 'deletion': .*${deleted}`));
	});

	test.each([
		[503, /status 503.*Try again in a few minutes/],
		[401, /not accepted.*Paste a current one/],
	])(
		'n8n shows why an activation fails and what to do if the service responds with %i, and activates the trigger after a repair',
		async (status, message) => {
			const keyName = `refused-${status}`;
			const trigger = await createTrigger(e2e, e2e.sandbox, keyName, { event: 'newRun', watch: 'all' });
			const { id } = e2e.control.addFault({ kind: 'status', status, match: { keyName }, times: 0 });
			expect(await e2e.workflows.refusedActivation(trigger)).toMatch(message);
			e2e.control.clearFaults(id);
			await e2e.workflows.activate(trigger);
			await nextPoll(e2e.sandbox, keyName);
			await e2e.workflows.deactivate(trigger);
		},
	);
});
