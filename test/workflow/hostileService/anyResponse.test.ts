import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { everyOperation, parametersFor } from '../everyOperation';
import { allTextOf, formsIn } from './apiKeyForms';
import { answerOf, arbitraryResponse, type ResponsePlan } from './arbitraryResponse';
import {
	outcomeOf,
	shownOf,
	speedUpTimeouts,
	startHostileEnvironment,
	type HostileEnvironment,
	type Outcome,
	type Target,
} from './environment';
import {
	capturedLog,
	captureLog,
	changesSince,
	leastBlock,
	releaseLog,
	snapshotPrototypes,
	watchEventLoop,
} from './guards';
import { respond, waitUntil } from './service';

/** Cases per operation and editor method. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 8);
/** Another seed leads to other cases; fast-check prints it when a case fails. */
const SEED = Number(process.env.HOSTILE_SEED ?? 1);

const SPEED = 10;
const MAX_BLOCK_MS = 50;
const MAX_TEXT_LENGTH = 2300;
/** Real milliseconds for a case, on a busy machine. */
const MAX_MS = 30_000;
/** After these, the service rejects every request: a list could be endless. */
const MAX_REQUESTS = 6;
/** Always the same, so that a seed repeats a case. */
const KEY = 'sk_live?27984df017dc05003d+/~cd31ae7b543e90ba51=';

interface Case {
	responses: ResponsePlan[];
	retryFor: 0 | 1;
	onError: 'stopWorkflow' | 'continueRegularOutput';
}

interface Subject {
	title: string;
	isList: boolean;
	task: (target: Target, plan: Case) => Promise<unknown>;
}

const execute =
	({ options, ...rest }: IDataObject) =>
	async (target: Target, { retryFor, onError }: Case) => {
		const parameters = { ...rest, options: { ...(options as IDataObject), retryFor } };
		const run = await target.start(parameters, [{ id: 'id_1', name: 'A' }], { onError }).finished;
		if (run.data.resultData.error) throw run.data.resultData.error;
		return run;
	};
const waiting = { waitForCompletion: true, waitUpTo: 1, returnResults: true };

const subjects: Subject[] = [
	...everyOperation.map((row) => ({
		title: row.title,
		isList: row.list === true,
		task: execute(parametersFor(row)),
	})),
	{
		title: 'Run › get with Wait for Completion',
		isList: false,
		task: execute({ resource: 'run', operation: 'get', runId: 'run_1', ...waiting }),
	},
	{
		title: 'Workflow › runAndGetResults',
		isList: false,
		task: execute({
			...{ resource: 'workflow', operation: 'runAndGetResults', workflowId: 'wf_1', waitUpTo: 1 },
		}),
	},
	{
		title: 'the list of workflows',
		isList: true,
		task: async (target) => shownOf(await target.callEditor('listSearch', 'searchWorkflows', ['a'])),
	},
	{
		title: 'the list of runs',
		isList: true,
		task: async (target) => shownOf(await target.callEditor('listSearch', 'searchRuns')),
	},
	{
		title: 'the fields of Create',
		isList: true,
		task: async (target) => await target.callEditor('resourceMapping', 'getWorkflowFields'),
	},
	{
		title: 'the trigger’s list of workflows',
		isList: true,
		task: async (target) => await target.callEditor('loadOptions', 'getWorkflows'),
	},
	...['newRun', 'newResult', 'runStatusChanged'].map((event) => ({
		title: `the trigger with ${event}`,
		isList: true,
		task: async (target: Target) => {
			const trigger = target.trigger({ event, watch: 'all', options: { includeExisting: true } });
			const outcomes = [];
			for (const poll of ['test', 'activate', 'tick'] as const) {
				outcomes.push(await trigger[poll]().catch((error: unknown) => error));
			}
			return { polls: outcomes, state: trigger.staticData };
		},
	})),
	{
		title: 'the credential test',
		isList: false,
		task: async (target) => await target.testCredential(),
	},
];

let env: HostileEnvironment;
let restoreTime: () => void;
const prototypes = snapshotPrototypes();
const checks = new Map<string, Promise<unknown>>();
/** Cases during which the event loop was blocked, perhaps by another case. */
const suspects: Array<{ blockedMs: number; repeat: () => Promise<unknown> }> = [];

beforeAll(async () => {
	captureLog();
	env = await startHostileEnvironment();
	restoreTime = speedUpTimeouts(SPEED);
	// Concurrently, because most of the time they only wait. A failure is for the test that awaits it.
	subjects.forEach((subject, index) => {
		checks.set(
			subject.title,
			checkAll(subject, SEED + index).catch((error: unknown) => error),
		);
	});
});
afterAll(async () => {
	restoreTime();
	releaseLog();
	await env.close();
});

/** Checks all cases concurrently and looks for no smaller counterexample, because each can take long. */
async function checkAll(subject: Subject, seed: number) {
	const plan = fc.record({
		responses: fc.array(arbitraryResponse(KEY, subject.isList), { minLength: 1, maxLength: 3 }),
		retryFor: fc.constantFrom(0 as const, 1 as const),
		onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(plan, { minLength: RUNS, maxLength: RUNS }), async (plans) => {
			await Promise.all(plans.map(async (each) => await check(subject, each)));
		}),
		{ numRuns: 1, seed, endOnFailure: true, includeErrorInReport: true },
	);
}

const createTarget = async ({ responses }: Case) =>
	await env.target(
		(socket, request) => {
			const plan = responses[(request.number - 1) % responses.length];
			const answer = request.number > MAX_REQUESTS ? respond(401, '{}') : answerOf(plan);
			return answer(socket, request);
		},
		{ apiKey: KEY, requestTimeout: 1 },
	);

async function check({ title, task }: Subject, plan: Case): Promise<void> {
	const target = await createTarget(plan);
	const stop = watchEventLoop();
	const outcome = await outcomeOf(async () => await task(target, plan), MAX_MS);
	const blockedMs = stop();
	if (blockedMs > MAX_BLOCK_MS) {
		const repeat = async () =>
			await outcomeOf(async () => await task(await createTarget(plan), plan), MAX_MS);
		suspects.push({ blockedMs, repeat });
	}
	const found = {
		hasEnded: outcome.hasEnded,
		...(outcome.hasEnded ? inspectOutcome(outcome) : {}),
		pollution: changesSince(prototypes),
		// n8n's helper for credential tests closes the connection after 20 real seconds; see the last test.
		isClosed: title === 'the credential test' || (await target.isClosed()),
	};
	const expected = { hasEnded: true, isShown: true, leaks: [], pollution: [], isClosed: true };
	if (JSON.stringify(found) !== JSON.stringify(expected)) {
		const { requests } = target;
		const details = JSON.stringify({ found, requests: requests.length, text: outcome.text.slice(0, 500) });
		throw new Error(`Expected ${JSON.stringify(expected)}, got ${details}`);
	}
}

/** Whether there are items or a message of the node with at most 2,300 characters, and the forms of the key in them. */
function inspectOutcome({ value, thrown, text }: Outcome) {
	if (thrown) {
		const isOurs = ['NodeApiError', 'NodeOperationError'].includes(thrown.name);
		const isShown = isOurs && text.length > 10 && text.length <= MAX_TEXT_LENGTH;
		return { isShown, leaks: formsIn(allTextOf(thrown), KEY) };
	}
	const { message = '', data } = value as { message?: string; data?: { resultData: { runData: object } } };
	const items = data ? itemsOf(data.resultData.runData) : [];
	const errors = items.map(({ json }) => (typeof json.error === 'string' ? json.error : ''));
	const isShown = [message, ...errors].every(({ length }) => length <= MAX_TEXT_LENGTH);
	return { isShown, leaks: formsIn(allTextOf([message, errors]), KEY) };
}

const itemsOf = (runData: object) =>
	(runData as { Prospector?: Array<{ data?: { main: INodeExecutionData[][] } }> }).Prospector?.at(-1)?.data
		?.main[0] ?? [];

const timeout = 120_000 + RUNS * 10_000;

test.each(subjects.map(({ title }) => title))(
	'%s ends with items or a message, whatever the service sends',
	async (title) => {
		expect(await checks.get(title)).toBeUndefined();
	},
	timeout,
);

test('no log line has the API key', async () => {
	await Promise.all(checks.values());
	expect(capturedLog()).toContain('Start executing node');
	expect(formsIn(capturedLog(), KEY)).toEqual([]);
});

test(
	'the event loop is blocked for at most 50 ms',
	async () => {
		// Alone, and with everything compiled.
		const worst = suspects.sort((a, b) => b.blockedMs - a.blockedMs).slice(0, 10);
		const blocked: number[] = [];
		for (const { repeat } of worst) blocked.push(Math.round(await leastBlock(repeat, MAX_BLOCK_MS)));
		expect(blocked.filter((blockedMs) => blockedMs > MAX_BLOCK_MS)).toEqual([]);
	},
	timeout,
);

test('no connection stays open', async () => {
	expect(await waitUntil(async () => (await env.service.connections()) === 0, 40_000)).toBe(true);
});
