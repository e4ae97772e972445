import fc from 'fast-check';
import type { FaultRule } from '../../sandbox/types';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './activeTrigger';
import { isLive, hasUsableId } from './ledger';
import type { Timing, World } from './world';

/** Not the length of a jump of n8n's clock, which the wrong header would hide. */
const WRONG_DATE_MS = 5 * HOUR_MS;

/** What happened, as text; undefined if it was impossible. */
type Outcome = string | undefined;

/** Changes the service or n8n. */
type Change = (world: World) => Outcome;

/** Something that happens in a history. Its text is complete once it has happened. */
class Step implements fc.AsyncCommand<object, World> {
	private text = '';

	constructor(private readonly happen: (world: World) => Outcome | Promise<Outcome>) {}

	check = (): boolean => true;

	async run(_: object, world: World): Promise<void> {
		this.text = (await this.happen(world)) ?? '';
		if (this.text !== '') world.lines.push(this.text);
	}

	toString = (): string => this.text;
}

/** Returns commands that do something with a generated value. */
const step = <T>(values: fc.Arbitrary<T>, happen: (world: World, value: T) => Outcome | Promise<Outcome>) =>
	values.map((value) => new Step((world) => happen(world, value)));

const index = fc.nat(1000);

const hoursAhead = fc.constantFrom(3, 12, 24 * 365 * 73);
const minutesBack = fc.constantFrom(1, 60, 3 * 24 * 60);
const minutesLate = fc.integer({ min: 1, max: 5 });
const timing: fc.Arbitrary<Timing> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 12, arbitrary: fc.constant({}) },
	{ weight: 1, arbitrary: hoursAhead.map((hours) => ({ createdInMs: hours * HOUR_MS })) },
	{ weight: 1, arbitrary: minutesBack.map((minutes) => ({ createdInMs: -minutes * MINUTE_MS })) },
	{ weight: 1, arbitrary: minutesLate.map((minutes) => ({ visibleInMs: minutes * MINUTE_MS })) },
);

function describeTiming(world: World, { createdInMs = 0, visibleInMs = 0 }: Timing): string {
	if (createdInMs > 0) world.count('item dated in the future');
	if (createdInMs < 0) world.count('backdated item');
	if (visibleInMs > 0) world.count('late visible item');
	const minutes = (ms: number) => `${ms / MINUTE_MS} min`;
	if (createdInMs !== 0)
		return `, dated ${minutes(Math.abs(createdInMs))} ${createdInMs > 0 ? 'ahead' : 'back'}`;
	return visibleInMs === 0 ? '' : `, visible after ${minutes(visibleInMs)}`;
}

const addRun = fc
	.record({ workflow: index, status: fc.nat(5), timing })
	.map(({ workflow, status, timing: at }): Change => (world) => {
		const run = world.addRun(workflow, status, at);
		return run && `add run ${run.key} to Prospector workflow ${run.workflow.key}${describeTiming(world, at)}`;
	});

const resultCount = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 20, arbitrary: fc.integer({ min: 1, max: 14 }) },
	{ weight: 4, arbitrary: fc.integer({ min: 15, max: 100 }) },
	{ weight: 1, arbitrary: fc.constantFrom(300, 1000) },
);

const addResults = fc
	.record({ run: index, count: resultCount, timing })
	.map(({ run: at, count, timing: when }): Change => (world) => {
		const run = world.liveRun(at);
		if (!run) return undefined;
		// Longer lists take too many polls.
		const { defaultPageSize, maxRequests, maxItems } = world.settings;
		// Fill a large page.
		const wanted = defaultPageSize >= 1000 && count >= 15 ? 600 : count;
		const limited = Math.min(wanted, 4 * defaultPageSize * Math.min(maxRequests, 30), 40 * maxItems);
		world.addResults(run, limited, when);
		if (limited >= 500) world.count('500 results at once');
		return `add ${limited} results to run ${run.key}${describeTiming(world, when)}`;
	});

const setStatus = fc
	.record({ run: index, status: fc.nat(5) })
	.map(({ run: at, status }): Change => (world) => {
		const run = world.liveRun(at);
		const shown = run && world.setStatus(run, status);
		if (shown === undefined) return undefined;
		if (world.settings.statuses === 'unknown') world.count('unknown status');
		else if (!shown.startsWith('"')) world.count('status that is no text');
		else if (world.settings.statuses === 'odd') world.count('status in other case or with white space');
		return `set the status of run ${run!.key} to ${shown}`;
	});

const addWorkflow = fc.constant<Change>((world) => `add Prospector workflow ${world.addWorkflow().key}`);

const deleteWorkflow = index.map((at): Change => (world) => {
	const workflow = world.liveWorkflow(at);
	if (!workflow || workflow === world.liveWorkflow(at + 1)) return undefined;
	world.simulator.control.deleteWorkflow(workflow.key);
	workflow.deletedAtMs = world.time.nowMs;
	workflow.lastPolledAtMs = world.trigger.polls[world.polls - 1].startedAtMs;
	world.count(`deleted: ${world.settings.deletedRuns}`);
	return `delete Prospector workflow ${workflow.key}`;
});

const deleteRun = index.map((at): Change => (world) => {
	const run = world.liveRun(at);
	// Of two runs with the same ID, the service would delete the last one.
	if (!run || world.settings.ids === 'sameRunId') return undefined;
	world.simulator.control.deleteRun(run.key);
	run.deletedAtMs = world.time.nowMs;
	world.count('deleted run');
	return `delete run ${run.key}`;
});

const deleteResult = index.map((at): Change => (world) => {
	const run = world.liveRun(at);
	const result = run?.results.filter(isLive).at(-1);
	if (!result) return undefined;
	world.simulator.control.deleteResult(result.key);
	result.deletedAtMs = world.time.nowMs;
	world.count('deleted result');
	return `delete result ${result.key} of run ${run!.key}`;
});

const change: fc.Arbitrary<Change> = fc.oneof(
	{ weight: 6, arbitrary: addRun },
	{ weight: 8, arbitrary: addResults },
	{ weight: 6, arbitrary: setStatus },
	{ weight: 1, arbitrary: addWorkflow },
	{ weight: 1, arbitrary: deleteWorkflow },
	{ weight: 2, arbitrary: deleteRun },
	{ weight: 2, arbitrary: deleteResult },
);

const FAULTS: Record<string, FaultRule> = {
	tooMany: { kind: 'status', status: 429 },
	serverErrors: { kind: 'status', status: 503 },
	lost: { kind: 'reset' },
	truncated: { kind: 'cutBody' },
	webPage: { kind: 'notJson' },
	forbidden: { kind: 'status', status: 403 },
	notFound: { kind: 'status', status: 404 },
	hang: { kind: 'hang' },
	slow: { kind: 'slow', delayMs: 9000 },
};

const fault = fc.record({
	kind: fc.constantFrom(...Object.keys(FAULTS)),
	/** Number of the first request that it can meet. */
	from: fc.integer({ min: 1, max: 7 }),
	probability: fc.constantFrom(1, 0.5),
});

type Mode = 'normal' | 'abandoned' | 'repeated';
const changeInPoll = fc.record({ request: fc.integer({ min: 1, max: 8 }), apply: change });

const pollOptions = fc.record({
	mode: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 8, arbitrary: fc.constant<Mode>('normal') },
		{ weight: 2, arbitrary: fc.constantFrom<Mode[]>('abandoned', 'repeated') },
	),
	changes: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant([]) },
		{ weight: 1, arbitrary: fc.array(changeInPoll, { maxLength: 3 }) },
	),
	fault: fc.option(fault, { nil: undefined, freq: 7 }),
	hasWrongDate: fc.integer({ min: 0, max: 19 }).map((number) => number === 19),
});
type Poll = typeof pollOptions extends fc.Arbitrary<infer T> ? T : never;

const poll = step(pollOptions, async (world, options) => await playPoll(world, options));

/** Polls once, and moves the clock to the next minute. @returns what happened as text */
async function playPoll(
	world: World,
	{ mode: wanted, changes, fault: outage, hasWrongDate }: Poll,
): Promise<string> {
	const { settings, simulator, trigger, time } = world;
	// Only the durable scheduler abandons and repeats polls.
	const mode = settings.scheduler === 'classic' ? 'normal' : wanted;
	const first = world.polls;
	const details: string[] = [];
	world.beforeRequest = (request) => {
		for (const { request: at, apply } of changes) {
			const text = at === request ? apply(world) : undefined;
			if (text === undefined) continue;
			world.count('list changed while a poll read');
			world.changedPolls.add(first).add(world.polls - 1);
			details.push(`before its request ${at}: ${text}`);
		}
		if (outage && request === outage.from && world.outage === undefined) {
			const { kind, probability } = outage;
			const rule = new Map(Object.entries(FAULTS)).get(kind)!;
			simulator.control.addFault({ ...rule, id: 'outage', times: 0, probability });
			world.outage = kind;
			details.push(
				`from its request ${request} on, ${probability < 1 ? 'half of its requests meet' : 'all meet'} ${kind}`,
			);
		}
		// A wrong header of a poll's first request decides more than others.
		if (hasWrongDate && settings.dateHeader)
			simulator.control.patchSettings({ dateHeaderOffsetMs: request === 1 ? WRONG_DATE_MS : 0 });
	};
	const isFailed = await tryPoll(async () => {
		if (mode === 'abandoned') await trigger.abandon();
		else if (mode === 'repeated') await trigger.repeat();
		else await trigger.tick();
	});
	const requests = trigger.polls[first].requests;
	if (hasWrongDate && settings.dateHeader && requests > 0) {
		simulator.control.patchSettings({ dateHeaderOffsetMs: 0 });
		world.count('one wrong Date header');
		details.push('the first Date header is 5 h ahead');
	}
	if (world.outage !== undefined) {
		if (simulator.control.faults().some(({ id, fired }) => id === 'outage' && fired > 0))
			world.count(`fault: ${world.outage}`);
		simulator.control.clearFaults('outage');
	}
	if (mode !== 'normal') world.count(`${mode} poll`);
	const isDisturbed = world.outage !== undefined || mode !== 'normal' || hasWrongDate;
	if (isDisturbed) world.disturbedPolls.push(world.polls);
	world.outage = undefined;
	world.beforeRequest = () => {};
	world.settleChoices(!isFailed && !isDisturbed && requests > 0);
	time.advance(MINUTE_MS);
	return [
		`poll${mode === 'normal' ? '' : ` (${mode})`}: ${requests} requests${isFailed ? ', failed' : ''}`,
		...details,
	].join('; ');
}

/** Polls without changes of the service. */
export const playIdlePoll = async (world: World): Promise<string> =>
	await playPoll(world, { mode: 'normal', changes: [], fault: undefined, hasWrongDate: false });

/** Polls until two polls have emitted nothing, but not endlessly. */
async function pollUntilQuiet(world: World): Promise<void> {
	const { emitted } = world.trigger;
	for (let quiet = 0, polls = 0; quiet < 2 && polls < 100; polls++) {
		const { length } = emitted;
		await playIdlePoll(world);
		quiet = emitted.length === length ? quiet + 1 : 0;
	}
}

/** @returns whether the poll failed, which n8n shows as a failed execution */
async function tryPoll(runPoll: () => Promise<void>): Promise<boolean> {
	try {
		await runPoll();
		return false;
	} catch {
		return true;
	}
}

const waitMs = fc.oneof(
	fc.constantFrom(0, 1, MINUTE_MS),
	fc.nat(2 * HOUR_MS),
	fc.constantFrom(DAY_MS, 3 * DAY_MS),
);

const wait = step(waitMs, ({ time }, ms) => {
	time.advance(ms);
	return `wait ${ms < MINUTE_MS ? `${ms} ms` : `${Math.round(ms / MINUTE_MS)} min`}`;
});

const restart = step(fc.boolean(), async (world, isCrash) => {
	// Without a saved baseline, the trigger starts over, as the documentation says.
	if (isCrash && world.trigger.saved === '{}') return undefined;
	if (isCrash) world.trigger.crash();
	for (const workflow of world.ledger.workflows) {
		if (workflow.mayMissBeforeMs > 0) workflow.isChoiceUnread = true;
	}
	world.count(isCrash ? 'crash' : 'restart');
	world.disturbedPolls.push(world.polls);
	await tryPoll(async () => await world.trigger.activate());
	return isCrash ? "n8n's process ends and starts again" : 'n8n activates the trigger again';
});

const choiceToRestore = fc.record({ workflow: index, days: fc.constantFrom(29, 31) });

const restore = step(choiceToRestore, async (world, { workflow: at, days }) => {
	const { ledger, time, simulator } = world;
	const deleted = ledger.workflows.filter((workflow) => !isLive(workflow) && hasUsableId(workflow));
	const workflow = deleted[at % deleted.length];
	if (!workflow) return undefined;
	// Nothing new waits for a month.
	await pollUntilQuiet(world);
	time.advance(Math.max(0, workflow.lastPolledAtMs! + days * DAY_MS - time.nowMs));
	for (let count = 0; count < 3; count++) await playIdlePoll(world);
	simulator.control.restoreWorkflow(workflow.key);
	workflow.deletedAtMs = undefined;
	workflow.mayMissBeforeMs = time.nowMs;
	workflow.isReturnUnread = true;
	world.disturbedPolls.push(world.polls);
	world.count(`restored after ${days} days`);
	return `restore Prospector workflow ${workflow.key} after ${days} days`;
});

const choose = step(fc.subarray([0, 1, 2], { minLength: 1 }), (world, indexes) => {
	const { watch } = world.settings;
	if (watch === 'all') return undefined;
	const known = indexes.filter((at) => at < world.ledger.workflows.length).slice(0, watch === 'one' ? 1 : 3);
	if (known.length === 0) return undefined;
	world.choose(known);
	world.count('other Prospector workflows chosen');
	return `choose the Prospector workflows ${known.map((at) => world.ledger.workflows[at].key).join(', ')}`;
});

const jump = step(fc.constantFrom(-6, -1, 1, 6), (world, hours) => {
	if (!world.settings.dateHeader) return undefined;
	world.time.n8nAheadMs += hours * HOUR_MS;
	world.clockJumps++;
	world.disturbedPolls.push(world.polls);
	world.count("n8n's clock jumped");
	return `n8n's clock jumps by ${hours} h`;
});

const limit = step(fc.constantFrom(5, 20, 1_000_000), (world, requests) => {
	world.simulator.control.patchSettings({ limit: requests });
	return `the limit is ${requests} requests per minute`;
});

const anyChange = step(change, (world, apply) => apply(world));

/** Repeats an arbitrary, because each arbitrary of a list is as likely as the others. */
const times = (count: number, arbitrary: fc.Arbitrary<Step>) =>
	Array.from({ length: count }, () => arbitrary);

/** Generates the commands of a history. @param replayPath of a failed history */
export const historyCommands = (
	replayPath?: string,
): fc.Arbitrary<Iterable<fc.AsyncCommand<object, World>>> =>
	fc.commands(
		[
			...times(14, anyChange),
			...times(12, poll),
			...times(3, wait),
			...times(2, restart),
			restore,
			choose,
			jump,
			limit,
		],
		{ maxCommands: 60, size: '+1', replayPath },
	);
