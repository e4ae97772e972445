import { RequestBudget } from '../../../../nodes/Prospector/trigger/budget';
import { clientScenario, neverRespond, inTurn } from '../../helpers/clientScenario';
import { requests } from '../../helpers/everyFailure';
import { FakeClock } from '../../helpers/fakeClock';
import { CONNECTION } from '../../helpers/support';

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
