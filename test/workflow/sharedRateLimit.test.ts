import { outputOf } from '../../scripts/engine';
import { byId } from '../nodes';
import { hintsOf, startFastEnvironment, type FastEnvironment } from './environment';
import { inputFor, operationsByTitle, parametersFor } from './everyOperation';

const MINUTE = 60_000;

let env: FastEnvironment;
beforeAll(async () => (env = await startFastEnvironment()));
beforeEach(() => {
	env.resetService();
	env.control.patchSettings({ limit: 100_000, limitPerEndpoint: false });
});
afterAll(async () => await env.close());

test.each(operationsByTitle)(
	'the node retries %s and keeps any idempotency key when the service responds with 429 and then 503',
	async (_, row) => {
		const input = inputFor(env, row, 1);
		const match = { operation: row.calls };
		const kind = 'status';
		env.resetService(
			{ kind, status: 429, headers: { 'retry-after': '3' }, match },
			{ kind, status: 503, headers: { 'retry-after': '2' }, match },
		);
		const items = await env.getItems(parametersFor(row, undefined, { options: { retryFor: 3000 } }), input);
		expect(items.length).toBeGreaterThan(0);
		const journal = env.journal();
		expect(journal.map(({ status }) => status)).toEqual([...(row.checked ? [200, 200] : []), 429, 503, 200]);
		expect(new Set(journal.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
		expect(journal.filter(({ committed }) => committed)).toHaveLength(row.method === 'GET' ? 0 : 1);
	},
);

// How few requests are rejected is tested in virtual time (rateLimitEstimator.test.ts). Here a busy machine delays requests, so
// that the limit can look lower than it is. A node that ignores the limit is rejected more often than this.
const MAX_REJECTED = 45;

test('two executions share their knowledge of the rate limit when they use the same API key', async () => {
	env.control.patchSettings({ limit: 20 });
	const [workflowId] = env.control.seed({ workflows: 1 }).workflows;
	const read = { resource: 'workflow', operation: 'get', workflowId: byId(workflowId) };
	// No other test has used up its quota.
	await env.addCredential('own', { apiKey: env.control.createKey({ name: 'own' }).secret });
	const items = Array.from({ length: 25 }, (_, n) => ({ n }));
	const execute = async () => await env.runNode(read, items, {}, 'own');
	for (const ended of await Promise.all([execute(), execute()])) {
		expect(outputOf(ended, 'Prospector')).toHaveLength(25);
		expect(hintsOf(ended).join('\n')).toMatch(/^The rate limit added \d+ (min|s).*\.$/m);
	}
	expect(env.journal().filter(({ status }) => status === 429).length).toBeLessThan(MAX_REJECTED);
	expect(env.duration()).toBeGreaterThanOrEqual(2 * MINUTE);
	expect(env.duration()).toBeLessThan(4 * MINUTE);
});

test('requests to one endpoint do not wait when the limit of another endpoint is used up', async () => {
	env.control.patchSettings({ limit: 20, limitPerEndpoint: true });
	const input = env.control.seed({ workflows: 15 }).workflows.map((id) => ({ id }));
	await env.addCredential('own', { apiKey: env.control.createKey({ name: 'endpoints' }).secret });
	const read = { resource: 'workflow', operation: 'get', workflowId: byId('={{ $json.id }}') };
	const identity = { resource: 'account', operation: 'getIdentity' };
	const given = [read, identity].map(async (one) => await env.getItems(one, input, {}, 'own'));
	expect((await Promise.all(given)).map(({ length }) => length)).toEqual([15, 15]);
	expect(env.journal().filter(({ status }) => status === 429)).toEqual([]);
});
