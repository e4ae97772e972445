import { isDeepStrictEqual } from 'node:util';
import { startSandbox } from '../../../sandbox/sandbox';
import type { JournalEntry, Sandbox } from '../../../sandbox/types';
import { byId } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { emitted, EVENTS, happened, runIds, type Event } from './history';
import { createTrigger, NEXT_POLL_TIMEOUT_MS, nextPoll, pollsOf, pollTimes } from './polling';

const HOUR_MS = 3_600_000;
const MAX_REQUESTS_PER_POLL = 30;

/** Name of the API key of each trigger. Each trigger has its own sandbox. */
const KEY = 'trigger';

let e2e: Environment;
const sandboxes: Sandbox[] = [];

/** @param onRequest called before the client has the response */
async function openSandbox(onRequest?: (entry: JournalEntry) => void): Promise<Sandbox> {
	const settings = { runStageMs: 0, limit: 100_000 };
	const sandbox = await startSandbox({ seed: false, settings, onRequest });
	sandboxes.push(sandbox);
	return sandbox;
}

/** A service in which a Prospector workflow appears right after a poll has read the list of workflows. */
class Appearance {
	/** Whether the workflow appears in the next poll. */
	isPending = true;

	private constructor(
		readonly event: Event,
		readonly sandbox: Sandbox,
		readonly runsBefore: Set<string>,
		readonly saved: Saved,
	) {}

	static async prepare(event: Event): Promise<Appearance> {
		const sandbox = await openSandbox((entry) => {
			if (entry.keyName !== KEY || entry.operation !== 'listWorkflows' || !appearance.isPending) return;
			appearance.isPending = false;
			const runs = [{ results: 3 }, { status: 'failed', results: 1 }];
			sandbox.control.seed({ workflows: [{ name: 'New', runs }] });
			// The next list that this poll reads has a later timestamp.
			sandbox.control.advanceClock(5);
			sandbox.control.seed({ runs: [{ workflowId: known, results: 2 }] });
		});
		const [known] = sandbox.control.seed({ workflows: [{ name: 'Known', runs: 2 }] }).workflows;
		const saved = await createTrigger(e2e, sandbox, KEY, { event, watch: 'all' });
		const appearance = new Appearance(event, sandbox, runIds(sandbox), saved);
		return appearance;
	}

	/** Waits until the workflow has appeared, and expects that everything is emitted once. */
	async expectEmitted(): Promise<void> {
		const { event, sandbox, runsBefore, saved } = this;
		await eventually('a Prospector workflow to appear', () => !this.isPending, NEXT_POLL_TIMEOUT_MS);
		const expected = (await happened(sandbox, runsBefore))[event];
		await eventually(
			`${event} to be emitted`,
			async () => isDeepStrictEqual(await emitted(e2e, event, saved.id), expected),
			NEXT_POLL_TIMEOUT_MS,
		).catch(() => {});
		await this.expectNothingElse();
	}

	async expectNothingElse(): Promise<void> {
		const { event, sandbox, runsBefore, saved } = this;
		const expected = await happened(sandbox, runsBefore);
		expect(expected.newRun.length).toBeGreaterThan(0);
		expect([event, await emitted(e2e, event, saved.id)]).toEqual([event, expected[event]]);
	}
}

async function executionsOf({ id }: Saved): Promise<Execution[]> {
	const ended = [];
	for (const execution of await e2e.executions.of(id)) ended.push(await e2e.executions.ended(execution.id));
	return ended;
}

const idsIn = (executions: Execution[]) =>
	executions.flatMap((execution) => jsonOf(execution, 'Trigger').map(({ id }) => id));

describe('The trigger while the service changes', () => {
	let appearances: Appearance[];

	let crowd: Sandbox;
	let crowded: string;
	let crowdTrigger: Saved;

	let deletion: Sandbox;
	let deleted: string;
	let other: string;
	let deletionTrigger: Saved;
	/** The run that starts at the moment in which the Prospector workflow is deleted. */
	let runAtDeletion: string | undefined;

	beforeAll(async () => {
		e2e = await startEnvironment();
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
			// On a busy machine, a poll with many requests takes seconds.
			pollTimes: pollTimes(10),
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
	});
	afterAll(async () => {
		await e2e.close();
		for (const sandbox of sandboxes) await sandbox.close();
	});

	test('emits runs and results once when a Prospector workflow appears during the first poll', async () => {
		await Promise.all(appearances.map(async (appearance) => await appearance.expectEmitted()));
	});

	test('emits runs and results once when a Prospector workflow appears during a later poll', async () => {
		for (const appearance of appearances) appearance.isPending = true;
		await Promise.all(appearances.map(async (appearance) => await appearance.expectEmitted()));
	});

	test('emits the results of a new run in the next poll when 600 other runs are due', async () => {
		await nextPoll(crowd, KEY);
		const { length: pollsBefore } = pollsOf(crowd, KEY);
		crowd.control.advanceClock(HOUR_MS);
		const { runs, results } = crowd.control.seed({ runs: [{ workflowId: crowded, results: 2 }] });
		const emittedIds = await eventually(
			'the results of a new run',
			async () => {
				const ids = idsIn(await executionsOf(crowdTrigger));
				return ids.length > 0 && ids;
			},
			NEXT_POLL_TIMEOUT_MS,
		);
		expect(emittedIds.sort()).toEqual(results.sort());
		const paths = pollsOf(crowd, KEY)[pollsBefore].map(({ path }) => path);
		expect(paths).toContain(`/api/public/v1/prospector/runs/${runs[0]}/results`);
	});

	test('sends at most 30 requests in each poll with 600 unfinished runs, also in the first one', async () => {
		await nextPoll(crowd, KEY);
		const counts = pollsOf(crowd, KEY).map(({ length }) => length);
		expect(counts.length).toBeGreaterThan(2);
		expect(Math.max(...counts)).toBe(MAX_REQUESTS_PER_POLL);
	});

	test('fails once and still emits the runs of the other Prospector workflow when one is deleted', async () => {
		await nextPoll(deletion, KEY);
		await fetch(`${deletion.baseUrl}/api/public/v1/prospector/workflows/${deleted}`, {
			method: 'DELETE',
			headers: { authorization: `Bearer ${deletion.keys.full}` },
		});
		await eventually(
			'a failed execution and one with the run',
			async () => (await e2e.executions.of(deletionTrigger.id)).length >= 2,
			NEXT_POLL_TIMEOUT_MS,
		).catch(() => {});
		const executions = await executionsOf(deletionTrigger);
		const withStatus = (wanted: string) => executions.filter(({ status }) => status === wanted);
		expect(idsIn(withStatus('success'))).toEqual([runAtDeletion]);
		expect(withStatus('error').map(failureOf)).toEqual([expect.stringContaining(deleted)]);
	});

	test('emits nothing again in later polls', async () => {
		await Promise.all(sandboxes.map(async (sandbox) => await nextPoll(sandbox, KEY)));
		await Promise.all(appearances.map(async (appearance) => await appearance.expectNothingElse()));
		expect(idsIn(await executionsOf(crowdTrigger))).toHaveLength(2);
		expect(await executionsOf(deletionTrigger)).toHaveLength(2);
	});
});
