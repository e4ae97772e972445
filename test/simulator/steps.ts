import type { IDataObject } from 'n8n-workflow';
import type { FaultRule, OperationName } from '../../sandbox/types';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './activeTrigger';
import { isLive, hasUsableId, type ResultEntry, type RunEntry, type WorkflowEntry } from './ledger';
import { checkInvariants } from './invariants';
import { findBadTries } from './lateness';
import { findItemViolations } from './oracle';
import { type HistorySettings, isTimeless } from './settings';
import type { Timing, World } from './world';

/** Differs from each jump of n8n's clock, which the wrong header would hide otherwise. */
const WRONG_DATE_MS = 5 * HOUR_MS;

/** After three failures, a poll ends. The list of Prospector workflows and an attempt that is not noted come on top. */
const MAX_REFUSED = 6;
/** Part of the room for a state. */
const FULL = 0.95;

/** What happened, as text; undefined if it was impossible. */
type Outcome = string | undefined;

/** Changes the service. `workflow` and `run` select one modulo the number of live ones. */
export type Change =
	| { do: 'addRun'; workflow: number; status: number; timing?: Timing }
	| { do: 'addResults'; run: number; count: number; timing?: Timing }
	| { do: 'setStatus'; run: number; status: number }
	| { do: 'addWorkflow' }
	| { do: 'deleteWorkflow'; workflow: number }
	| { do: 'deleteRun'; run: number }
	| { do: 'deleteResult'; run: number }
	| { do: 'giveIdAgain'; kind: 'run' | 'result'; run: number }
	| { do: 'move'; kind: 'run' | 'result'; run: number; to: number };

/** What all requests of a poll meet. */
export interface Fault {
	kind: string;
	/** Number of the first request that it can meet. */
	from: number;
	probability: number;
}

export interface Poll {
	do: 'poll';
	mode?: 'abandoned' | 'repeated';
	/** Changes before the request with this number. */
	changes?: Array<{ request: number; change: Change }>;
	fault?: Fault;
	hasWrongDate?: true;
}

/** Something that happens in a history, as JSON. */
export type Step =
	| Change
	| Poll
	| { do: 'polls'; count: number }
	| { do: 'stream'; active: number; polls: number }
	| { do: 'wait'; ms: number }
	| { do: 'restart'; isCrash: boolean }
	| { do: 'restore'; workflow: number; days: number }
	| { do: 'choose'; workflows: number[]; watch?: HistorySettings['watch'] }
	| { do: 'reconfigure'; event?: string; setting?: 'baseUrl' | 'includeExisting' | 'apiKey' }
	| { do: 'moveToOtherWorkspace'; fault?: Fault }
	| { do: 'fail'; operation: OperationName; at: number; status: number; forMs?: number; polls?: number }
	| { do: 'hide'; workflow?: number; forMs: number }
	| { do: 'jump'; hours: number }
	| { do: 'limit'; requests: number };

type Performers<Steps extends { do: string }, Result> = {
	[Kind in Steps['do']]: (world: World, step: Extract<Steps, { do: Kind }>) => Result;
};

function describeTiming(world: World, { createdInMs = 0, visibleInMs = 0 }: Timing = {}): string {
	if (createdInMs > 0) world.count('item dated in the future');
	if (createdInMs < 0) world.count('backdated item');
	if (visibleInMs > 0) world.count('late visible item');
	const minutes = (ms: number) => `${ms / MINUTE_MS} min`;
	if (createdInMs !== 0)
		return `, dated ${minutes(Math.abs(createdInMs))} ${createdInMs > 0 ? 'ahead' : 'back'}`;
	return visibleInMs === 0 ? '' : `, visible after ${visibleInMs / 1000} s`;
}

const CHANGES: Performers<Change, Outcome> = {
	addRun: (world, { workflow, status, timing }) => {
		const run = world.addRun(workflow, status, timing);
		return (
			run && `add run ${run.key} to Prospector workflow ${run.workflow.key}${describeTiming(world, timing)}`
		);
	},
	addResults: (world, { run: at, count, timing }) => {
		const run = world.liveRun(at);
		if (!run) return undefined;
		const { defaultPageSize, maxRequests, maxItems } = world.settings;
		// As many as a large page has.
		const wanted = defaultPageSize >= 1000 && count >= 15 ? 600 : count;
		// Longer lists take too many polls.
		const limited = Math.min(wanted, 4 * defaultPageSize * Math.min(maxRequests, 30), 40 * maxItems);
		world.addResults(run, limited, timing);
		if (limited >= 500) world.count('500 results at once');
		const newestMs = world.time.nowMs + (timing?.createdInMs ?? 0);
		if (newestMs < world.activatedAtMs && run.addedAtMs >= world.activatedAtMs)
			world.count('result dated before the activation');
		return `add ${limited} results to run ${run.key}${describeTiming(world, timing)}`;
	},
	setStatus: (world, { run: at, status }) => {
		const run = world.liveRun(at);
		const shown = run && world.setStatus(run, status);
		if (shown === undefined) return undefined;
		if (!shown.startsWith('"')) world.count('status that is no text');
		return `set the status of run ${run!.key} to ${shown}`;
	},
	addWorkflow: (world) => {
		// A Prospector workflow without a time looks like another workspace if it is alone in the list.
		if (isTimeless(world.settings) && world.hiddenUntilMs < Infinity) return undefined;
		return `add Prospector workflow ${world.addWorkflow().key}`;
	},
	deleteWorkflow: (world, { workflow: at }) => {
		const workflow = world.liveWorkflow(at);
		if (!workflow || workflow === world.liveWorkflow(at + 1)) return undefined;
		// Without times, a list with none of the known Prospector workflows looks like that of another workspace.
		const isSeen = (one: WorkflowEntry) => isLive(one) && one.visiblePoll < world.polls && one !== workflow;
		if (isTimeless(world.settings) && !world.ledger.workflows.some(isSeen)) return undefined;
		world.simulator.control.deleteWorkflow(workflow.key);
		workflow.deletedAtMs = world.time.nowMs;
		workflow.lastPolledAtMs = world.trigger.polls[world.polls - 1].startedAtMs;
		return `delete Prospector workflow ${workflow.key}`;
	},
	deleteRun: (world, { run: at }) => {
		const run = world.liveRun(at);
		// Of two runs with the same ID, the service would delete the last one.
		if (!run || world.settings.ids === 'sameRunId') return undefined;
		world.simulator.control.deleteRun(run.key);
		run.deletedAtMs = world.time.nowMs;
		return `delete run ${run.key}`;
	},
	deleteResult: (world, { run: at }) => {
		const run = world.liveRun(at);
		const result = run?.results.filter(isLive).at(-1);
		if (!result) return undefined;
		world.simulator.control.deleteResult(result.key);
		result.deletedAtMs = world.time.nowMs;
		return `delete result ${result.key} of run ${run!.key}`;
	},
	giveIdAgain: (world, { kind, run: at }) => {
		const entry = replaceable(world, kind, at);
		if (!entry) return undefined;
		world.replace(entry, 'run' in entry ? entry.run : entry.workflow, world.time.nowMs);
		world.count(`${kind} ID given again`);
		return `give the ID of ${kind} ${entry.key} again`;
	},
	move: (world, { kind, run: at, to }) => {
		const entry = replaceable(world, kind, at);
		const parent = kind === 'run' ? world.liveWorkflow(to) : world.liveRun(to);
		if (!entry || !parent || parent === ('run' in entry ? entry.run : entry.workflow)) return undefined;
		world.replace(entry, parent, entry.createdAtMs);
		world.count(`${kind} moved`);
		return `move ${kind} ${entry.key} to ${parent.key}`;
	},
};

/** Returns a run, or its last result, whose ID identifies it. */
function replaceable(world: World, kind: 'run' | 'result', at: number): RunEntry | ResultEntry | undefined {
	const run = world.liveRun(at);
	const entry = kind === 'run' ? run : run?.results.filter(isLive).at(-1);
	return entry && hasUsableId(entry) && world.settings.ids !== 'sameRunId' ? entry : undefined;
}

export const FAULTS: Record<string, FaultRule> = {
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

/** Polls once, and moves the clock to the next minute. @returns what happened as text */
async function playPoll(
	world: World,
	{ mode: wanted, changes = [], fault: outage, hasWrongDate }: Poll,
): Promise<string> {
	const { settings, simulator, trigger, time } = world;
	// Only the durable scheduler abandons and repeats polls.
	const mode = settings.scheduler === 'classic' ? undefined : wanted;
	world.endLasting();
	const first = world.polls;
	const details: string[] = [];
	world.beforeRequest = (request) => {
		for (const { request: at, change: step } of changes) {
			const performChange = CHANGES[step.do] as (world: World, step: Change) => Outcome;
			const text = at === request ? performChange(world, step) : undefined;
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
	const hasThrown = await tryPoll(async () => {
		if (mode === 'abandoned') await trigger.abandon();
		else if (mode === 'repeated') await trigger.repeat();
		else await trigger.tick();
	});
	const { requests, stateText, stateBytes, errors } = trigger.polls[first];
	// A poll that only reports failures may not have read everything.
	const isFailed = hasThrown || (errors.length > 0 && trigger.emitted.every(({ poll }) => poll !== first));
	const isOutage = outage?.from === 1 && outage.probability === 1 && world.lasting === undefined;
	const isRefused = isOutage && outage.kind === 'forbidden';
	if (isRefused && requests > MAX_REFUSED)
		world.earlierViolations.push({
			kind: 'overBudget',
			text: `poll ${first + 1} sent ${requests} requests, although all were refused`,
		});
	if (stateBytes > FULL * settings.stateBytes) world.count('full state');
	// After n8n's clock was set back, or a wrong header, the times that they had shown can stay.
	const aheadMs = Math.max(time.n8nAheadMs, hasWrongDate ? WRONG_DATE_MS : 0, settings.firstDateAheadMs);
	world.latestShownMs = Math.max(world.latestShownMs, time.nowMs + aheadMs, time.nowMs);
	if (stateText !== undefined && !hasThrown && requests > 0 && stateBytes < 200_000) {
		const [text] = await checkInvariants(stateText, world.latestShownMs);
		if (text !== undefined && !world.earlierViolations.some(({ kind }) => kind === 'state'))
			world.earlierViolations.push({ kind: 'state', text: `poll ${first + 1}: ${text}` });
	}
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
	if (mode) world.count(`${mode} poll`);
	const isHidden = world.hiddenUntilMs < Infinity;
	const isDisturbed = isHidden || world.outage !== undefined || mode !== undefined || hasWrongDate === true;
	if (isDisturbed) world.disturbedPolls.push(world.polls);
	world.outage = undefined;
	world.beforeRequest = () => {};
	// With a low limit, a poll can end before it has read each list.
	const chosen = world.ledger.workflows.filter(
		(one) => one.isChosen && isLive(one) && hasUsableId(one),
	).length;
	const hasReadAll = requests > 0 && (world.lowestLimit === Infinity || requests >= chosen);
	world.settleChoices(!isFailed && !isDisturbed && hasReadAll);
	time.advance(settings.pollEveryMs);
	return [
		`poll${mode ? ` (${mode})` : ''}: ${requests} requests${isFailed ? ', failed' : ''}`,
		...details,
	].join('; ');
}

/** Polls without changes of the service. */
export const playIdlePoll = async (world: World): Promise<string> => await playPoll(world, { do: 'poll' });

/** Polls until two polls have emitted nothing, but not endlessly. */
async function pollUntilQuiet(world: World): Promise<void> {
	const { emitted } = world.trigger;
	for (let quiet = 0, polls = 0; quiet < 2 && polls < 100; polls++) {
		const { length } = emitted;
		await playIdlePoll(world);
		quiet = emitted.length === length ? quiet + 1 : 0;
	}
}

/** @returns whether the poll has thrown */
async function tryPoll(runPoll: () => Promise<unknown>): Promise<boolean> {
	try {
		await runPoll();
		return false;
	} catch {
		return true;
	}
}

const STEPS: Performers<Exclude<Step, Change>, Outcome | Promise<Outcome>> = {
	poll: playPoll,
	polls: async (world, { count }) => {
		for (let number = 0; number < count; number++) await playIdlePoll(world);
		return `${count} polls`;
	},
	stream: async (world, { active, polls }) => {
		const { workflows } = world.ledger;
		if (workflows.length < 60) return undefined;
		const { maxRequests } = world.settings;
		const add = (workflow: number, maxPolls: number) => {
			const run = world.addRun(workflow, 2);
			if (run) world.streamed.push({ run, duePoll: world.polls, maxPolls });
		};
		for (let number = 0; number < polls; number++) {
			const isKnown = number > polls / 6;
			for (let index = 0; index < active; index++) add(index, active === 1 && isKnown ? 4 : Infinity);
			// Every second request is for the list that was unread for longest.
			if (number === polls / 4) add(workflows.length - 1, 5 + (3 * workflows.length) / maxRequests);
			await playIdlePoll(world);
		}
		return `${polls} polls with new runs in ${active} Prospector workflows, and one in another one`;
	},
	wait: ({ time }, { ms }) => {
		time.advance(ms);
		return `wait ${ms < MINUTE_MS ? `${ms} ms` : `${Math.round(ms / MINUTE_MS)} min`}`;
	},
	restart: async (world, { isCrash }) => {
		// Without a saved baseline, the trigger starts over, as the documentation says.
		if (world.trigger.saved === world.startedOverWith.saved) return undefined;
		world.restartedAtMs = world.time.nowMs;
		if (isCrash) world.trigger.crash();
		for (const workflow of world.ledger.workflows) {
			if (workflow.mayMissBeforeMs > 0) workflow.isChoiceUnread = true;
		}
		world.count(isCrash ? 'crash' : 'restart');
		world.disturbedPolls.push(world.polls);
		await tryPoll(async () => await world.trigger.activate());
		return isCrash ? "n8n's process ends and starts again" : 'n8n activates the trigger again';
	},
	restore: async (world, { workflow: at, days }) => {
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
		workflow.wasForgotten ||= days > 30;
		world.disturbedPolls.push(world.polls);
		world.count(`restored after ${days} days`);
		return `restore Prospector workflow ${workflow.key} after ${days} days`;
	},
	choose: (world, { workflows, watch = world.watch }) => {
		if (watch === 'all' && world.watch === 'all') return undefined;
		const known = workflows
			.filter((at) => at < world.ledger.workflows.length)
			.slice(0, watch === 'one' ? 1 : 3);
		if (known.length === 0) return undefined;
		if (watch !== world.watch) {
			world.count('watch changed');
			// The list must be read before another workspace can be noticed.
			if (watch === 'all') for (const workflow of world.ledger.workflows) workflow.isChoiceUnread = true;
		}
		world.watch = watch;
		world.choose(known);
		if (watch === 'all') return 'watch all Prospector workflows';
		return `choose the Prospector workflows ${known.map((at) => world.ledger.workflows[at].key).join(', ')}`;
	},
	jump: (world, { hours }) => {
		const { dateHeader, firstDateAheadMs } = world.settings;
		// The trigger notices a wrong baseline by n8n's clock.
		if (firstDateAheadMs > 0) return undefined;
		world.jump(hours);
		world.clockJumps++;
		if (!dateHeader) world.count("n8n's clock jumped without Date header");
		world.disturbedPolls.push(world.polls);
		return `n8n's clock jumps by ${hours} h`;
	},
	reconfigure: async (world, { event, setting }) => {
		const { trigger, settings } = world;
		if (setting === 'apiKey') {
			trigger.credential = { ...trigger.credential, apiKey: `pk_live_${world.polls}` };
			world.count('rotated API key');
			return 'the API key is rotated';
		}
		const options = trigger.parameters.options as IDataObject;
		if (setting === 'includeExisting') {
			options.includeExisting = options.includeExisting !== true;
			world.count('Include Existing changed');
			return `Include Existing is ${String(options.includeExisting)}`;
		}
		const isEvent = setting === undefined;
		if (world.isStartingOver || !world.hasRightClock() || settings.ids === 'sameRunId') return undefined;
		if (isEvent && (event === world.event || world.event === 'returnedRun' || !event)) return undefined;
		// Like an activation, it fails until no deleted Prospector workflow is chosen.
		const isWatched = ({ isChosen }: WorkflowEntry) => world.watch !== 'all' && isChosen;
		if (world.ledger.workflows.some((one) => isWatched(one) && !isLive(one))) return undefined;
		closeEpoch(world);
		if (isEvent) trigger.parameters.event = world.event = event!;
		else trigger.credential = { ...trigger.credential, baseUrl: `https://app${world.polls}.example.com` };
		world.includesExisting = options.includeExisting === true;
		world.count(isEvent ? 'event changed' : 'Base URL changed');
		const text = await world.startOver(async () => await playIdlePoll(world));
		return `the ${isEvent ? `event is ${event}` : 'Base URL is another one'}; ${text}`;
	},
	moveToOtherWorkspace: async (world, { fault }) => {
		// The trigger has read the list of Prospector workflows to its end.
		const hasListedAll = (world.trigger.lastState?.discovery?.listedAtMs ?? 0) > 0;
		const isRead =
			!world.isStartingOver &&
			hasListedAll &&
			world.lasting?.operation !== 'listWorkflows' &&
			world.ledger.workflows.every(({ isChoiceUnread }) => !isChoiceUnread);
		const { cursorMaxItems } = world.settings;
		const isReadable =
			world.ledger.workflows.length <= Math.min(cursorMaxItems ?? Infinity, world.lowestLimit);
		if (world.watch !== 'all' || !isRead || !isReadable || !world.hasRightClock()) return undefined;
		closeEpoch(world);
		world.moveToOtherWorkspace();
		world.includesExisting = false;
		world.requiredLines.push(/starts over/);
		world.count('another workspace');
		const faults = [fault];
		const playNext = async () => await playPoll(world, { do: 'poll', fault: faults.shift() });
		const text = await world.startOver(playNext, /starts over/);
		// What existed there may be emitted if the user asked for it once.
		if ((world.trigger.parameters.options as IDataObject).includeExisting === true)
			world.unclearMs = Infinity;
		return `the API key belongs to another workspace; ${text}`;
	},
	fail: async (world, { operation, at, status, forMs = Infinity, polls = 0 }) => {
		const entry = operation === 'listRuns' ? world.liveWorkflow(at) : world.liveRun(at);
		const isList = operation === 'listWorkflows';
		world.endLasting();
		if (world.lasting || (!entry && !isList) || (entry && !hasUsableId(entry))) return undefined;
		const failed = isList ? undefined : entry;
		const failure = world.fail({ operation, status, entry: failed, untilMs: world.time.nowMs + forMs });
		const minutes = forMs < Infinity ? ` for ${forMs / MINUTE_MS} min` : '';
		const isHidden = world.hiddenUntilMs < Infinity;
		for (let count = 0; count < polls; count++) await playIdlePoll(world);
		if (polls > 0 && !isHidden) world.earlierViolations.push(...findBadTries(world, failure));
		return `${operation}${failed ? ` of ${failed.key}` : ''} gets ${status}${minutes}, with ${polls} polls`;
	},
	hide: (world, { workflow: at, forMs }) => {
		const hidden =
			at === undefined ? world.ledger.workflows.filter(isLive).slice(0, 100) : [world.liveWorkflow(at)!];
		if (world.isStartingOver || (hidden.length === 1 && world.liveWorkflow(at! + 1) === hidden[0]))
			return undefined;
		const hiddenWorkflows = hidden.map(({ key }) => key);
		world.simulator.control.patchSettings({ hiddenWorkflows });
		world.hiddenUntilMs = world.time.nowMs + Math.max(forMs, 1);
		return `the list of Prospector workflows omits ${at === undefined ? 'all' : hiddenWorkflows.join()}`;
	},
	limit: (world, { requests }) => {
		world.simulator.control.patchSettings({ limit: requests });
		world.lowestLimit = Math.min(world.lowestLimit, requests);
		return `the limit is ${requests} requests per minute`;
	},
};

/** Keeps what was emitted wrongly before the trigger starts over. */
function closeEpoch(world: World): void {
	const violations = findItemViolations(world);
	world.earlierViolations.push(...violations.filter(({ kind }) => kind === 'wrong' || kind === 'repeated'));
}

const ALL_STEPS = { ...CHANGES, ...STEPS };

/** The kind of each step. */
export const STEP_KINDS = Object.keys(ALL_STEPS);

/** Performs a step, and records it if it had an effect. */
export async function performStep(world: World, step: Step): Promise<void> {
	const perform = ALL_STEPS[step.do] as (world: World, step: Step) => Outcome | Promise<Outcome>;
	const text = await perform(world, step);
	if (text === undefined) return;
	world.count(step.do);
	world.lines.push(text);
	world.steps.push(step);
}
