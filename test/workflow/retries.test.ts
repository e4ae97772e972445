import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import type { RateLimitHeaders } from '../../sandbox/settings';
import type { FaultRule } from '../../sandbox/types';
import { byId } from '../nodes';
import { hintsOf, startFastEnvironment, type FastEnvironment } from './environment';
import { findOperation, inputFor, operationsByTitle, parametersFor, type Row } from './everyOperation';

const MINUTE = 60_000;

let env: FastEnvironment;
beforeAll(async () => {
	env = await startFastEnvironment();
	// Request timeouts run on the real clock.
	await env.addCredential('impatient', { showAdvanced: true, requestTimeout: 1 });
});
beforeEach(() => {
	env.resetService();
	env.control.patchSettings({ limit: 100_000, rateLimitHeaders: 'none' });
});
afterAll(async () => await env.close());

/** Executes an operation whose own first two requests fail. */
async function executeWithFault(row: Row, fault: FaultRule, options: IDataObject = {}) {
	const input = inputFor(env, row, 1);
	env.resetService({ times: 2, match: { operation: row.calls }, ...fault });
	const parameters = parametersFor(row, undefined, { options: { retryFor: 3000, ...options } });
	const ended = await env.runNode(parameters, input, {}, 'impatient');
	const journal = env.journal();
	return {
		ended,
		error: ended.data.resultData.error,
		items: outputOf(ended, 'Prospector'),
		journal,
		keys: new Set(journal.map(({ idempotencyKey }) => idempotencyKey)),
		changes: journal.filter(({ committed }) => committed).length,
	};
}

const throttled: FaultRule = { kind: 'status', status: 429, headers: { 'retry-after': '3' } };

test.each(operationsByTitle)(
	'the node retries %s and keeps any idempotency key when the service responds with 429 and then 503',
	async (_, row) => {
		const input = inputFor(env, row, 1);
		const match = { operation: row.calls };
		const unavailable = { kind: 'status' as const, status: 503, headers: { 'retry-after': '2' } };
		env.resetService({ ...throttled, match }, { ...unavailable, match });
		const items = await env.getItems(parametersFor(row, undefined, { options: { retryFor: 3000 } }), input);
		expect(items.length).toBeGreaterThan(0);
		const journal = env.journal();
		expect(journal.map(({ status }) => status)).toEqual([...(row.checked ? [200] : []), 429, 503, 200]);
		expect(new Set(journal.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
		expect(journal.filter(({ committed }) => committed)).toHaveLength(row.method === 'GET' ? 0 : 1);
	},
);

/** It is unknown whether the service did it, so only a request that has no effect twice is sent again. */
const unknownOutcomes: Array<[string, FaultRule]> = [
	['no response because the connection ends', { kind: 'drop', when: 'after' }],
	['a truncated response', { kind: 'cutBody' }],
	['status 500', { kind: 'status', status: 500, when: 'after' }],
];
const methods = ['Run › get', 'Workflow › run', 'Workflow › update', 'Workflow › delete'];
const noResponse: FaultRule = { kind: 'hang', when: 'after', times: 1 };

test.each<[string, string, FaultRule]>([
	...methods.flatMap((title) => unknownOutcomes.map(([name, fault]) => [title, name, fault] as const)),
	// Each takes a second, because request timeouts run on the real clock.
	['Workflow › run', 'no response in time', noResponse],
	['Workflow › update', 'no response in time', noResponse],
] as Array<[string, string, FaultRule]>)(
	'%s takes effect at most once and is sent again only if it is a read or has an idempotency key when it gets %s',
	async (title, _, fault) => {
		const row = findOperation(title);
		const { error, items, journal, keys, changes } = await executeWithFault(row, fault);
		expect(keys.size).toBe(1);
		expect(changes).toBe(row.method === 'GET' ? 0 : 1);
		if (row.method === 'GET' || row.keyed) {
			expect(error).toBeUndefined();
			expect(items.length).toBeGreaterThan(0);
			expect(journal).toHaveLength((fault.times ?? 2) + 1);
		} else {
			expect(error?.message).toMatch(/^The (service|connection)/);
			expect(error?.description).toContain('It may have taken effect. Get the Prospector workflow before');
			expect(journal).toHaveLength(1);
		}
	},
);

// How few requests are rejected is tested in virtual time (rateLimits.test.ts). Here a busy machine delays requests, so
// that the limit can look lower than it is. A node that ignores the limit is rejected more often than this.
const MAX_REJECTED = 45;

describe('The rate limit', () => {
	const LIMIT = 20;
	let read: IDataObject;
	beforeAll(() => {
		const [workflowId] = env.control.seed({ workflows: 1 }).workflows;
		read = { resource: 'workflow', operation: 'get', workflowId: byId(workflowId) };
	});
	beforeEach(() => env.control.patchSettings({ limit: LIMIT }));

	const itemsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
	const rejected = () => env.journal().filter(({ status }) => status === 429).length;
	/** An API key of its own, so that no other test has used up its quota. */
	async function newKey() {
		const name = `key_${env.control.state().keys.length}`;
		await env.addCredential(name, { apiKey: env.control.createKey({ name }).secret });
		return name;
	}

	// Headers with a time of day are tested in rateLimits.test.ts: the fast clock has another one.
	test.each<[number, number, RateLimitHeaders]>([
		[50, 2, 'none'],
		[30, 1, 'retry-after'],
		[30, 1, 'ratelimit'],
	])(
		'%i items succeed after at least %i min if the limit is 20 requests a minute and the rate limit headers are %j',
		async (count, minMinutes, rateLimitHeaders) => {
			env.control.patchSettings({ rateLimitHeaders });
			const ended = await env.runNode(read, itemsOf(count), {}, await newKey());
			expect(outputOf(ended, 'Prospector')).toHaveLength(count);
			expect(rejected()).toBeLessThan(MAX_REJECTED);
			expect(env.duration()).toBeGreaterThanOrEqual(minMinutes * MINUTE);
			expect(env.duration()).toBeLessThan((minMinutes + 2) * MINUTE);
			expect(hintsOf(ended).join('\n')).toMatch(/^The rate limit added \d+ (min|s).*\.$/m);
		},
	);

	test('two executions share their knowledge of the rate limit when they use the same API key', async () => {
		const key = await newKey();
		const both = await Promise.all(
			[25, 25].map(async (count) => await env.getItems(read, itemsOf(count), {}, key)),
		);
		expect(both.map((items) => items.length)).toEqual([25, 25]);
		expect(rejected()).toBeLessThan(MAX_REJECTED);
		expect(env.duration()).toBeLessThan(4 * MINUTE);
	});
});
