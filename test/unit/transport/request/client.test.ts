import { RequestError } from '../../../../nodes/Prospector/api/failure/requestError';
import type { ApiRequest } from '../../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { RequestBudget } from '../../../../nodes/Prospector/transport/request/requestBudget';
import { clientScenario, hang, inTurn, success } from '../../helpers/clientScenario';
import { requests } from '../../helpers/everyFailure';
import { FakeClock } from '../../helpers/fakeClock';
import { CONNECTION, httpResponse, KEY } from '../../helpers/support';

const { GET, 'POST with a key': POST } = requests;

/** Sends a request, and returns what n8n's HTTP helper receives. */
async function httpOptions(request: ApiRequest, connection = {}) {
	const scenario = clientScenario({ connection: { ...CONNECTION, ...connection }, retryForMs: 0 });
	await scenario.client.safeRequest(request);
	return scenario.attempts[0].options;
}

test('the client tells the HTTP helper of n8n to accept any status, follow no redirect and stream the body', async () => {
	expect(await httpOptions({ ...GET, query: { status: 'done', cursor: undefined, limit: 0 } })).toStrictEqual(
		{
			method: 'GET',
			url: 'https://app.example.com/api/public/v1/prospector/runs/run_1',
			qs: { status: 'done', limit: 0 },
			headers: {},
			json: true,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 60_000,
		},
	);
});

/** As in the contract: name, method and path, scope, what is returned, and whether an idempotency key is taken. */
const CONTRACT = [
	'getIdentity | GET /me | me.read | resource | ',
	'getConfig | GET /prospector/config | prospector.read | resource | ',
	'listWorkflows | GET /prospector/workflows | prospector.read | list | ',
	'createWorkflow | POST /prospector/workflows | prospector.run | resource | key',
	'getWorkflow | GET /prospector/workflows/wf_1 | prospector.read | resource | ',
	'updateWorkflow | PATCH /prospector/workflows/wf_1 | prospector.run | resource | ',
	'deleteWorkflow | DELETE /prospector/workflows/wf_1 | prospector.run | resource | ',
	'runWorkflow | POST /prospector/workflows/wf_1/run | prospector.run | resource | key',
	'listRuns | GET /prospector/workflows/wf_1/runs | prospector.read | list | ',
	'getRun | GET /prospector/runs/run_1 | prospector.read | resource | ',
	'listResults | GET /prospector/runs/run_1/results | prospector.read | list | ',
];

test('the client uses the method, path and idempotency key that the API contract defines for each endpoint', async () => {
	const ids = { workflow_id: 'wf_1', run_id: 'run_1' };
	const actual = Object.entries(endpoints).map(async ([name, endpoint]) => {
		const options = await httpOptions({ endpoint, ids, idempotencyKey: 'key' });
		const { method, url, headers } = options;
		expect(options).not.toHaveProperty('body');
		expect(JSON.stringify(options)).not.toContain(KEY);
		const path = url.slice('https://app.example.com/api/public/v1'.length);
		const key = String(headers?.['Idempotency-Key'] ?? '');
		return [name, `${method} ${path}`, endpoint.scope, endpoint.returns, key].join(' | ');
	});
	expect(await Promise.all(actual)).toEqual(CONTRACT);
});

test.each([
	['../a b?c=d#e', '..%2Fa%20b%3Fc%3Dd%23e'],
	['a%2Fb\\', 'a%252Fb%5C'],
	['ä😀', '%C3%A4%F0%9F%98%80'],
	["$&$'{run_id}", "%24%26%24'%7Brun_id%7D"],
	[undefined, ''],
])('the client puts the run ID %j into the URL as one encoded path segment', async (id, encoded) => {
	const connection = { baseUrl: 'https://app.example.com/tenant' };
	const { url } = await httpOptions({ endpoint: endpoints.getRun, ids: { run_id: id } }, connection);
	expect(url).toBe(`https://app.example.com/tenant/api/public/v1/prospector/runs/${encoded}`);
});

test.each(['{}', '{"name":"a","tags":[1,null]}', '{"__proto__":{"a":1}}'])(
	'the client sends the body as the JSON %s',
	async (json) => {
		const options = await httpOptions({ ...POST, body: JSON.parse(json) as object });
		expect(options.body).toBe(json);
		expect(options.headers).toEqual({ 'Content-Type': 'application/json', 'Idempotency-Key': 'key-1' });
	},
);

test.each([
	[5000, undefined, undefined, 5000],
	[5000, undefined, 9000, 5000],
	[5000, undefined, 400, 400],
	[5000, 20_000, undefined, 20_000],
	[90_000, 20_000, 60_000, 20_000],
])(
	'an attempt with the timeouts %i ms (connection), %j ms (client) and %j ms (request) gets a timeout of %i ms',
	async (ofConnection, ofClient, ofRequest, expectedMs) => {
		const connection = { ...CONNECTION, timeoutMs: ofConnection };
		const { client, attempts } = clientScenario({ connection, timeoutMs: ofClient, retryForMs: 0 });
		await client.safeRequest({ ...GET, timeoutMs: ofRequest });
		expect(attempts.map(({ options }) => options.timeout)).toEqual([expectedMs]);
	},
);

test('client.request throws a RequestError that contains the failure returned by client.safeRequest', async () => {
	const { client } = clientScenario({ respond: () => httpResponse(404, '') });
	const failure = expect.objectContaining({ kind: 'status', status: 404 }) as unknown;
	expect(await client.safeRequest(GET)).toEqual(failure);
	const thrown: unknown = await client.request(GET).catch((error: unknown) => error);
	expect(thrown).toBeInstanceOf(RequestError);
	expect(thrown).toMatchObject({ message: 'status', failure, request: GET });
});

test('the client reports its own timeout even if the HTTP helper of n8n ends the attempt with another timeout', async () => {
	const aborted = Object.assign(new Error('timeout of 2000ms exceeded'), { code: 'ECONNABORTED' });
	for (const respond of [() => aborted, hang]) {
		const { client } = clientScenario({ respond, timeoutMs: 150, retryForMs: 0 });
		expect(await client.safeRequest(GET)).toEqual({ kind: 'timeout', timeoutMs: 150 });
	}
});

test('the client ends its attempts and closes their connections when the execution is canceled', async () => {
	const controller = new AbortController();
	const signals: AbortSignal[] = [];
	const respond = async (_: number, signal: AbortSignal) => {
		signals.push(signal);
		return await hang();
	};
	const clock = new FakeClock();
	const { start, ended } = clientScenario({ clock, signal: controller.signal, respond });
	start(['a', 'b']);
	await clock.advance(1000);
	expect([ended, signals.map(({ aborted }) => aborted)]).toEqual([{}, [false, false]]);
	controller.abort();
	await clock.advance(0);
	const end = { atMs: 1000, result: { kind: 'canceled' } };
	expect([ended, signals.map(({ aborted }) => aborted)]).toEqual([{ a: end, b: end }, [true, true]]);
});

test('the client calls onResponse with every response and the time at which the request was sent', async () => {
	const clock = new FakeClock({ autoAdvance: true });
	const responses = [httpResponse(503, '', { date: 'today' }), success];
	const onResponse = jest.fn();
	const respond = inTurn({ kind: 'timeout' }, ...responses);
	const { client } = clientScenario({ clock, latencyMs: 10, respond, onResponse });
	const startMs = clock.wallClock.now();
	await client.request(GET);
	expect(onResponse.mock.calls).toEqual([
		[responses[0], startMs + 510],
		[responses[1], startMs + 1520],
	]);
});

test('a request budget of 3 limits the total number of attempts of all requests to 3', async () => {
	const clock = new FakeClock({ autoAdvance: true });
	const budget = new RequestBudget(clock, { maxRequests: 3, maxMs: 60_000 });
	const { client, attempts } = clientScenario({ clock, budget, respond: inTurn({ kind: 'timeout' }) });
	expect(await client.safeRequest({ ...GET, retryForMs: 0 })).toEqual({ kind: 'timeout' });
	expect(await client.safeRequest(GET)).toEqual({ kind: 'timeout', attempts: 2, elapsedMs: 1500 });
	expect(await client.safeRequest(GET)).toEqual({ kind: 'throttled' });
	expect(attempts).toHaveLength(3);
});

test('a request and its retries end within 6 s if the request budget has only 6 s left', async () => {
	const clock = new FakeClock({ autoAdvance: true });
	const budget = new RequestBudget(clock, { maxRequests: 100, maxMs: 10_000 });
	const { client, attempts } = clientScenario({ clock, budget, respond: inTurn({ kind: 'timeout' }) });
	clock.skip(4000);
	expect(await client.safeRequest(GET)).toMatchObject({ kind: 'timeout', elapsedMs: 6000 });
	expect(attempts.map(({ options }) => options.timeout)).toEqual([6000, 5500, 4500, 2500, 0]);
});
