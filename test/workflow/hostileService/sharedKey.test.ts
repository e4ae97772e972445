import { outcomeOf, startHostileBench, type HostileBench } from './bench';
import { hang, one, respond, soon, type Answer } from './service';

let bench: HostileBench;
beforeAll(async () => (bench = await startHostileBench()));
afterAll(async () => await bench.close());

const read = (options: object) => ({ resource: 'config', operation: 'get', options });
const items = (count: number) => Array.from({ length: count }, () => ({}));

/** Seconds, and what n8n needs around it on a busy machine. */
const MAX_WAIT = 2;
const LIMIT_MS = MAX_WAIT * 1000 + 8000;

/** The first requests are answered as given, all later ones hang or not. */
const first =
	(count: number, answer: Answer, later: Answer): Answer =>
	(socket, request) =>
		(request.number <= count ? answer : later)(socket, request);

const ok = one({ name: 'config' });

describe.each<[string, number, Answer]>([
	['the first request with its key hangs', 1, first(1, hang, ok)],
	['the first five requests with its key hang', 5, first(5, hang, ok)],
	['the first twenty requests with its key hang', 20, first(20, hang, ok)],
	['the first request got 429 and the next ones hang', 1, first(1, respond(429, '{}'), hang)],
	[
		'the first request got 429 with Retry-After and the next ones hang',
		1,
		first(1, respond(429, '{}', [['retry-after', '1']]), hang),
	],
	['requests were answered and then all hang', 3, first(3, ok, hang)],
])('When %s', (_, count, answer) => {
	it.each([1, 10])('another execution with %i items ends within its own Max Wait', async (size) => {
		const target = await bench.target(answer);
		// Request Timeout and Max Wait of this one are minutes.
		const other = target.start({ ...read({ maxConcurrentRequests: 20 }) }, items(count));
		await soon(() => target.requests.length >= 1);
		const asked = await outcomeOf(
			async () => await target.items(read({ maxWait: MAX_WAIT, requestTimeout: 1 }), items(size)),
			// Each of the items may wait for one request that hangs for a second.
			LIMIT_MS + 1000,
		);
		other.stop();
		expect(asked.hasEnded).toBe(true);
		expect(Array.isArray(asked.value) || /^[A-Z].{20}/.test(asked.words)).toBe(true);
		await other.finished;
		expect(await target.isClosed()).toBe(true);
	});
});

it('sends the request of another execution while the first one with its key hangs', async () => {
	const target = await bench.target(first(1, hang, ok));
	const other = target.start(read({}));
	await soon(() => target.requests.length === 1);
	const asked = await outcomeOf(async () => await target.items(read({ maxWait: MAX_WAIT })), LIMIT_MS);
	other.stop();
	expect(asked).toMatchObject({ hasEnded: true, value: [{ json: { name: 'config' } }] });
	expect(target.requests).toHaveLength(2);
});

it('ends every one of ten executions at its own Max Wait while all requests hang', async () => {
	const target = await bench.target(hang);
	const other = target.start(read({}));
	await soon(() => target.requests.length === 1);
	const asked = Array.from({ length: 10 }, async (_, index) => {
		const maxWait = 1 + (index % 2);
		const { hasEnded, words } = await outcomeOf(
			async () => await target.items(read({ maxWait, requestTimeout: 1 })),
			maxWait * 1000 + 1000 + 8000,
		);
		return { hasEnded, hasMessage: words !== '' };
	});
	const ended = await Promise.all(asked);
	other.stop();
	expect(ended).toEqual(Array(10).fill({ hasEnded: true, hasMessage: true }));
});

it('opens a picker while the requests of an execution with the same key hang', async () => {
	const answer: Answer = (socket, request) => {
		if (request.path === '/prospector/config') return hang(socket, request);
		return respond(200, '{"data":[],"pagination":{"has_more":false},"request_id":"req_1"}')(socket, request);
	};
	const target = await bench.target(answer);
	const other = target.start(read({}), items(3));
	await soon(() => target.requests.length >= 1);
	const asked = await outcomeOf(async () => await target.ask('listSearch', 'searchWorkflows'), LIMIT_MS);
	other.stop();
	expect(asked).toMatchObject({ hasEnded: true, value: { results: [] } });
});
