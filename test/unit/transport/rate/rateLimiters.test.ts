import type { Connection } from '../../../../nodes/Prospector/parameters/credential/connection';
import { rateLimiters, RateLimiterRegistry } from '../../../../nodes/Prospector/transport/rate/rateLimiters';
import { manualTiming } from '../../helpers/manualTiming';
import { CONNECTION, KEY } from '../../helpers/support';

const HOUR = 3_600_000;
const other = (changes: Partial<Connection>): Connection => ({ ...CONNECTION, ...changes });

/** The private map, because nothing but memory depends on its size. */
const mapOf = (registry: RateLimiterRegistry) =>
	(registry as unknown as { limiters: Map<string, unknown> }).limiters;
const sizeOf = (registry: RateLimiterRegistry) => mapOf(registry).size;

function registryOnAClock() {
	const clock = manualTiming();
	return { ...clock, registry: new RateLimiterRegistry(clock.timing) };
}

describe('a rate limiter', () => {
	test.each<[string, Partial<Connection>]>([
		['an equal credential', {}],
		['another cursor parameter', { cursorParameter: 'after' }],
		['another page size parameter', { pageSizeParameter: 'per_page' }],
	])('is shared with %s', (_, changes) => {
		const { registry } = registryOnAClock();
		expect(registry.get(other(changes))).toBe(registry.get(CONNECTION));
		expect(sizeOf(registry)).toBe(1);
	});

	test.each<[string, Partial<Connection>]>([
		['another key', { apiKey: 'pk_live_other' }],
		['a key with the same start', { apiKey: `${KEY}1` }],
		['another address', { baseUrl: 'https://eu.example.com' }],
		['another path', { baseUrl: `${CONNECTION.baseUrl}/tenant` }],
		[
			'the same characters, divided differently',
			{ baseUrl: CONNECTION.baseUrl + KEY[0], apiKey: KEY.slice(1) },
		],
	])('is not shared with %s', (_, changes) => {
		const { registry } = registryOnAClock();
		expect(registry.get(other(changes))).not.toBe(registry.get(CONNECTION));
		expect(sizeOf(registry)).toBe(2);
	});

	test('is stored by a name that does not contain the key', () => {
		const { registry } = registryOnAClock();
		registry.get(CONNECTION);
		const names = [...mapOf(registry).keys()];
		expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
		for (const encoding of ['utf8', 'hex', 'base64'] as const) {
			expect(names[0]).not.toContain(Buffer.from(KEY).toString(encoding));
		}
		expect(JSON.stringify([...names])).not.toContain(KEY);
	});

	test('is a new one after clear', () => {
		const { registry } = registryOnAClock();
		const limiter = registry.get(CONNECTION);
		registry.clear();
		expect(sizeOf(registry)).toBe(0);
		expect(registry.get(CONNECTION)).not.toBe(limiter);
	});

	test('is shared by the whole process', () => {
		rateLimiters.clear();
		expect(rateLimiters.get(CONNECTION)).toBe(rateLimiters.get({ ...CONNECTION }));
		rateLimiters.clear();
	});
});

describe('an unused rate limiter', () => {
	const another = other({ apiKey: 'another' });

	test.each([
		[1000, true],
		[HOUR, true],
		[HOUR + 1, false],
		[24 * HOUR, false],
	])('after %i ms is kept: %j', async (milliseconds, isKept) => {
		const { registry, pass } = registryOnAClock();
		const limiter = registry.get(CONNECTION);
		await pass(milliseconds);
		registry.get(another);
		expect(sizeOf(registry)).toBe(isKept ? 2 : 1);
		expect(registry.get(CONNECTION) === limiter).toBe(isKept);
	});

	test('is kept for an hour after its last use', async () => {
		const { registry, pass } = registryOnAClock();
		const limiter = registry.get(CONNECTION);
		for (let i = 0; i < 5; i++) {
			await pass(HOUR);
			expect(registry.get(CONNECTION)).toBe(limiter);
		}
	});

	test('is kept while a request waits, and for an hour after', async () => {
		const { registry, pass } = registryOnAClock();
		const limiter = registry.get(CONNECTION);
		const permit = await limiter.acquire({}, Infinity);
		if (permit === 'canceled' || 'throttledMs' in permit) throw new Error('Expected a permit');
		limiter.release(permit, 'notSent', { retryAfter: 3 * HOUR });
		const controller = new AbortController();
		const waiting = limiter.acquire({}, Infinity, controller.signal);
		await pass(2 * HOUR);
		registry.get(another);
		expect(registry.get(CONNECTION)).toBe(limiter);
		controller.abort();
		expect(await waiting).toBe('canceled');
		await pass(HOUR + 1);
		registry.get(another);
		expect(sizeOf(registry)).toBe(1);
	});

	test('does not use memory forever when keys come and go', async () => {
		const { registry, pass } = registryOnAClock();
		for (let i = 0; i < 500; i++) {
			registry.get(other({ apiKey: `key-${i}` }));
			await pass(HOUR / 10);
		}
		expect(sizeOf(registry)).toBeLessThanOrEqual(11);
	});
});
