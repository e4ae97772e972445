import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { byId } from '../../nodes';
import { outcomeOf, startHostileBench, type HostileBench, type Outcome, type Target } from './bench';
import { ENDLESS, hang, list, soon, withWorkflow, type Answer } from './service';

/** Seconds for Request Timeout where a test can set it. */
const REQUEST_TIMEOUT = 5;
/** The time that n8n needs around a request on a busy machine. */
const SLACK_MS = 6000;
/** The editor and the credential test have a fixed limit, which nobody can set. */
const EDITOR_LIMIT_MS = 20_000;

const options = { requestTimeout: REQUEST_TIMEOUT, maxWait: 0 };
const endless = Object.entries(ENDLESS);

interface Asked {
	outcome: Outcome;
	isClosed: boolean;
}

const inTheEditor: Array<[string, (target: Target) => Promise<unknown>]> = [
	['credential test', async (target) => await target.testCredential()],
	['list of workflows', async (target) => await target.ask('listSearch', 'searchWorkflows')],
	['list of runs', async (target) => await target.ask('listSearch', 'searchRuns')],
	['fields of Create', async (target) => await target.ask('resourceMapping', 'getWorkflowFields')],
	["trigger's list of workflows", async (target) => await target.ask('loadOptions', 'getWorkflows')],
	[
		"trigger's test",
		async (target) =>
			await target
				.trigger({ event: 'newRun', watch: 'all', options: { requestTimeout: REQUEST_TIMEOUT } })
				.test(),
	],
];

let bench: HostileBench;
const started = new Map<string, Promise<Asked>>();
let activations: ReturnType<typeof activationsOf>;
beforeAll(async () => {
	bench = await startHostileBench();
	// Whatever is loaded and compiled at first takes longer than Request Timeout on a busy machine.
	const quick = await bench.target(list([]));
	await quick.items({ ...operations[2][1], options: { warnIfUnfinished: false } });
	// All at once: each takes up to 20 seconds.
	activations = activationsOf(ENDLESS['101 with Upgrade']);
	for (const [title, work] of inTheEditor) {
		for (const [kind, answer] of endless) started.set(`${title}: ${kind}`, askOnce(answer, work));
	}
});
afterAll(async () => await bench.close());

async function askOnce(answer: Answer, work: (target: Target) => Promise<unknown>): Promise<Asked> {
	const target = await bench.target(answer);
	const outcome = await outcomeOf(async () => await work(target), EDITOR_LIMIT_MS + 2 * SLACK_MS);
	return { outcome, isClosed: outcome.hasEnded && (await target.isClosed()) };
}

const operations: Array<[string, IDataObject]> = [
	['Run › Get', { resource: 'run', operation: 'get', runId: byId('run_1') }],
	[
		'Workflow › Create',
		{ resource: 'workflow', operation: 'create', specifyBody: 'json', jsonBody: '{"name":"A"}' },
	],
	['Result › Get Many', { resource: 'result', operation: 'getAll', runId: byId('run_1'), returnAll: true }],
];

/** How each operation ends whose first request gets this answer. */
async function operationsOf(answer: Answer) {
	const ended = operations.map(async ([title, parameters]) => {
		const target = await bench.target(answer);
		const { hasEnded, words } = await outcomeOf(
			async () => await target.items({ ...parameters, options: { ...options, warnIfUnfinished: false } }),
			REQUEST_TIMEOUT * 1000 + SLACK_MS,
		);
		const hasMessage = /^[A-Z].{20}/.test(words);
		return { title, hasEnded, hasMessage, sent: target.requests.length, isClosed: await target.isClosed() };
	});
	return await Promise.all(ended);
}

/** How an execution ends of which the second of three items gets this answer. */
async function itemsOf(answer: Answer) {
	const target = await bench.target((socket, request) =>
		request.path.includes('wf_2') ? answer(socket, request) : list([{ id: 'run_1' }])(socket, request),
	);
	const { hasEnded, value } = await outcomeOf(
		async () =>
			await target.items(
				{ resource: 'run', operation: 'getAll', workflowId: byId('={{ $json.id }}'), options },
				['wf_1', 'wf_2', 'wf_3'].map((id) => ({ id })),
				{ onError: 'continueRegularOutput' },
			),
		REQUEST_TIMEOUT * 1000 + SLACK_MS,
	);
	const items = (value as INodeExecutionData[] | undefined) ?? [];
	return {
		hasEnded,
		sent: target.requests.length,
		fields: items.map(({ json }) => Object.keys(json).join()),
	};
}

/** How two polls end of which the first request gets this answer. */
async function pollsOf(answer: Answer) {
	const event = { event: 'newRun', watch: 'one', workflowId: byId('wf_1') };
	const target = await bench.target(withWorkflow(list([])));
	const trigger = target.trigger({ ...event, options: { requestTimeout: REQUEST_TIMEOUT } });
	await trigger.activate();
	const sentBefore = target.requests.length;
	target.answer((socket, request) => {
		const next = request.number === sentBefore + 1 ? answer : list([{ id: 'run_1', status: 'queued' }]);
		next(socket, request);
	});
	// A poll may fail with a message. The pause before a retry takes up to a second.
	const { hasEnded, value } = await outcomeOf(
		async () => [await trigger.tick().catch(() => []), await trigger.tick()].flat(),
		(REQUEST_TIMEOUT + 1) * 1000 + SLACK_MS,
	);
	const items = (value as INodeExecutionData[] | undefined) ?? [];
	return { hasEnded, ids: items.map(({ json: { id } }) => id), isClosed: await target.isClosed() };
}

/** How activations end: one whose requests all hang, and a later one. */
async function activationsOf(answer: Answer) {
	const target = await bench.target(answer);
	const trigger = target.trigger({
		event: 'newRun',
		watch: 'all',
		options: { requestTimeout: REQUEST_TIMEOUT },
	});
	// n8n waits for the poll of an activation, which may take 45 s.
	const first = await outcomeOf(async () => await trigger.activate(), 45_000 + 2 * SLACK_MS);
	target.answer(list([]));
	const second = await outcomeOf(async () => await trigger.activate(), SLACK_MS);
	return { first, second };
}

describe.each(endless)('A service that sends %s', (_, answer) => {
	let ended: ReturnType<typeof operationsOf>;
	let items: ReturnType<typeof itemsOf>;
	let polls: ReturnType<typeof pollsOf>;
	beforeAll(() => {
		[ended, items, polls] = [operationsOf(answer), itemsOf(answer), pollsOf(answer)];
	});

	it('ends every operation with a message at Request Timeout and leaves no connection', async () => {
		expect(await ended).toEqual(
			operations.map(([title]) => ({ title, hasEnded: true, hasMessage: true, sent: 1, isClosed: true })),
		);
	});

	it('fails only the item that got it, when On Error is Continue', async () => {
		const fields = ['id,request_id', 'error', 'id,request_id'];
		expect(await items).toEqual({ hasEnded: true, sent: 3, fields });
	});

	it('does not keep the trigger from emitting: this poll asks again, or the next one does', async () => {
		expect(await polls).toEqual({ hasEnded: true, ids: ['run_1'], isClosed: true });
	});
});

it('ends an activation whose requests all hang, so that a later one succeeds', async () => {
	const { first, second } = await activations;
	expect(first.hasEnded).toBe(true);
	expect(first.words).toMatch(/^[A-Z].{20}/);
	expect({ hasEnded: second.hasEnded, words: second.words }).toEqual({ hasEnded: true, words: '' });
}, 80_000);

describe.each(inTheEditor)('The %s', (title) => {
	it.each(endless)(
		'ends with a message when the service sends %s, and leaves no connection',
		async (kind) => {
			const { outcome, isClosed } = (await started.get(`${title}: ${kind}`)) as Asked;
			expect(outcome.hasEnded).toBe(true);
			const { message = outcome.words } = (outcome.value ?? {}) as { message?: string };
			expect(message).toMatch(/^[A-Z].{20}/);
			expect(isClosed).toBe(true);
		},
		EDITOR_LIMIT_MS + 10_000,
	);
});

it('leaves no connection open in the end', async () => {
	await Promise.all(started.values());
	expect(await soon(async () => (await bench.service.connections()) === 0)).toBe(true);
}, 40_000);

it('stops a hanging request when the execution is stopped', async () => {
	const target = await bench.target(hang);
	const execution = target.start({ resource: 'config', operation: 'get', options: {} });
	await soon(() => target.requests.length === 1);
	execution.stop();
	expect((await execution.finished).status).toBe('canceled');
	expect(await target.isClosed()).toBe(true);
});
