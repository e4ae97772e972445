import type { IHttpRequestOptions } from 'n8n-workflow';
import { RequestError } from '../../../../nodes/Prospector/api/failure/requestError';
import type { ApiRequest, Connection } from '../../../../nodes/Prospector/api/apiRequest';
import { type EndpointName, endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { RequestBudget } from '../../../../nodes/Prospector/transport/request/requestBudget';
import { clientScenario, hang, inTurn, success } from '../../helpers/clientScenario';
import { requests } from '../../helpers/everyFailure';
import { FakeClock, fakeDependencies } from '../../helpers/fakeClock';
import { CONNECTION, httpResponse, KEY } from '../../helpers/support';

const { GET, 'POST with a key': POST } = requests;
const IDS = { workflow_id: 'wf_1', run_id: 'run_1' };

/** Sends a request, and returns what n8n's HTTP helper receives. */
async function httpOptions(
	request: ApiRequest,
	connection: Partial<Connection> = {},
): Promise<IHttpRequestOptions> {
	const scenario = clientScenario({ connection: { ...CONNECTION, ...connection }, retryFor: 0 });
	await scenario.client.safeRequest(request);
	return scenario.attempts[0].options;
}

describe('a request', () => {
	test('lets the service’s status, redirect and body through to the client', async () => {
		expect(await httpOptions({ ...GET, query: { status: 'done' } })).toEqual({
			method: 'GET',
			url: 'https://app.example.com/api/public/v1/prospector/runs/run_1',
			qs: { status: 'done' },
			headers: {},
			json: true,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 60_000,
		});
	});

	/** As in the contract: method, path, scope, what it returns, and whether it takes an idempotency key. */
	const CONTRACT: Array<[EndpointName, string, string, string, string, boolean]> = [
		['getIdentity', 'GET', '/me', 'me.read', 'resource', false],
		['getConfig', 'GET', '/prospector/config', 'prospector.read', 'resource', false],
		['listWorkflows', 'GET', '/prospector/workflows', 'prospector.read', 'list', false],
		['createWorkflow', 'POST', '/prospector/workflows', 'prospector.run', 'resource', true],
		['getWorkflow', 'GET', '/prospector/workflows/wf_1', 'prospector.read', 'resource', false],
		['updateWorkflow', 'PATCH', '/prospector/workflows/wf_1', 'prospector.run', 'resource', false],
		['deleteWorkflow', 'DELETE', '/prospector/workflows/wf_1', 'prospector.run', 'resource', false],
		['runWorkflow', 'POST', '/prospector/workflows/wf_1/run', 'prospector.run', 'resource', true],
		['listRuns', 'GET', '/prospector/workflows/wf_1/runs', 'prospector.read', 'list', false],
		['getRun', 'GET', '/prospector/runs/run_1', 'prospector.read', 'resource', false],
		['listResults', 'GET', '/prospector/runs/run_1/results', 'prospector.read', 'list', false],
	];

	test('is possible to every endpoint of the contract', () => {
		expect(Object.keys(endpoints)).toEqual(CONTRACT.map(([name]) => name));
	});

	test.each(CONTRACT)('to %s is %s %s', async (name, method, path, scope, returns, takesKey) => {
		const endpoint = endpoints[name];
		const options = await httpOptions({ endpoint, ids: IDS, idempotencyKey: 'key-1' });
		expect(options.method).toBe(method);
		expect(options.url).toBe(`https://app.example.com/api/public/v1${path}`);
		expect(options.headers).toEqual(takesKey ? { 'Idempotency-Key': 'key-1' } : {});
		expect(options).not.toHaveProperty('body');
		expect(JSON.stringify(options)).not.toContain(KEY);
		expect([endpoint.scope, endpoint.returns]).toEqual([scope, returns]);
	});

	test.each([
		['a/b', 'a%2Fb'],
		['../runs', '..%2Fruns'],
		['a b', 'a%20b'],
		['a?b=c#d', 'a%3Fb%3Dc%23d'],
		['a%2Fb', 'a%252Fb'],
		['a\\b', 'a%5Cb'],
		['ä€😀', '%C3%A4%E2%82%AC%F0%9F%98%80'],
		["$&$'", "%24%26%24'"],
		['{run_id}', '%7Brun_id%7D'],
		[undefined, ''],
	])('encodes the ID %s', async (id, encoded) => {
		const connection = { baseUrl: 'https://app.example.com/tenant' };
		const { url } = await httpOptions({ endpoint: endpoints.getRun, ids: { run_id: id } }, connection);
		expect(url).toBe(`https://app.example.com/tenant/api/public/v1/prospector/runs/${encoded}`);
	});

	test.each([
		[{}, '{}'],
		[{ name: 'a', tags: [1, null] }, '{"name":"a","tags":[1,null]}'],
		[JSON.parse('{"__proto__":{"a":1}}') as object, '{"__proto__":{"a":1}}'],
	])('sends the body %j as JSON', async (body, text) => {
		const options = await httpOptions({ ...POST, body });
		expect(options.body).toBe(text);
		expect(options.headers).toEqual({ 'Content-Type': 'application/json', 'Idempotency-Key': 'key-1' });
	});

	test.each([undefined, ''])('leaves out the idempotency key %j', async (idempotencyKey) => {
		expect((await httpOptions({ ...POST, body: undefined, idempotencyKey })).headers).toEqual({});
	});

	test.each([
		[{ cursor: undefined, limit: undefined }, {}],
		[{ cursor: 'a&b=c', limit: undefined }, { cursor: 'a&b=c' }],
		[
			{ cursor: '', limit: 0 },
			{ cursor: '', limit: 0 },
		],
		[undefined, {}],
	])('with the query %j sends %j', async (query, qs) => {
		expect((await httpOptions({ ...GET, query })).qs).toStrictEqual(qs);
	});

	test.each([
		[undefined, 60_000],
		[400, 400],
		[70_000, 60_000],
	])('with its own timeout of %j ms ends an attempt after %i ms', async (timeout, expected) => {
		expect((await httpOptions({ ...GET, timeout })).timeout).toBe(expected);
	});

	test.each([
		[5000, undefined, undefined, 5000],
		[5000, undefined, 9000, 5000],
		[5000, undefined, 400, 400],
		[5000, 20_000, undefined, 20_000],
		[90_000, 20_000, undefined, 20_000],
		[90_000, 20_000, 60_000, 20_000],
	])(
		'with a connection of %i ms, a client of %j ms and its own timeout of %j ms ends an attempt after %i ms',
		async (ofConnection, ofClient, timeout, expected) => {
			const connection = { ...CONNECTION, timeout: ofConnection };
			const { client, attempts } = clientScenario({ connection, timeout: ofClient, retryFor: 0 });
			await client.safeRequest({ ...GET, timeout });
			expect(attempts.map(({ options }) => options.timeout)).toEqual([expected]);
		},
	);
});

describe('a client', () => {
	test('throws a RequestError, of which safeRequest returns the failure', async () => {
		const { client } = clientScenario({ respond: () => httpResponse(404, '') });
		const failure = expect.objectContaining({ kind: 'status', status: 404 }) as unknown;
		expect(await client.safeRequest(GET)).toEqual(failure);
		const thrown: unknown = await client.request(GET).catch((error: unknown) => error);
		expect(thrown).toBeInstanceOf(RequestError);
		expect(thrown).toMatchObject({ message: 'status', failure, request: GET, redact: CONNECTION.redact });
	});

	test('passes what failed to onRetry', async () => {
		const onRetry = jest.fn();
		const { client } = clientScenario({ respond: inTurn({ kind: 'timeout' }, success), onRetry });
		await client.request(GET);
		expect(onRetry.mock.calls).toEqual([[expect.any(RequestError), 500]]);
		expect(onRetry.mock.calls[0][0]).toMatchObject({ failure: { kind: 'timeout' }, request: GET });
	});

	test('tells what a rejection of the HTTP helper stands for', async () => {
		const respond = () => Object.assign(new Error('no'), { code: 'EPIPE' });
		const { client } = clientScenario({ respond, retryFor: 0 });
		expect(await client.safeRequest(GET)).toEqual({ kind: 'network', code: 'EPIPE', requestSent: true });
	});
});

describe('an attempt', () => {
	/** Ends at a deadline of the real clock, which is checked every 100 ms. */
	test.each([20, 0.5, 0, -1])(
		'without a response ends after %d ms and closes its connection',
		async (timeout) => {
			let signal: AbortSignal | undefined;
			const respond = async (_: number, given: AbortSignal) => {
				signal = given;
				return await hang();
			};
			const { client } = clientScenario({ respond, retryFor: 0, timeout });
			expect(await client.safeRequest(GET)).toEqual({ kind: 'timeout', timeoutMs: 100 });
			expect(signal?.aborted).toBe(true);
		},
	);

	test('has the time of its deadline, whether the HTTP helper or the client ends it', async () => {
		const aborted = Object.assign(new Error('timeout of 2000ms exceeded'), { code: 'ECONNABORTED' });
		for (const respond of [() => aborted, hang]) {
			const { client } = clientScenario({ respond, timeout: 150, retryFor: 0 });
			expect(await client.safeRequest(GET)).toEqual({ kind: 'timeout', timeoutMs: 150 });
		}
	});

	test('that fails after its deadline is ignored', async () => {
		const respond = async (_: number, signal: AbortSignal) =>
			await new Promise<never>((__, reject) => {
				signal.addEventListener('abort', () => reject(new Error('late')));
			});
		const { client } = clientScenario({ respond, retryFor: 0, timeout: 10 });
		expect(await client.safeRequest(GET)).toEqual({ kind: 'timeout', timeoutMs: 100 });
	});

	test('is not repeated within 300 ms if its timeout is 10 s', async () => {
		const { start, ended } = clientScenario({ respond: hang, retryFor: 0, timeout: 10_000 });
		start(['a']);
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(ended).toEqual({});
	});

	test('ends and closes its connection when the execution is canceled', async () => {
		const controller = new AbortController();
		const signals: AbortSignal[] = [];
		const clock = new FakeClock();
		const { start, ended } = clientScenario({
			clock,
			signal: controller.signal,
			async respond(_, signal) {
				signals.push(signal);
				return await hang();
			},
		});
		start(['a', 'b', 'c']);
		await clock.advance(1000);
		expect([ended, signals.map(({ aborted }) => aborted)]).toEqual([{}, [false, false, false]]);
		controller.abort();
		await clock.advance(0);
		const end = { at: 1000, result: { kind: 'canceled' } };
		expect(ended).toEqual({ a: end, b: end, c: end });
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
	});
});

describe('a budget', () => {
	function budgetScenario(maxRequests: number, timeMs: number, respond = inTurn({ kind: 'timeout' })) {
		const clock = new FakeClock({ autoAdvance: true });
		const dependencies = fakeDependencies(clock);
		const budget = new RequestBudget(clock, { maxRequests, timeMs });
		return { budget, ...clientScenario({ clock, dependencies, budget, respond }) };
	}

	test('bounds the attempts of all requests together', async () => {
		const { client, budget, attempts } = budgetScenario(3, 60_000);
		expect(await client.safeRequest({ ...GET, retryFor: 0 })).toEqual({ kind: 'timeout' });
		expect(budget.isUsedUp()).toBe(false);
		expect(await client.safeRequest(GET)).toEqual({ kind: 'timeout', attempts: 2, elapsedMs: 1500 });
		expect(budget.isUsedUp()).toBe(true);
		expect(await client.safeRequest(GET)).toEqual({ kind: 'throttled' });
		expect(attempts).toHaveLength(3);
	});

	test('bounds the time of an attempt and of its retries', async () => {
		const { client, clock, attempts, budget } = budgetScenario(100, 10_000);
		clock.skip(4000);
		expect(await client.safeRequest(GET)).toMatchObject({ kind: 'timeout', elapsedMs: 6000 });
		expect(attempts.map(({ options }) => options.timeout)).toEqual([6000, 5500, 4500, 2500, 0]);
		expect([budget.timeLeftMs(), budget.isUsedUp()]).toEqual([0, true]);
		clock.skip(1);
		expect(budget.timeLeftMs()).toBe(0);
	});
});

test('onResponse gets each response with a status, and the time when its request was sent', async () => {
	const clock = new FakeClock({ autoAdvance: true });
	const responses = [httpResponse(503, '', { date: 'today' }), success];
	const onResponse = jest.fn();
	const respond = inTurn({ kind: 'timeout' }, ...responses);
	const { client } = clientScenario({ clock, latency: 10, respond, onResponse });
	const startMs = clock.wallClock.now();
	await client.request(GET);
	expect(onResponse.mock.calls).toEqual([
		[responses[0], startMs + 510],
		[responses[1], startMs + 1520],
	]);
});
