import type { IDataObject } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { byId } from '../../nodes';
import { idsOf } from '../environment';
import {
	outcomeOf,
	speedUpTimeouts,
	startHostileEnvironment,
	type HostileEnvironment,
	type Target,
} from './environment';
import { leastBlock } from './guards';
import { ENDLESS, hang, head, list, one, respond, waitUntil, withWorkflow, type Answer } from './service';

let env: HostileEnvironment;
beforeAll(async () => (env = await startHostileEnvironment()));
afterAll(async () => await env.close());

/** Real milliseconds, on a busy machine. A task that runs longer counts as endless. */
const MAX_MS = 40_000;
const MESSAGE = /^[A-Z].{20}/;
const endless = Object.entries(ENDLESS);
const getRun = { resource: 'run', operation: 'get', runId: byId('run_1') };

type Task = (target: Target) => Promise<unknown>;
const newRuns = { event: 'newRun', watch: 'all' };
const editorTasks: Record<string, Task> = {
	'credential test': async (target) => await target.testCredential(),
	'list of workflows': async (target) => await target.callEditor('listSearch', 'searchWorkflows'),
	'list of runs': async (target) => await target.callEditor('listSearch', 'searchRuns'),
	'fields of Create': async (target) => await target.callEditor('resourceMapping', 'getWorkflowFields'),
	'trigger’s list of workflows': async (target) => await target.callEditor('loadOptions', 'getWorkflows'),
};

describe('Time', () => {
	const SPEED = 10;
	/** For the credential, the same as the editor's fixed limit. */
	const requestTimeout = 20;

	let restore: () => void;
	/** Everything runs concurrently, because most of the time it only waits. */
	const started = new Map<string, Promise<unknown>>();
	const resultOf = async <T>(title: string) => (await started.get(title)) as T;
	beforeAll(async () => {
		restore = speedUpTimeouts(SPEED);
		// Loads and compiles everything: on a busy machine that takes longer than a timeout.
		const target = await env.target(list([]));
		await target.getItems(operations['Result › Get Many']);
		for (const [title, task] of tasks()) started.set(title, task());
	});
	afterAll(async () => {
		await Promise.allSettled(started.values());
		restore();
	});

	const operations: Record<string, IDataObject> = {
		'Run › Get': getRun,
		'Workflow › Create': {
			...{ resource: 'workflow', operation: 'create', enterValues: 'json', jsonBody: '{"name":"A"}' },
		},
		'Result › Get Many': { resource: 'result', operation: 'getAll', runId: byId('run_1'), returnAll: true },
	};

	interface Ended {
		hasEnded: boolean;
		text: string;
		requests: number;
		isClosed?: boolean;
	}

	async function end(answer: Answer, task: Task): Promise<Ended> {
		const target = await env.target(answer, { requestTimeout });
		const { hasEnded, text, value } = await outcomeOf(async () => await task(target), MAX_MS);
		const { message = text } = (value ?? {}) as { message?: string };
		const ended = { hasEnded, text: message, requests: target.requests.length };
		// n8n's helper for credential tests closes the connection after 20 real seconds; see the last test.
		if (task === editorTasks['credential test']) return ended;
		return { ...ended, isClosed: hasEnded && (await target.isClosed()) };
	}

	/** Polls twice; the first request of the first poll gets this response. */
	async function pollTwice(answer: Answer) {
		const target = await env.target(withWorkflow(list([])), { requestTimeout });
		const trigger = target.trigger({ event: 'newRun', watch: 'one', workflowId: byId('wf_1') });
		await trigger.activate();
		const first = target.requests.length + 1;
		target.answer((socket, request) =>
			(request.number === first ? answer : list([{ id: 'run_1', status: 'queued' }]))(socket, request),
		);
		// The first poll may fail with a message.
		const items = [await trigger.tick().catch(() => []), await trigger.tick()].flat();
		return { ids: idsOf(items), isClosed: await target.isClosed() };
	}

	const subjects: Record<string, Task> = {
		'credential test': editorTasks['credential test'],
		'list of workflows': editorTasks['list of workflows'],
		'trigger’s test': async (target) => await target.trigger(newRuns).test(),
		...Object.fromEntries(
			Object.entries(operations).map(([title, parameters]): [string, Task] => [
				`operation ${title}`,
				async (target) => await target.getItems({ ...parameters, options: { retryFor: 0 } }),
			]),
		),
	};
	const tasks = (): Array<[string, () => Promise<unknown>]> => [
		...endless.flatMap(([kind, answer]): Array<[string, () => Promise<unknown>]> => [
			...Object.entries(subjects).map(([title, task]): [string, () => Promise<unknown>] => [
				`${title}: ${kind}`,
				async () => await end(answer, task),
			]),
			[`polls: ${kind}`, async () => await pollTwice(answer)],
		]),
		...others.map((title): [string, () => Promise<unknown>] => [
			title,
			async () => await end(ENDLESS['101 with Upgrade'], editorTasks[title]),
		]),
		...shared.map(([title, count, answer]): [string, () => Promise<unknown>] => [
			title,
			async () => await shareKey(count, answer),
		]),
	];

	/** These send their requests as the list of workflows does. */
	const others = ['list of runs', 'fields of Create', 'trigger’s list of workflows'];

	test.each([
		...Object.keys(subjects).flatMap((title) => endless.map(([kind]) => `${title}: ${kind}`)),
		...others,
	])('ends with a message at its timeout: %s', async (title) => {
		const { hasEnded, text, requests, isClosed = true } = await resultOf<Ended>(title);
		expect({ hasEnded, isClosed }).toEqual({ hasEnded: true, isClosed: true });
		expect(text).toMatch(MESSAGE);
		// With the status check before results are read.
		if (title.startsWith('operation')) expect(requests).toBe(title.includes('Result') ? 2 : 1);
	});

	test.each(endless)('the trigger emits the new run in this or the next poll after %s', async (kind) => {
		expect(await resultOf(`polls: ${kind}`)).toEqual({ ids: ['run_1'], isClosed: true });
	});

	/** Sends one answer to the first requests and another one to later ones. */
	const firstThen =
		(count: number, answer: Answer, later: Answer): Answer =>
		(socket, request) =>
			(request.number <= count ? answer : later)(socket, request);
	const read = { resource: 'workflow', operation: 'get', workflowId: byId('wf_1') };
	const ok = one({ name: 'Freight' });
	const items = (count: number) => Array.from({ length: count }, () => ({}));
	const retryAfter = respond(429, '{}', [['retry-after', '1']]);

	/** Executes ten items, which may wait two seconds, while another execution uses the same API key. */
	async function shareKey(otherItems: number, answer: Answer) {
		const target = await env.target(answer, { requestTimeout: 1 });
		const { apiKey } = target;
		const patient = await env.target(answer, { apiKey, place: target, requestTimeout: 3600 });
		const options = { maxConcurrentRequests: 20, retryFor: 3600 };
		const other = patient.start({ ...read, options }, items(otherItems));
		await waitUntil(() => target.requests.length >= 1);
		const parameters = { ...read, options: { retryFor: 2 } };
		// Each item may wait for one request that hangs for a second.
		const outcome = await outcomeOf(async () => await target.getItems(parameters, items(10)), MAX_MS);
		other.stop();
		await other.finished;
		return { ...outcome, isClosed: await target.isClosed() };
	}
	const shared: Array<[string, number, Answer]> = [
		['the first request hangs', 1, firstThen(1, hang, ok)],
		['the first five requests hang', 5, firstThen(5, hang, ok)],
		['the first twenty requests hang', 20, firstThen(20, hang, ok)],
		['all requests hang', 1, hang],
		['the first request gets 429 and the next ones hang', 1, firstThen(1, respond(429, '{}'), hang)],
		['the first request gets Retry-After and the next ones hang', 1, firstThen(1, retryAfter, hang)],
		['the first requests succeed and the next ones hang', 3, firstThen(3, ok, hang)],
	];
	test.each(shared)(
		'an execution ends within its own Retry For when, with the same API key, %s',
		async (title) => {
			const ended = await resultOf<Awaited<ReturnType<typeof shareKey>>>(title);
			expect(ended).toMatchObject({ hasEnded: true, isClosed: true });
			expect(Array.isArray(ended.value) || MESSAGE.test(ended.text)).toBe(true);
		},
	);

	test('a request of another execution or of the editor does not wait for a hanging one', async () => {
		const answer: Answer = (socket, request) => {
			if (request.path !== '/prospector/workflows/wf_1') return list([])(socket, request);
			return firstThen(1, hang, ok)(socket, request);
		};
		const target = await env.target(answer);
		const { apiKey } = target;
		const patient = await env.target(answer, { apiKey, place: target, requestTimeout: 3600 });
		const other = patient.start({ ...read, options: { retryFor: 3600 } });
		await waitUntil(() => target.requests.length === 1);
		const parameters = { ...read, options: { retryFor: 20 } };
		const node = await outcomeOf(async () => await target.getItems(parameters), MAX_MS);
		const editor = await outcomeOf(async () => await editorTasks['list of workflows'](target), MAX_MS);
		expect(node).toMatchObject({ hasEnded: true, value: [{ json: { name: 'Freight' } }] });
		expect(editor).toMatchObject({ hasEnded: true, value: { results: [] } });
		expect(target.requests).toHaveLength(3);
		other.stop();
		expect((await other.finished).status).toBe('canceled');
		expect(await target.isClosed()).toBe(true);
	});
});

describe('Size', () => {
	const MB = 1024 * 1024;
	/** At most 32 MB of a response are read; the rest is in buffers of the operating system. */
	const MAX_SENT = (32 + 24) * MB;
	const MAX_GROWTH_MB = 150;
	/** The service stops here, so that a failing test ends. */
	const ENOUGH = 400 * MB;
	const chunk = Buffer.alloc(MB, 'x');
	let sent = 0;

	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;

	const endlessBody =
		(begin: string): Answer =>
		(socket) => {
			sent = 0;
			socket.write(begin);
			const write = () => {
				while (!socket.destroyed && sent < ENOUGH) {
					sent += chunk.length;
					if (!socket.write(chunk)) return void socket.once('drain', write);
				}
				if (!socket.destroyed) socket.end();
			};
			write();
		};
	const zipped = gzipSync(Buffer.alloc(100 * MB, ' '), { level: 1 });
	const zippedAnswer = respond(200, zipped, [['content-encoding', 'gzip']]);

	/** Runs a task and returns the largest growth of this process's memory in MB. */
	async function memoryGrowthMb(task: () => Promise<unknown>): Promise<number> {
		collectGarbage();
		const used = () => {
			const { heapUsed, external } = process.memoryUsage();
			return heapUsed + external;
		};
		const before = used();
		let peak = before;
		const timer = setInterval(() => (peak = Math.max(peak, used())), 5);
		await task();
		clearInterval(timer);
		return Math.round((Math.max(peak, used()) - before) / MB);
	}

	const executeGet: Task = async (target) => await target.getItems({ ...getRun, options: { retryFor: 0 } });
	const endlessData = endlessBody(`${head(200, [['content-type', 'application/json']])}{"data":"`);
	const TOO_LARGE = /larger than 32 MB/;
	test.each<[string, string, Task, Answer, RegExp]>([
		['an endless body', 'the node', executeGet, endlessData, TOO_LARGE],
		[
			'an endless error',
			'the node',
			executeGet,
			endlessBody(head(500, [['content-type', 'text/plain']])),
			/status 500/,
		],
		[
			'a too large content length',
			'the node',
			executeGet,
			endlessBody(head(200, [['content-length', '300000000']])),
			/plain text/,
		],
		['a small body that unzips to 100 MB', 'the node', executeGet, zippedAnswer, /plain text/],
		['an endless body', 'the credential test', editorTasks['credential test'], endlessData, TOO_LARGE],
		[
			'an endless body',
			'the trigger’s test',
			async (target) => await target.trigger(newRuns).test(),
			endlessData,
			TOO_LARGE,
		],
	])(
		'%s ends %s with a message and closes the connection',
		async (_body, _subject, task, answer, expected) => {
			const target = await env.target(answer);
			let outcome: Awaited<ReturnType<typeof outcomeOf>> | undefined;
			const growthMb = await memoryGrowthMb(async () => {
				outcome = await outcomeOf(async () => await task(target), MAX_MS);
			});
			expect(outcome?.hasEnded).toBe(true);
			const { message = outcome?.text } = (outcome?.value ?? {}) as { message?: string };
			expect(message).toMatch(expected);
			expect(target.requests).toHaveLength(1);
			expect(sent).toBeLessThanOrEqual(MAX_SENT);
			expect(growthMb).toBeLessThan(MAX_GROWTH_MB);
			expect(await target.isClosed()).toBe(true);
		},
	);
});

describe('Number of items', () => {
	/** More than the arguments that a function call can have. */
	const MANY = 125_000;
	// Later than the activation of every trigger here.
	const created_at = new Date(Date.now() + 3_600_000).toISOString();
	const recent = { object: 'prospector_run', status: 'completed', created_at };
	const many = () => Array.from({ length: MANY }, (_, index) => ({ id: `id_${index}`, ...recent }));
	const readAll = { resource: 'workflow', operation: 'getAll', returnAll: true };
	/** Sends one list for paths with this end and another one for all other paths. */
	const listBelow =
		(end: string, found: object[], others: object[]): Answer =>
		(socket, request) =>
			list(request.path.endsWith(end) ? found : others)(socket, request);

	test('Return All returns 125,000 items of one response', async () => {
		const target = await env.target(list(many()));
		expect(await target.getItems(readAll)).toHaveLength(MANY);
	});

	test('Return All fails at its limit when a list never ends', async () => {
		const page = JSON.stringify(Array.from({ length: 20_000 }, () => ({ id: 1, ...recent }))).slice(1, -1);
		// Each page differs, because a repeated page is recognized.
		const target = await env.target((socket, request) => {
			const pagination = `{"next_cursor":"c${request.number}","has_more":true}`;
			const body = `{"data":[{"id":"${request.number}"},${page}],"pagination":${pagination},"request_id":"r"}`;
			respond(200, body)(socket, request);
		});
		const execution = target.start(readAll);
		const isPastLimit = () => target.requests.length * 20_000 > 1_100_000;
		let hasEnded = false;
		void execution.finished.then(() => (hasEnded = true));
		await waitUntil(() => hasEnded || isPastLimit(), 50_000);
		execution.stop();
		const { error } = (await execution.finished).data.resultData;
		expect(isPastLimit()).toBe(false);
		expect(error?.message).toMatch(/^The list goes on after (1,000,000 items|10,000 pages) \(request r\)$/);
		expect(error?.description).toBe(
			"Nothing was returned, as it may never end. Turn off 'Return All' and set 'Limit', or read the list with 'Return One Page' under Options.",
		);
		expect(await target.isClosed()).toBe(true);
	});

	test.each(['list of runs', 'fields of Create'])(
		'the %s is made from a response with 125,000 items',
		async (title) => {
			const workflows = title === 'list of runs' ? [{ id: 'wf_1' }] : many();
			const target = await env.target(listBelow('/runs', many(), workflows));
			const { hasEnded, text } = await outcomeOf(async () => await editorTasks[title](target), MAX_MS);
			expect({ hasEnded, text }).toEqual({ hasEnded: true, text: '' });
		},
	);
});

// As Go, Rails and .NET write a company name that ends like the key begins. Other texts: test/unit/linearTime.test.ts.
test.each([26, 10_000])(
	"%i escaped tags behind the API key's first letter block the event loop for less than 50 ms",
	async (count) => {
		const LIMIT_MS = 50;
		const apiKey = 'pk_live_0123456789abcdef';
		const name = `Ap${'\\u003c/span\\u003e'.repeat(count)}`;
		for (const status of [200, 500]) {
			const body = `{"data":{"id":"run_1","company":{"name":"${name}"}},"error":"${name}","request_id":"r"}`;
			const target = await env.target(respond(status, body), { apiKey });
			const read = async () => await target.getItems({ ...getRun, options: { retryFor: 0 } });
			expect(await leastBlock(read, LIMIT_MS)).toBeLessThanOrEqual(LIMIT_MS);
		}
	},
);

test('no connection stays open', async () => {
	expect(await waitUntil(async () => (await env.service.connections()) === 0, MAX_MS)).toBe(true);
});
