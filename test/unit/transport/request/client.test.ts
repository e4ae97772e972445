import type { ApiRequest } from '../../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { RequestBudget } from '../../../../nodes/Prospector/trigger/budget';
import { clientScenario, neverRespond, inTurn } from '../../helpers/clientScenario';
import { requests } from '../../helpers/everyFailure';
import { FakeClock } from '../../helpers/fakeClock';
import { CONNECTION, KEY } from '../../helpers/support';
import { everyOperation } from '../../../workflow/everyOperation';

const { GET } = requests;

/** Sends a request, and returns what n8n's HTTP helper receives. */
async function httpOptions(request: ApiRequest, connection = {}) {
	const scenario = clientScenario({ connection: { ...CONNECTION, ...connection }, retryForMs: 0 });
	await scenario.client.tryRequest(request);
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

/** As in the contract: method and path, scope, what is returned, and whether an idempotency key is taken. */
const CONTRACT = everyOperation.map(({ method, path, id, scope, list, keyed }) => {
	const idPath = path.replace('ID', id === 'runId' ? 'run_1' : 'wf_1');
	return [`${method} ${idPath}`, scope, list ? 'list' : 'resource', keyed ? 'key' : ''].join(' | ');
});

test('the client uses the method, path and idempotency key that the API contract defines for each endpoint', async () => {
	const ids = { workflow_id: 'wf_1', run_id: 'run_1' };
	const actual = Object.values(endpoints).map(async (endpoint) => {
		const options = await httpOptions({ endpoint, ids, idempotencyKey: 'key' });
		const { method, url, headers } = options;
		expect(options).not.toHaveProperty('body');
		expect(JSON.stringify(options)).not.toContain(KEY);
		const path = url.slice('https://app.example.com/api/public/v1'.length);
		const key = String(headers?.['Idempotency-Key'] ?? '');
		return [`${method} ${path}`, endpoint.scope, endpoint.returns, key].join(' | ');
	});
	expect((await Promise.all(actual)).sort()).toEqual(CONTRACT.sort());
});

test.each([
	[5000, undefined, undefined, 5000],
	[5000, undefined, 9000, 5000],
	[5000, undefined, 400, 400],
	[5000, 20_000, undefined, 20_000],
	[90_000, 20_000, 60_000, 20_000],
])(
	'an attempt with the timeouts in ms %i (connection), %j (client) and %j (request) gets a timeout of %i ms',
	async (ofConnection, ofClient, ofRequest, expectedMs) => {
		const connection = { ...CONNECTION, timeoutMs: ofConnection };
		const { client, attempts } = clientScenario({ connection, timeoutMs: ofClient, retryForMs: 0 });
		await client.tryRequest({ ...GET, timeoutMs: ofRequest });
		expect(attempts.map(({ options }) => options.timeout)).toEqual([expectedMs]);
	},
);

test('the client reports its own timeout even if the HTTP helper of n8n ends the attempt with another timeout', async () => {
	const aborted = Object.assign(new Error('timeout of 2000ms exceeded'), { code: 'ECONNABORTED' });
	const signals: AbortSignal[] = [];
	const wait = async (_: number, signal: AbortSignal) => (signals.push(signal), await neverRespond());
	for (const respond of [() => aborted, wait]) {
		const { client } = clientScenario({ respond, timeoutMs: 150, retryForMs: 0 });
		expect(await client.tryRequest(GET)).toEqual({ kind: 'timeout', timeoutMs: 150 });
	}
	expect(signals.map((signal) => signal.aborted)).toEqual([true]);
});

test('a request and its retries end within 6 s if the request budget has only 6 s left', async () => {
	const clock = new FakeClock({ autoAdvance: true });
	const budget = new RequestBudget(clock, { maxRequests: 100, overdraft: 0, maxMs: 10_000 });
	const { client, attempts } = clientScenario({ clock, budget, respond: inTurn({ kind: 'timeout' }) });
	clock.skip(4000);
	expect(await client.tryRequest(GET)).toMatchObject({ kind: 'timeout', elapsedMs: 6000 });
	expect(attempts.map(({ options }) => options.timeout)).toEqual([6000, 5500, 4500, 2500, 0]);
});
