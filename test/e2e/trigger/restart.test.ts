import { node } from '../../nodes';
import { PATIENT, startE2e, type E2e } from '../bench';
import { jsonOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { happened, putOut, type Watchers } from './history';

const STAGE = 3_600_000;
/** n8n polls once a minute at most. */
const NEXT_POLL = 100_000;

let e2e: E2e;
let prospectorWorkflow: string;
let saved: Saved[];
let watchers: Watchers;
let before: Set<string>;

async function watch(event: keyof Watchers): Promise<Saved> {
	const trigger = node(
		'Trigger',
		'n8n-nodes-prospector.prospectorTrigger',
		{ pollTimes: { item: [{ mode: 'everyMinute' }] }, event, workflowScope: 'all', options: {} },
		{ credentials: e2e.full },
	);
	const seen = node('Seen', 'n8n-nodes-base.noOp', {});
	return await e2e.workflows.create({
		name: event,
		nodes: [trigger, seen],
		connections: { Trigger: { main: [[{ node: 'Seen', type: 'main', index: 0 }]] } },
	});
}

/** Earlier runs go on to their next status and find results, and another run is started. */
async function somethingHappens(): Promise<string> {
	e2e.control.advanceClock(STAGE);
	const { baseUrl, keys } = e2e.sandbox;
	const started = await fetch(`${baseUrl}/api/public/v1/prospector/workflows/${prospectorWorkflow}/run`, {
		method: 'POST',
		headers: { authorization: `Bearer ${keys.full}` },
	});
	return ((await started.json()) as { data: { id: string } }).data.id;
}

/** What was put out is what has happened: no less, and no more. */
async function allHasCome(): Promise<void> {
	const truth = await happened(e2e, before);
	expect(truth.runs).not.toEqual([]);
	await eventually(
		'all that has happened',
		async () => {
			const { runs, results, statuses } = await putOut(e2e, watchers);
			const present = Object.entries(truth.statuses).every(([id, status]) => statuses[id] === status);
			return runs.length >= truth.runs.length && results.length >= truth.results.length && present;
		},
		NEXT_POLL,
	).catch(() => {});
	expect(await putOut(e2e, watchers)).toEqual(truth);
}

async function activateAll(): Promise<void> {
	for (const workflow of saved) await e2e.workflows.activate(workflow);
}

async function deactivateAll(): Promise<void> {
	for (const workflow of saved) await e2e.workflows.deactivate(workflow);
}

describe('The trigger over restarts of n8n', () => {
	beforeAll(async () => {
		e2e = await startE2e({}, { runStageMs: STAGE, resultsPerRun: 5 });
		[prospectorWorkflow] = e2e.control.seed({ workflows: [{ name: 'Watched', runs: 3 }] }).workflows;
		before = new Set(e2e.control.runs().runs.map(({ id }) => id));
		const [newRun, newResult, runStatusChanged] = (saved = [
			await watch('newRun'),
			await watch('newResult'),
			await watch('runStatusChanged'),
		]);
		watchers = { newRun: newRun.id, newResult: newResult.id, runStatusChanged: runStatusChanged.id };
		await activateAll();
	}, PATIENT);
	afterAll(async () => await e2e.close());

	test('what was there before the activation starts nothing', async () => {
		expect(await putOut(e2e, watchers)).toEqual({ runs: [], results: [], statuses: {} });
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
		},
		PATIENT,
	);

	test(
		'a test in the editor shows what is recent, and takes nothing from the active trigger, which goes on by its timer',
		async () => {
			const runId = await somethingHappens();
			for (const workflow of saved) {
				const shown = await e2e.executions.ended(await e2e.workflows.start(workflow));
				expect(shown).toMatchObject({ status: 'success', mode: 'manual' });
				expect(jsonOf(shown, 'Trigger').length).toBeGreaterThan(2);
				if (workflow.name !== 'newResult')
					expect(jsonOf(shown, 'Trigger').map(({ id }) => id)).toContain(runId);
			}
			await allHasCome();
		},
		PATIENT,
	);
});
