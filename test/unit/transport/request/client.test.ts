/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { Readable } from 'node:stream';
import { RequestBudget } from '../../../../nodes/Prospector/trigger/budget';
import type { ApiRequest } from '../../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import type { HttpResponse } from '../../../../nodes/Prospector/api/response';
import type { ClientOptions } from '../../../../nodes/Prospector/transport/request/client';
import { Semaphore } from '../../../../nodes/Prospector/transport/semaphore';
import { clientScenario, helperError, neverRespond, inTurn, success } from '../../helpers/clientScenario';
import { requests } from '../../helpers/everyFailure';
import { FakeClock } from '../../helpers/fakeClock';
import { CONNECTION, httpResponse, listResponse } from '../../helpers/support';

const { GET } = requests;

test('the client tells the HTTP helper of n8n to accept any status, follow no redirect and stream the body', async () => {
	const { client, attempts } = clientScenario();
	await client.tryRequest({
		...GET,
		query: { status: 'done', cursor: undefined, limit: 0 },
		idempotencyKey: 'not sent',
	});
	expect(attempts[0].options).toStrictEqual({
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
	});
});

test.each([
	[5000, undefined, undefined, 5000, true],
	[5000, undefined, 9000, 5000, true],
	[5000, undefined, 400, 400, undefined],
	[5000, 20_000, undefined, 20_000, undefined],
	[90_000, 20_000, 60_000, 20_000, undefined],
])(
	'an attempt with the timeouts in ms %i (connection), %j (client) and %j (request) ends after %i ms, and the failure says whether this is the Request Timeout: %j',
	async (ofConnection, ofClient, ofRequest, timeoutMs, isRequestTimeout) => {
		const connection = { ...CONNECTION, timeoutMs: ofConnection };
		const respond = () => helperError('ECONNABORTED');
		const { client, attempts } = clientScenario({ connection, respond, timeoutMs: ofClient, retryForMs: 0 });
		const failure = await client.tryRequest({ ...GET, timeoutMs: ofRequest });
		expect(attempts.map(({ options }) => options.timeout)).toEqual([timeoutMs]);
		expect(failure).toEqual({ kind: 'timeout', timeoutMs, isRequestTimeout, elapsedMs: 0 });
	},
);

test.each([
	[2000, undefined],
	[2000, 9000],
	[9000, 2000],
])(
	'a request that may be retried for %i ms (client) and %j ms (request) ends after 2 s',
	async (ofClient, ofRequest) => {
		const clock = new FakeClock({ autoAdvance: true });
		const { client } = clientScenario({ clock, respond: () => httpResponse(503, ''), retryForMs: ofClient });
		expect(await client.tryRequest({ ...GET, retryForMs: ofRequest })).toMatchObject({ elapsedMs: 2000 });
	},
);

test('the client reports its own timeout and closes the connection even if the HTTP helper of n8n ends the attempt with another timeout', async () => {
	const aborted = Object.assign(new Error('timeout of 2000ms exceeded'), { code: 'ECONNABORTED' });
	const signals: AbortSignal[] = [];
	const wait = async (_: number, signal: AbortSignal) => (signals.push(signal), await neverRespond());
	const body = new Readable({ read() {} });
	for (const respond of [() => aborted, wait, () => httpResponse(200, body)]) {
		const { signal } = new AbortController();
		const { client } = clientScenario({ respond, signal, timeoutMs: 150, retryForMs: 0 });
		expect(await client.tryRequest(GET)).toMatchObject({ kind: 'timeout', timeoutMs: 150 });
	}
	expect([...signals.map((signal) => signal.aborted), body.destroyed]).toEqual([true, true]);
});

test('the client tells with each response when its attempt was sent, however long the response took', async () => {
	const sentAtMs: number[] = [];
	const onResponse: ClientOptions['onResponse'] = (_, atMs) => void sentAtMs.push(atMs);
	const clock = new FakeClock({ autoAdvance: true });
	const startMs = clock.wallClock.now();
	const respond = inTurn(httpResponse(503, ''), success);
	await clientScenario({ clock, respond, latencyMs: 5000, onResponse }).client.tryRequest(GET);
	expect(sentAtMs).toEqual([startMs, startMs + 5500]);
});

test.each(['GET', 'POST with a key'] as const)(
	'no attempt of a %s starts in the last second of its request budget, which has 6 s left',
	async (name) => {
		const clock = new FakeClock({ autoAdvance: true });
		const budget = new RequestBudget(clock, 100, 0, 10_000);
		const { client, attempts } = clientScenario({ clock, budget, respond: inTurn(helperError('ETIMEDOUT')) });
		clock.skip(4000);
		expect(await client.tryRequest(requests[name])).toMatchObject({ kind: 'timeout', elapsedMs: 5000 });
		expect(attempts.map(({ options }) => options.timeout)).toEqual([6000, 5500, 4500, 2500, 1000]);
		clock.skip(1);
		expect(await client.tryRequest(requests[name])).toMatchObject({ kind: 'throttled', isOutOfTime: true });
		expect(attempts).toHaveLength(5);
	},
);

test('each attempt waits for a place in the semaphore, and the time for all attempts begins when the first gets its place', async () => {
	const clock = new FakeClock();
	const respond = (attempt: number) => (attempt < 3 ? httpResponse(503, '') : success);
	const options = { respond, clock, latencyMs: 2000, retryForMs: 5000, semaphore: new Semaphore(1) };
	const { start, ended, attempts, sentAtMs } = clientScenario(options);
	start(['a', 'b', 'c']);
	await clock.advance(20_000);
	expect(sentAtMs()).toEqual([0, 2000, 4000, 6000, 8000, 10_000]);
	const result = 'success';
	expect(ended).toEqual({
		a: { atMs: 8000, result },
		b: { atMs: 10_000, result },
		c: { atMs: 12_000, result },
	});
	// The place is free again.
	start(['d']);
	await clock.advance(1);
	expect(attempts.at(-1)).toMatchObject({ name: 'd', atMs: 20_000 });
});

test('the client names a server that does not exist if Base URL has a port', async () => {
	const error = Object.assign(new Error(), { code: 'ENOTFOUND', hostname: 'crm.example' });
	const connection = { ...CONNECTION, baseUrl: 'https://crm.example:8443' };
	const { client } = clientScenario({ connection, respond: () => error, retryForMs: 0 });
	expect(await client.tryRequest(GET)).toMatchObject({ missingHost: 'crm.example' });
});

test.each<[string, Partial<ApiRequest>, Partial<ApiRequest>, Array<Partial<ApiRequest>>]>([
	['reads of runs', {}, { endpoint: endpoints.listResults, ids: { run_id: 'a' } }, [{}, {}]],
	[
		'the list at the same path',
		{ endpoint: endpoints.listWorkflows },
		requests['POST with a key'],
		[requests['POST with a key']],
	],
])(
	'the client marks each rejection of an endpoint after the first one as a rejection of this endpoint alone if the service accepts %s',
	async (_, accepted, rejected, later) => {
		let outcome = httpResponse(200, '');
		const { client } = clientScenario({ respond: () => outcome });
		const send = async (request: Partial<ApiRequest>, response: HttpResponse) => {
			outcome = response;
			return await client.tryRequest({ ...GET, ...request, hasOneAttempt: true });
		};
		const accept = async () => await send(accepted, accepted.endpoint ? listResponse([]) : success);
		const reject = async (request: Partial<ApiRequest>) => await send(request, httpResponse(429, ''));
		await accept();
		expect(await reject(rejected)).not.toHaveProperty('isScopedRejection');
		await accept();
		for (const [index, rest] of later.entries())
			expect(await reject({ ...rejected, ids: { run_id: `b${index}` }, ...rest })).toMatchObject({
				isScopedRejection: true,
			});
	},
);
