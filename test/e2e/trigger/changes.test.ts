import { isDeepStrictEqual } from 'node:util';
import { startSandbox } from '../../../sandbox/sandbox';
import type { JournalEntry, Sandbox } from '../../../sandbox/types';
import { byId } from '../../nodes';
import { PATIENT, startE2e, type E2e } from '../bench';
import { failureOf, jsonOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { emitted, EVENTS, happened, runIds, type Event } from './history';
import { createTrigger, NEXT_POLL_MS, nextPoll, pollsOf } from './polling';

const HOUR_MS = 3_600_000;

/** Name of the API key of each trigger, in a sandbox of its own. */
const KEY = 'trigger';

let e2e: E2e;
const sandboxes: Sandbox[] = [];

/** @param onRequest called before the client has the response */
async function openSandbox(onRequest?: (entry: JournalEntry) => void): Promise<Sandbox> {
	const settings = { runStageMs: 0, limit: 100_000 };
	const sandbox = await startSandbox({ seed: false, settings, onRequest });
	sandboxes.push(sandbox);
	return sandbox;
}

const watchAll = async (sandbox: Sandbox, event: Event) =>
	await createTrigger(e2e, sandbox, KEY, { event, watch: 'all' });

/** A service in which a Prospector workflow appears right after a poll has read the list of them. */
class Appearance {
	/** Whether the next poll meets it. */
	isAwaited = true;

	private constructor(
		readonly event: Event,
		readonly sandbox: Sandbox,
		readonly before: Set<string>,
		readonly saved: Saved,
	) {}

	static async prepare(event: Event): Promise<Appearance> {
		const sandbox = await openSandbox((entry) => {
			if (entry.keyName !== KEY || entry.operation !== 'listWorkflows' || !appearance.isAwaited) return;
			appearance.isAwaited = false;
			const runs = [{ results: 3 }, { status: 'failed', results: 1 }];
			sandbox.control.seed({ workflows: [{ name: 'New', runs }] });
			// The list that this poll reads next shows a later timestamp.
			sandbox.control.advanceClock(5);
			sandbox.control.seed({ runs: [{ workflowId: known, results: 2 }] });
		});
		const [known] = sandbox.control.seed({ workflows: [{ name: 'Known', runs: 2 }] }).workflows;
		const saved = await watchAll(sandbox, event);
		const appearance = new Appearance(event, sandbox, runIds(sandbox), saved);
		return appearance;
	}

	/** Waits until a Prospector workflow has appeared, and expects that everything was then emitted, and only once. */
	async hasCome(): Promise<void> {
		const { event, sandbox, before, saved } = this;
		await eventually('a Prospector workflow to appear', () => !this.isAwaited, NEXT_POLL_MS);
		const truth = (await happened(sandbox, before))[event];
		await eventually(
			`${event} to be emitted`,
			async () => isDeepStrictEqual(await emitted(e2e, event, saved.id), truth),
			NEXT_POLL_MS,
		).catch(() => {});
		await this.isRight();
	}

	/** Expects that everything was emitted, and only once. */
	async isRight(): Promise<void> {
		const { event, sandbox, before, saved } = this;
		const truth = await happened(sandbox, before);
		expect(truth.newRun.length).toBeGreaterThan(0);
		expect([event, await emitted(e2e, event, saved.id)]).toEqual([event, truth[event]]);
	}
}

let appearances: Appearance[];

let crowd: Sandbox;
let crowded: string;
let crowdTrigger: Saved;
const MAX_REQUESTS = 30;

let deletion: Sandbox;
let deleted: string;
let other: string;
let deletionTrigger: Saved;
/** The run that starts in the same moment in which the Prospector workflow is deleted. */
let runAtDeletion: string | undefined;

/** What an n8n workflow's trigger has started: items and failures. */
async function executionsOf({ id }: Saved): Promise<Execution[]> {
	const ended = [];
	for (const execution of await e2e.executions.of(id)) ended.push(await e2e.executions.ended(execution.id));
	return ended;
}

const idsIn = (executions: Execution[]) =>
	executions.flatMap((execution) => jsonOf(execution, 'Trigger').map(({ id }) => id));

describe('The trigger while the service changes', () => {
	beforeAll(async () => {
		e2e = await startE2e();
		appearances = await Promise.all(EVENTS.map(Appearance.prepare));

		crowd = await openSandbox();
		const start = Date.now() - 2 * HOUR_MS;
		const runs = Array.from({ length: 600 }, (_, index) => ({
			status: 'running',
			results: 1,
			createdAt: new Date(start - index * 1000).toISOString(),
		}));
		[crowded] = crowd.control.seed({ workflows: [{ runs }] }).workflows;
		crowdTrigger = await createTrigger(e2e, crowd, KEY, {
			event: 'newResult',
			watch: 'one',
			workflowId: byId(crowded),
		});

		deletion = await openSandbox(({ operation }) => {
			if (operation !== 'deleteWorkflow') return;
			[runAtDeletion] = deletion.control.seed({ runs: [{ workflowId: other }] }).runs;
		});
		[deleted, other] = deletion.control.seed({ workflows: 2 }).workflows;
		deletionTrigger = await createTrigger(e2e, deletion, KEY, {
			event: 'newRun',
			watch: 'several',
			workflowIds: [deleted, other],
		});

		const triggers = [...appearances.map(({ saved }) => saved), crowdTrigger, deletionTrigger];
		for (const trigger of triggers) await e2e.workflows.activate(trigger);
	}, PATIENT);
	afterAll(async () => {
		await e2e.close();
		for (const sandbox of sandboxes) await sandbox.close();
	});

	test(
		'a Prospector workflow appears after the first poll has read the list: its runs and results come once',
		async () => await Promise.all(appearances.map(async (appearance) => await appearance.hasCome())),
		PATIENT,
	);

	test(
		'a Prospector workflow appears after a later poll has read the list: the same',
		async () => {
			for (const appearance of appearances) appearance.isAwaited = true;
			await Promise.all(appearances.map(async (appearance) => await appearance.hasCome()));
		},
		PATIENT,
	);

	test(
		'600 runs are watched, and all are due: the next poll finds the results of a new one',
		async () => {
			await nextPoll(crowd, KEY);
			const { length: pollsBefore } = pollsOf(crowd, KEY);
			crowd.control.advanceClock(HOUR_MS);
			const { runs, results } = crowd.control.seed({ runs: [{ workflowId: crowded, results: 2 }] });
			const found = await eventually(
				'the results of a new run',
				async () => {
					const ids = idsIn(await executionsOf(crowdTrigger));
					return ids.length > 0 && ids;
				},
				NEXT_POLL_MS,
			);
			expect(found.sort()).toEqual(results.sort());
			const paths = pollsOf(crowd, KEY)[pollsBefore].map(({ path }) => path);
			expect(paths).toContain(`/api/public/v1/prospector/runs/${runs[0]}/results`);
		},
		PATIENT,
	);

	test(
		'with 600 unfinished runs, no poll sends more than 30 requests, that of the activation included',
		async () => {
			await nextPoll(crowd, KEY);
			const counts = pollsOf(crowd, KEY).map(({ length }) => length);
			expect(counts.length).toBeGreaterThan(2);
			expect(Math.max(...counts)).toBe(MAX_REQUESTS);
		},
		PATIENT,
	);

	test(
		'a chosen Prospector workflow is deleted: a failed execution says so, and the runs of the other one still come',
		async () => {
			await nextPoll(deletion, KEY);
			await fetch(`${deletion.baseUrl}/api/public/v1/prospector/workflows/${deleted}`, {
				method: 'DELETE',
				headers: { authorization: `Bearer ${deletion.keys.full}` },
			});
			await eventually(
				'a failed execution and one with the run',
				async () => (await e2e.executions.of(deletionTrigger.id)).length >= 2,
				NEXT_POLL_MS,
			).catch(() => {});
			const executions = await executionsOf(deletionTrigger);
			const ofStatus = (wanted: string) => executions.filter(({ status }) => status === wanted);
			expect(idsIn(ofStatus('success'))).toEqual([runAtDeletion]);
			expect(ofStatus('error').map(failureOf)).toEqual([expect.stringContaining(deleted)]);
		},
		PATIENT,
	);

	test(
		'later polls start nothing again',
		async () => {
			await Promise.all(sandboxes.map(async (sandbox) => await nextPoll(sandbox, KEY)));
			await Promise.all(appearances.map(async (appearance) => await appearance.isRight()));
			expect(idsIn(await executionsOf(crowdTrigger))).toHaveLength(2);
			expect(await executionsOf(deletionTrigger)).toHaveLength(2);
		},
		PATIENT,
	);
});
