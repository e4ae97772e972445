import fc from 'fast-check';
import type { OperationName } from '../../sandbox/types';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './activeTrigger';
import { EVENTS } from './settings';
import { type Change, FAULTS, type Fault, performStep, type Step } from './steps';
import type { Timing, World } from './world';

class Command implements fc.AsyncCommand<object, World> {
	constructor(private readonly step: Step) {}

	check = (): boolean => true;

	run = async (_: object, world: World): Promise<void> => await performStep(world, this.step);

	toString = (): string => this.step.do;
}

const index = fc.nat(1000);

const hoursAhead = fc.constantFrom(3, 12, 24 * 365 * 73);
const minutesBack = fc.constantFrom(1, 60, 3 * 24 * 60);
const secondsLate = fc.constantFrom(10, 20, 60, 120, 180, 240, 300);
const timing: fc.Arbitrary<Timing | undefined> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 12, arbitrary: fc.constant(undefined) },
	{ weight: 1, arbitrary: hoursAhead.map((hours) => ({ createdInMs: hours * HOUR_MS })) },
	{ weight: 1, arbitrary: minutesBack.map((minutes) => ({ createdInMs: -minutes * MINUTE_MS })) },
	{ weight: 1, arbitrary: secondsLate.map((seconds) => ({ visibleInMs: seconds * 1000 })) },
);

const resultCount = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 20, arbitrary: fc.integer({ min: 1, max: 14 }) },
	{ weight: 4, arbitrary: fc.integer({ min: 15, max: 100 }) },
	{ weight: 1, arbitrary: fc.constantFrom(300, 1000) },
);

type StepOf<Kind> = Extract<Step, { do: Kind }>;
type FieldsOf<Kind> = {
	[Name in keyof Omit<StepOf<Kind>, 'do'>]: fc.Arbitrary<StepOf<Kind>[Name]>;
};

/** Generates steps of one kind. */
const toSteps = <Kind extends Step['do']>(kind: Kind, fields: FieldsOf<Kind>) =>
	fc.record({ do: fc.constant(kind), ...fields }) as fc.Arbitrary<StepOf<Kind>>;

const kind = fc.constantFrom<Array<'run' | 'result'>>('run', 'result');
const status = fc.nat(5);
const change: fc.Arbitrary<Change> = fc.oneof(
	{ weight: 6, arbitrary: toSteps('addRun', { workflow: index, status, timing }) },
	{ weight: 8, arbitrary: toSteps('addResults', { run: index, count: resultCount, timing }) },
	{ weight: 6, arbitrary: toSteps('setStatus', { run: index, status }) },
	{ weight: 1, arbitrary: toSteps('addWorkflow', {}) },
	{ weight: 1, arbitrary: toSteps('deleteWorkflow', { workflow: index }) },
	{ weight: 2, arbitrary: toSteps('deleteRun', { run: index }) },
	{ weight: 2, arbitrary: toSteps('deleteResult', { run: index }) },
	{ weight: 1, arbitrary: toSteps('giveIdAgain', { kind, run: index }) },
	{ weight: 1, arbitrary: toSteps('move', { kind, run: index, to: index }) },
);

const fault: fc.Arbitrary<Fault> = fc.record({
	kind: fc.constantFrom(...Object.keys(FAULTS)),
	from: fc.integer({ min: 1, max: 7 }),
	probability: fc.constantFrom(1, 0.5),
});

const changeInPoll = fc.record({ request: fc.integer({ min: 1, max: 8 }), change });
const poll = toSteps('poll', {
	mode: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 8, arbitrary: fc.constant(undefined) },
		{ weight: 2, arbitrary: fc.constantFrom('abandoned', 'repeated') },
	),
	changes: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.array(changeInPoll, { maxLength: 3 }) },
	),
	fault: fc.option(fault, { nil: undefined, freq: 7 }),
	hasWrongDate: fc.integer({ min: 0, max: 19 }).map((number) => number === 19 || undefined),
});

const waitMs = fc.oneof(
	fc.constantFrom(0, 1, MINUTE_MS),
	fc.nat(2 * HOUR_MS),
	fc.constantFrom(DAY_MS, 3 * DAY_MS),
);

/** Repeats an arbitrary, because each arbitrary of a list is as likely as the others. */
const times = (count: number, arbitrary: fc.Arbitrary<Step>): Array<fc.Arbitrary<Step>> =>
	Array.from({ length: count }, () => arbitrary);

const failure = toSteps('fail', {
	operation: fc.constantFrom<OperationName[]>(
		'getRun',
		'listRuns',
		'listResults',
		'listResults',
		'listWorkflows',
	),
	at: fc.nat(3),
	status: fc.constantFrom(429, 500, 403, 401),
	forMs: fc.constantFrom(undefined, 5 * MINUTE_MS, 2 * HOUR_MS, DAY_MS),
	polls: fc.constantFrom(undefined, undefined, undefined, 100),
});
const reconfiguration = fc.oneof(
	toSteps('reconfigure', { event: fc.constantFrom(...EVENTS.filter((event) => event !== 'returnedRun')) }),
	toSteps('reconfigure', { setting: fc.constantFrom('baseUrl', 'includeExisting', 'apiKey') }),
);
const choice = toSteps('choose', {
	workflows: fc.subarray([0, 1, 2], { minLength: 1 }),
	watch: fc.constantFrom(undefined, 'all', 'several', 'one'),
});
const hiding = toSteps('hide', {
	workflow: fc.option(index, { nil: undefined, freq: 1 }),
	forMs: fc.constantFrom(0, 0, 10 * MINUTE_MS),
});

/** Generates the commands of a history. */
export const historyCommands: fc.Arbitrary<Iterable<fc.AsyncCommand<object, World>>> = fc.commands(
	[
		...times(28, change),
		...times(24, poll),
		...times(6, toSteps('wait', { ms: waitMs })),
		...times(4, toSteps('restart', { isCrash: fc.boolean() })),
		...times(2, toSteps('restore', { workflow: index, days: fc.constantFrom(29, 31) })),
		...times(2, choice),
		...times(2, toSteps('jump', { hours: fc.constantFrom(-6, -1, 1, 6) })),
		...times(2, toSteps('limit', { requests: fc.constantFrom(5, 20, 1_000_000) })),
		...times(2, failure),
		hiding,
		...times(2, toSteps('polls', { count: fc.constantFrom(5, 20, 100) })),
		toSteps('stream', { active: fc.constantFrom(1, 20), polls: fc.constant(60) }),
		reconfiguration,
		toSteps('moveToOtherWorkspace', { fault: fc.option(fault, { nil: undefined, freq: 1 }) }),
	].map((steps) => (steps as fc.Arbitrary<Step>).map((step) => new Command(step))),
	{ maxCommands: 60, size: '+1' },
);
