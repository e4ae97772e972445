import { isDeepStrictEqual } from 'node:util';
import { PATIENT, startE2e, type E2e } from '../bench';
import { jsonOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { emitted, EVENTS, happened, runIds, type Event, type History } from './history';
import { createTrigger, NEXT_POLL_MS, nextPoll } from './polling';

const STAGE = 3_600_000;

let e2e: E2e;
let prospectorWorkflow: string;
let saved: Record<Event, Saved>;
let before: Set<string>;

const byEvent = async <T>(get: (event: Event) => Promise<T>) => {
	const entries = [];
	for (const event of EVENTS) entries.push([event, await get(event)] as const);
	return Object.fromEntries(entries) as Record<Event, T>;
};

const emittedByAll = async (): Promise<unknown> =>
	await byEvent(async (event) => await emitted(e2e, event, saved[event].id));

/** Earlier runs go on to their next status and find results, and two runs are started, of which one will fail. */
async function somethingHappens(): Promise<string> {
	e2e.control.advanceClock(STAGE);
	e2e.control.seed({ runs: [{ workflowId: prospectorWorkflow, live: true, status: 'failed' }] });
	const { baseUrl, keys } = e2e.sandbox;
	const started = await fetch(`${baseUrl}/api/public/v1/prospector/workflows/${prospectorWorkflow}/run`, {
		method: 'POST',
		headers: { authorization: `Bearer ${keys.full}` },
	});
	return ((await started.json()) as { data: { id: string } }).data.id;
}

/** Expects that what was emitted is what has happened: no less, and no more. */
async function allHasCome(): Promise<void> {
	const truth = await happened(e2e.sandbox, before);
	expect(truth.newRun).not.toEqual([]);
	await eventually(
		'all that has happened',
		async () => isDeepStrictEqual(await emittedByAll(), truth),
		NEXT_POLL_MS,
	).catch(() => {});
	expect(await emittedByAll()).toEqual(truth);
}

async function activateAll(): Promise<void> {
	for (const event of EVENTS) await e2e.workflows.activate(saved[event]);
}

async function deactivateAll(): Promise<void> {
	for (const event of EVENTS) await e2e.workflows.deactivate(saved[event]);
}

describe('The trigger over restarts of n8n', () => {
	beforeAll(async () => {
		e2e = await startE2e({}, { runStageMs: STAGE, resultsPerRun: 5 });
		[prospectorWorkflow] = e2e.control.seed({ workflows: [{ name: 'Watched', runs: 3 }] }).workflows;
		before = runIds(e2e.sandbox);
		saved = await byEvent(
			async (event) => await createTrigger(e2e, e2e.sandbox, event, { event, watch: 'all' }),
		);
		await activateAll();
		// The durable scheduler does not save what the poll of an activation has found. Its next poll is saved.
		if (e2e.n8n.target.scheduler === 'durable') await nextPoll(e2e.sandbox, ...EVENTS);
	}, PATIENT);
	afterAll(async () => await e2e.close());

	test('what was there before the activation starts nothing', async () => {
		const nothing: History = { newRun: [], newResult: [], runFailed: [], runStatusChanged: {} };
		expect(await emittedByAll()).toEqual(nothing);
	});

	test('the scheduler that is under test stores what the trigger remembers', async () => {
		const { staticData } = await e2e.rest.get<{ staticData: unknown }>(`/rest/workflows/${saved.newRun.id}`);
		const isStatic = JSON.stringify(staticData ?? '').includes('prospectorTrigger');
		expect(isStatic).toBe(e2e.n8n.target.scheduler === 'classic');
	});

	test(
		'n8n is stopped and started: what happened meanwhile comes once',
		async () => {
			await e2e.n8n.stop();
			await somethingHappens();
			await somethingHappens();
			await e2e.n8n.start();
			await allHasCome();
		},
		PATIENT,
	);

	test(
		'n8n is killed and started: what happened meanwhile comes once, and nothing of before again',
		async () => {
			await e2e.n8n.kill();
			await somethingHappens();
			await e2e.n8n.start();
			await allHasCome();
		},
		PATIENT,
	);

	test(
		'the n8n workflow is deactivated and activated again: the same',
		async () => {
			await deactivateAll();
			await somethingHappens();
			await activateAll();
			await allHasCome();
			expect((await happened(e2e.sandbox, before)).runFailed.length).toBeGreaterThan(1);
		},
		PATIENT,
	);

	test(
		'a test in the editor shows what is recent, and takes nothing from the active trigger, which goes on by its timer',
		async () => {
			const runId = await somethingHappens();
			for (const event of EVENTS) {
				const shown = await e2e.executions.ended(await e2e.workflows.start(saved[event]));
				expect(shown).toMatchObject({ status: 'success', mode: 'manual' });
				const ids = jsonOf(shown, 'Trigger').map(({ id }) => id);
				expect(ids.length).toBeGreaterThan(event === 'runFailed' ? 0 : 2);
				if (event === 'newRun' || event === 'runStatusChanged') expect(ids).toContain(runId);
			}
			await allHasCome();
		},
		PATIENT,
	);

	test('later polls start nothing again', async () => {
		await nextPoll(e2e.sandbox, ...EVENTS);
		await allHasCome();
	});
});
