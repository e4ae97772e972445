import type { Connection } from '../../nodes/Prospector/transport/connection';
import { rateGates, RateGates } from '../../nodes/Prospector/transport/rate/rateGates';
import { manualTiming, settled } from './manualTiming';
import { CONNECTION, KEY } from './support';

const HOUR = 3_600_000;
const other = (changes: Partial<Connection>): Connection => ({ ...CONNECTION, ...changes });

function gatesOnAClock() {
	const clock = manualTiming();
	return { ...clock, gates: new RateGates(clock.timing) };
}

/** A request that is let in, and is under way from then on. */
async function enter(gates: RateGates, until = Infinity, signal?: AbortSignal) {
	const gate = gates.of(CONNECTION);
	const entry = await gate.enter({}, until, signal);
	if (typeof entry === 'string' || 'heldBackFor' in entry) throw new Error('It was expected to be let in');
	return { gate, ticket: entry };
}

describe('a gate', () => {
	test.each<[string, Partial<Connection>]>([
		['an equal credential', {}],
		['another cursor parameter', { cursorParameter: 'after' }],
		['another page size parameter', { pageSizeParameter: 'per_page' }],
	])('is shared with %s', (_, changes) => {
		const { gates } = gatesOnAClock();
		expect(gates.of(other(changes))).toBe(gates.of(CONNECTION));
		expect(gates.size).toBe(1);
	});

	test.each<[string, Partial<Connection>]>([
		['another key', { apiKey: 'pk_live_other' }],
		['a key that begins alike', { apiKey: `${KEY}1` }],
		['another address', { baseUrl: 'https://eu.example.com' }],
		['another path', { baseUrl: `${CONNECTION.baseUrl}/tenant` }],
		['the same letters, divided differently', { baseUrl: CONNECTION.baseUrl + KEY[0], apiKey: KEY.slice(1) }],
	])('is not shared with %s', (_, changes) => {
		const { gates } = gatesOnAClock();
		expect(gates.of(other(changes))).not.toBe(gates.of(CONNECTION));
		expect(gates.size).toBe(2);
	});

	test('is kept under a name that does not show the key', () => {
		const { gates } = gatesOnAClock();
		gates.of(CONNECTION);
		const names = [...(gates as unknown as { gates: Map<string, unknown> }).gates.keys()];
		expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
		for (const encoding of ['utf8', 'hex', 'base64'] as const) {
			expect(names[0]).not.toContain(Buffer.from(KEY).toString(encoding));
		}
		expect(JSON.stringify(gates)).not.toContain(KEY);
	});

	test('is another where all was forgotten', () => {
		const { gates } = gatesOnAClock();
		const gate = gates.of(CONNECTION);
		gates.clear();
		expect(gates.size).toBe(0);
		expect(gates.of(CONNECTION)).not.toBe(gate);
	});

	test('is shared by everything in this process', () => {
		rateGates.clear();
		expect(rateGates.of(CONNECTION)).toBe(rateGates.of({ ...CONNECTION }));
		rateGates.clear();
	});
});

describe('what was learned of a key', () => {
	const another = other({ apiKey: 'another' });

	test.each([
		[1000, true],
		[HOUR, true],
		[HOUR + 1, false],
		[24 * HOUR, false],
	])('is, after %i ms without use, still known: %j', async (milliseconds, known) => {
		const { gates, pass } = gatesOnAClock();
		const gate = gates.of(CONNECTION);
		await pass(milliseconds);
		gates.of(another);
		expect(gates.size).toBe(known ? 2 : 1);
		expect(gates.of(CONNECTION) === gate).toBe(known);
	});

	test('is known for an hour after its last use, not after its first', async () => {
		const { gates, pass } = gatesOnAClock();
		const gate = gates.of(CONNECTION);
		for (let i = 0; i < 5; i++) {
			await pass(HOUR);
			expect(gates.of(CONNECTION)).toBe(gate);
		}
	});

	test('does not pile up with keys that come and go', async () => {
		const { gates, pass } = gatesOnAClock();
		for (let i = 0; i < 500; i++) {
			gates.of(other({ apiKey: `key-${i}` }));
			await pass(HOUR / 10);
		}
		expect(gates.size).toBeLessThanOrEqual(11);
	});

	test('is known as long as a request is under way', async () => {
		const { gates, pass } = gatesOnAClock();
		const { gate, ticket } = await enter(gates);
		await pass(2 * HOUR);
		gates.of(another);
		expect(gates.size).toBe(2);
		gate.leave(ticket, 'unsent');
		gates.of(another);
		expect(gates.size).toBe(1);
	});

	test('is known as long as somebody waits, and not after', async () => {
		const { gates, pass } = gatesOnAClock();
		const { gate, ticket } = await enter(gates);
		const stop = new AbortController();
		gate.leave(ticket, 'unsent', { retryAfter: 3 * HOUR });
		const waiting = gate.enter({}, Infinity, stop.signal);
		await pass(2 * HOUR);
		gates.of(another);
		expect(gates.of(CONNECTION)).toBe(gate);
		stop.abort();
		await settled();
		expect(await waiting).toBe('stopped');
		await pass(HOUR + 1);
		gates.of(another);
		expect(gates.size).toBe(1);
	});

	test('is known as long as a pause lasts that the service asked for', async () => {
		const { gates, pass } = gatesOnAClock();
		const { gate, ticket } = await enter(gates);
		gate.leave(ticket, 'unsent', { retryAfter: 3 * HOUR });
		await pass(2 * HOUR);
		expect(gates.of(CONNECTION)).toBe(gate);
	});
});
