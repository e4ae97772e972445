import { startSandbox } from '../../../sandbox/sandbox';
import type { SandboxSettings } from '../../../sandbox/settings';
import type { Sandbox } from '../../../sandbox/types';
import { FAST_SETTINGS, startEnvironment, type Environment } from '../environment';
import { eventually } from '../n8n/rest';
import { readIdsAndFailures } from './history';
import { createTrigger, NEXT_POLL_TIMEOUT_MS, nextPoll } from './polling';

const HOUR_MS = 3_600_000;

/** Two pages take longer than the 30 s after which the trigger takes an empty page for a rejected cursor. */
const SLOW_PAGE_MS = 15_500;

/** The trigger reports a list that two polls can't read. */
const TWO_SLOW_POLLS_MS = 180_000;

/** A poll starts every 5 s, and the durable scheduler can start it 5 s late. */
const AT_ONCE_MS = 20_000;

const isoAgo = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Enough times to prove that the newest come first, further apart than the 10 min that a poll reads again. */
const OLD_RUNS = Array.from({ length: 15 }, (_, i) => ({ createdAt: isoAgo((i + 1) * HOUR_MS) }));

/** Creates a service with two Prospector workflows, and an n8n workflow with a trigger that watches both. */
async function openScene(e2e: Environment, name: string, settings: Partial<SandboxSettings> = {}) {
	const sandbox = await startSandbox({ seed: false, settings: { ...FAST_SETTINGS, ...settings } });
	const { control } = sandbox;
	const watched = control.seed({ workflows: [{ runs: OLD_RUNS }, { runs: 1 }] }).workflows;
	const parameters = { event: 'newRun', watch: 'all', options: { pageSize: 2 } };
	const trigger = await createTrigger(e2e, sandbox, name, parameters);
	const waitForPoll = async () => await nextPoll(sandbox, name);
	const read = async () => await readIdsAndFailures(e2e, trigger.id);
	return {
		...{ sandbox, control, watched, read, waitForPoll },
		/** Activates the n8n workflow, and waits until the first poll has ended. */
		activate: async () => await Promise.all([waitForPoll(), e2e.workflows.activate(trigger)]),
		/** Starts runs of a Prospector workflow, and returns their IDs. */
		startRuns: (workflowId: string, count: number) =>
			control.seed({ runs: Array.from({ length: count }, () => ({ workflowId })) }).runs,
		/** Expects that the trigger emits these runs once and nothing else, and that one execution fails with each text. */
		async expectEmitted(runs: string[], failures: string[] = []) {
			const areEmitted = async () => (await read()).ids.length >= runs.length;
			await eventually('the new runs', areEmitted, NEXT_POLL_TIMEOUT_MS).catch(() => {});
			await waitForPoll();
			const withTexts = failures.map((text): unknown => expect.stringContaining(text));
			expect(await read()).toEqual({ ids: [...runs].sort(), failures: withTexts });
		},
		expectLogged: (text: string) =>
			expect(e2e.n8n.log()).toMatch(new RegExp(`Trigger in '${name}': .*${text}`)),
	};
}

interface Case {
	title: string;
	settings?: Partial<SandboxSettings>;
	play(scene: Awaited<ReturnType<typeof openScene>>): Promise<void>;
}

const unreadableList = (listOrder: 'oldest' | 'newest', cursorRejection: 'emptyPage' | 500): Case => ({
	title: `a list of runs with the ${listOrder} first is reported, and read after a repair, if its cursors get ${cursorRejection}`,
	settings: { listOrder, cursorRejection },
	async play({ control, watched: [workflowId], activate, startRuns, read, expectEmitted }) {
		await activate();
		control.patchSettings({ cursorMaxItems: 2 });
		if (cursorRejection === 'emptyPage')
			control.addFault({ kind: 'slow', delayMs: SLOW_PAGE_MS, match: { path: workflowId }, times: 0 });
		const runs = startRuns(workflowId, 6);
		await eventually('a report', async () => (await read()).failures.length > 0, TWO_SLOW_POLLS_MS);
		control.patchSettings({ cursorMaxItems: null });
		control.clearFaults();
		const message = `The list of runs of Prospector workflow '${workflowId}' can't be read to the end`;
		await expectEmitted(runs, [message]);
	},
});

const refusedList = (status: number, failures: string[]): Case => ({
	title: `a list of runs that always gets ${status} does not delay the runs of other Prospector workflows`,
	async play({ control, watched: [refused, other], activate, startRuns, read, expectEmitted }) {
		control.addFault({ kind: 'status', status, match: { path: `${refused}/runs` }, times: 0 });
		await activate();
		const runs = startRuns(other, 2);
		await eventually('the new runs', async () => (await read()).ids.length > 0, AT_ONCE_MS);
		await expectEmitted(runs, failures);
	},
});

const otherWorkspace = (timeFormat: 'utc' | 'missing'): Case => ({
	title: `the old runs of another workspace are not emitted, but its new runs are, with times of the kind '${timeFormat}'`,
	settings: { timeFormat },
	async play({ control, watched, activate, startRuns, waitForPoll, expectEmitted, expectLogged }) {
		await activate();
		// The other Prospector workflow and its last run are newer than the baseline, but older than the change.
		const createdAt = isoAgo(0);
		await waitForPoll();
		watched.forEach((id) => control.deleteWorkflow(id));
		const other = { createdAt, runs: [...OLD_RUNS, { createdAt }] };
		const [workflowId] = control.seed({ workflows: [other] }).workflows;
		await waitForPoll();
		await expectEmitted(startRuns(workflowId, 2));
		expectLogged('so the trigger starts over');
	},
});

const CASES: Case[] = [
	unreadableList('oldest', 'emptyPage'),
	unreadableList('newest', 'emptyPage'),
	unreadableList('oldest', 500),
	{
		title: 'a list of runs with the newest first is read down to known runs although older cursors get 403',
		settings: { listOrder: 'newest', cursorRejection: 403 },
		async play({ control, watched: [workflowId], activate, startRuns, expectEmitted }) {
			await activate();
			control.patchSettings({ cursorMaxItems: 7 });
			await expectEmitted(startRuns(workflowId, 6));
		},
	},
	refusedList(403, ['This API key is not allowed to list the runs']),
	refusedList(500, []),
	refusedList(429, []),
	otherWorkspace('utc'),
	otherWorkspace('missing'),
	{
		title: "a 'Date' header that is 6 h ahead in the first poll hides no new run and is logged",
		settings: { dateHeaderOffsetMs: 6 * HOUR_MS },
		async play({ control, watched: [workflowId], activate, startRuns, expectEmitted, expectLogged }) {
			await activate();
			control.patchSettings({ dateHeaderOffsetMs: 0 });
			await expectEmitted(startRuns(workflowId, 2));
			expectLogged('a clock was ahead');
		},
	},
];

describe('The trigger with a service that answers wrongly', () => {
	let e2e: Environment;
	let outcomes: Array<Promise<void>>;
	const sandboxes: Sandbox[] = [];

	// The cases mostly wait, so they run at the same time.
	beforeAll(async () => {
		e2e = await startEnvironment();
		outcomes = CASES.map(async ({ settings, play }, index) => {
			const scene = await openScene(e2e, `case-${index}`, settings);
			sandboxes.push(scene.sandbox);
			await play(scene);
		});
		// Each test awaits its own.
		void Promise.allSettled(outcomes);
	});
	afterAll(async () => {
		await e2e.close();
		for (const sandbox of sandboxes) await sandbox.close();
	});

	CASES.forEach(({ title }, index) => test(title, async () => await outcomes[index]));
});
