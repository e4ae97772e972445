import type { FaultRule } from '../../sandbox/types';
import { outputOf } from '../../engine';
import { byTitle, find, inputFor, parametersFor, type Row } from './everyOperation';
import { startFastEnvironment, type FastEnvironment } from './fastBench';

let bench: FastEnvironment;
beforeAll(async () => (bench = await startFastEnvironment({}, 300)));
afterAll(async () => await bench.close());

const PATIENT = { maxWait: 3000, requestTimeout: 1 };

/** Executes an operation while its first two requests go wrong in this way. */
async function suffer(row: Row, fault: FaultRule, options: object = {}) {
	const [input] = inputFor(bench, row, 1);
	bench.prepare({ times: 2, ...fault });
	const parameters = parametersFor(row, undefined, { options: { ...PATIENT, ...options } });
	const ended = await bench.over(parameters, [input]);
	return {
		error: ended.data.resultData.error,
		items: outputOf(ended, 'Prospector'),
		journal: bench.journal(),
		keys: new Set(bench.journal().map(({ idempotencyKey }) => idempotencyKey)),
		done: bench.journal().filter(({ committed }) => committed).length,
	};
}

/** Whether it may have been done is open, so only what may be done twice is sent again. */
const openOutcome: Array<[string, FaultRule]> = [
	['a connection that ends before the answer', { kind: 'drop', when: 'after' }],
	['a reset connection', { kind: 'reset', when: 'after' }],
	['half an answer', { kind: 'cutBody' }],
	['no answer in time', { kind: 'hang', when: 'after', times: 1 }],
	...[500, 504].map((status): [string, FaultRule] => [
		`status ${status} after the work was done`,
		{ kind: 'status', status, when: 'after' },
	]),
];

/** Nothing was done for sure, so everything is sent again. */
const turnedAway: Array<[string, FaultRule]> = [
	['status 503 with Retry-After', { kind: 'status', status: 503, headers: { 'retry-after': '2' } }],
	['status 429', { kind: 'status', status: 429 }],
	['status 429 with Retry-After', { kind: 'status', status: 429, headers: { 'retry-after': '3' } }],
];

describe.each(byTitle)('%s', (_, row) => {
	it.each(turnedAway)('is tried again after %s', async (_, fault) => {
		const { error, items, journal, keys, done } = await suffer(row, fault);
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThan(0);
		expect(journal).toHaveLength(3);
		expect(keys.size).toBe(1);
		expect(done).toBe(row.method === 'GET' ? 0 : 1);
	});

	it.each(openOutcome)('after %s does nothing twice', async (_, fault) => {
		const { error, items, journal, keys, done } = await suffer(row, fault);
		expect(keys.size).toBe(1);
		expect(done).toBe(row.method === 'GET' ? 0 : 1);
		if (row.method === 'GET' || row.keyed) {
			expect(error).toBeUndefined();
			expect(items.length).toBeGreaterThan(0);
			expect(journal).toHaveLength((fault.times ?? 2) + 1);
		} else {
			expect(error?.message).toMatch(/^The (service|connection)/);
			expect(error?.description).toContain('look at the Prospector workflow before you retry');
			expect(journal).toHaveLength(1);
		}
	});

	it.each([401, 403, 404, 409, 400])('is not tried again after status %i', async (status) => {
		const { error, journal } = await suffer(row, { kind: 'status', status });
		expect(error).toHaveProperty('httpCode', String(status));
		expect(journal).toHaveLength(1);
	});
});

it.each(['Workflow › create', 'Workflow › run'])('%s without a key is not sent again', async (title) => {
	const options = { idempotencyKeyMode: 'none' };
	const lost = await suffer(find(title), { kind: 'drop', when: 'after' }, options);
	expect(lost.journal).toHaveLength(1);
	expect(lost.error?.description).toContain('no idempotency key was sent');
	const turned = await suffer(find(title), { kind: 'status', status: 429 }, options);
	expect(turned.error).toBeUndefined();
	expect(turned.done).toBe(1);
});

describe('a service that stays out of order', () => {
	const read = find('Workflow › getAll');

	it('is given up after Max Wait, and the message tells how often and how long it was tried', async () => {
		const { error, journal } = await suffer(read, { kind: 'status', status: 503, times: 0 }, { maxWait: 60 });
		expect(journal.length).toBeGreaterThan(2);
		// Far from the 300 s that it would be otherwise: on the fast clock a slow machine's moment is long.
		expect(bench.duration()).toBeLessThanOrEqual(200_000);
		expect(error?.message).toBe(
			`The service had trouble with the request: status 503 (request ${journal.at(-1)?.requestId})`,
		);
		const [, tries, minutes = 0, seconds = 0] =
			/^Tried (\d+) times in (?:(\d+) min )?(\d+) s\. /.exec(error?.description ?? '') ?? [];
		const elapsed = 60 * Number(minutes) + Number(seconds);
		expect(Number(tries)).toBe(journal.length);
		expect(elapsed).toBeGreaterThanOrEqual(60);
		expect(elapsed).toBeLessThan(200);
	});

	it('is asked once where Max Wait is 0', async () => {
		const { error, journal } = await suffer(read, { kind: 'status', status: 503 }, { maxWait: 0 });
		expect(journal).toHaveLength(1);
		expect(error?.description).not.toContain('Tried');
	});

	it('is not waited for when it wants more time than there is', async () => {
		const fault: FaultRule = { kind: 'status', status: 503, headers: { 'retry-after': '120' } };
		const { error, journal } = await suffer(read, fault, { maxWait: 60 });
		expect(journal).toHaveLength(1);
		expect(error?.message).toContain('status 503');
	});

	it('is told in one sentence under Continue', async () => {
		bench.prepare({ kind: 'status', status: 500, times: 0 });
		const parameters = parametersFor(read, '', { options: { maxWait: 60 } });
		const [item] = await bench.items(parameters, [{}], { onError: 'continueRegularOutput' });
		expect(item.json).toEqual({
			error: expect.stringMatching(/status 500 .*\. Tried \d+ times in (\d+ min )?\d+ s\. /),
		});
	});
});

it('What was perhaps done before the last try is not denied', async () => {
	const row = find('Workflow › run');
	const [input] = inputFor(bench, row, 1);
	bench.prepare(
		{ kind: 'drop', when: 'after', times: 1 },
		{ kind: 'status', status: 429, times: 0, headers: { 'retry-after': '6000' } },
	);
	const ended = await bench.over(parametersFor(row, undefined, { options: PATIENT }), [input]);
	const { description } = ended.data.resultData.error ?? {};
	expect(description).toContain('An earlier try may have been carried out');
	expect(description).toContain(`to '${bench.journal()[0].idempotencyKey}'`);
	expect(description).not.toContain('Nothing was done');
});
