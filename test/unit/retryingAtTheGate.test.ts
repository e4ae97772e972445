import { isFailure } from '../../nodes/Prospector/transport/reply';
import type { Failure } from '../../nodes/Prospector/transport/failure';
import type { RateReport } from '../../nodes/Prospector/transport/rate/rateReport';
import type { Outcome } from '../../nodes/Prospector/transport/retrying';
import { verdictOn } from '../../nodes/Prospector/transport/retrying';
import { calls, everyFailure, status } from './everyFailure';
import { GOOD, retryScenario } from './retryScenario';

const TIMEOUT: Failure = { kind: 'timeout' };
const POST = calls['a POST with a key'];

describe('a ticket', () => {
	test.each(everyFailure.map((failure) => [JSON.stringify(failure), failure] as const))(
		'is handed back once per try, also after %s',
		async (_, failure) => {
			for (const call of Object.values(calls)) {
				const { run, left, out, sent } = retryScenario({ call, outcomes: [failure], takes: 1000 });
				await run();
				expect([left.length, out.size]).toEqual([sent(), 0]);
			}
		},
	);

	test('is handed back also where a try ends in an exception', async () => {
		const { run, out, sent } = retryScenario({ outcomes: [new RangeError('Out of stack')] });
		await run().catch(() => undefined);
		expect([sent(), out.size]).toEqual([1, 0]);
	});

	test.each<['accepted' | 'refused' | 'unsent', Array<Outcome['result']>]>([
		[
			'accepted',
			[
				GOOD,
				...[301, 400, 401, 403, 404, 409, 422, 500, 502, 503, 504].map((code) => status(code)),
				{ kind: 'network', code: 'ECONNRESET', sent: true },
				TIMEOUT,
				{ kind: 'cut', code: 'ECONNRESET' },
				{ kind: 'notEnvelope', found: 'nothing' },
				{ kind: 'stopped' },
			],
		],
		['refused', [status(429), status(429, { retryAfter: 3 })]],
		[
			'unsent',
			[
				{ kind: 'network', code: 'ECONNREFUSED', sent: false },
				{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' },
				{ kind: 'blocked' },
				{ kind: 'heldBack', heldBackFor: 5 },
			],
		],
	])('tells the gate who was %s', async (verdict, results) => {
		for (const result of results) {
			expect(verdictOn(result)).toBe(verdict);
			const { run, left } = retryScenario({ outcomes: [result], maxWait: 0 });
			await run();
			expect(left).toEqual([[verdict, undefined, isFailure(result)]]);
		}
	});
});

describe('what an answer tells of the limit', () => {
	const rest: RateReport = { limit: 60, remaining: 2, reset: 9000 };

	test.each<[string, Outcome['result'], number, number | undefined]>([
		['429', status(429, { retryAfter: 7 }), 7000, 7000],
		['503', status(503, { retryAfter: 7 }), 7000, 7000],
		['429 for a day', status(429, { retryAfter: 86_400 }), 86_400_000, 300_000],
		['503 for six minutes', status(503, { retryAfter: 360 }), 360_000, 300_000],
		['404', status(404, { retryAfter: 7 }), 7000, undefined],
		['500', status(500, { retryAfter: 7 }), 7000, undefined],
		['301', status(301, { retryAfter: 7 }), 7000, undefined],
		['a success', GOOD, 7000, undefined],
		['no envelope', { kind: 'notEnvelope', found: 'nothing' }, 7000, undefined],
	])('with %s is passed on, and a Retry-After where it concerns others', async (_, result, given, passed) => {
		const outcomes = [{ result, report: { ...rest, retryAfter: given } }];
		const { run, left } = retryScenario({ outcomes, maxWait: 0 });
		await run();
		expect(left).toEqual([[expect.any(String), { ...rest, retryAfter: passed }, expect.any(Boolean)]]);
	});

	test('is passed on without a Retry-After too', async () => {
		const { run, left } = retryScenario({ outcomes: [{ result: status(429), report: rest }], maxWait: 0 });
		await run();
		expect(left).toEqual([['refused', rest, true]]);
	});
});

describe('a request that the gate does not let in', () => {
	test('is held back where it was never sent', async () => {
		const { run, sent } = retryScenario({ outcomes: [GOOD], entries: [{ heldBackFor: 90_000 }] });
		expect(await run()).toEqual({ kind: 'heldBack', heldBackFor: 90_000 });
		expect(sent()).toBe(0);
	});

	test('ends with the last real failure where it was sent before', async () => {
		const entries = ['letIn' as const, 'letIn' as const, { heldBackFor: 90_000 }];
		const outcomes = [TIMEOUT, status(429), GOOD];
		const { run, sent, out } = retryScenario({ call: POST, outcomes, entries, takes: 1000 });
		expect(await run()).toEqual({
			...status(429),
			tries: 2,
			elapsed: 2500,
			inDoubt: true,
			heldBackFor: 90_000,
		});
		expect([sent(), out.size]).toEqual([2, 0]);
	});

	test('was stopped while it waited for its first turn', async () => {
		const { run, sent } = retryScenario({ outcomes: [GOOD], entries: ['stopped'] });
		expect(await run()).toEqual({ kind: 'stopped', waiting: true });
		expect(sent()).toBe(0);
	});

	test('was stopped while it waited for its next turn', async () => {
		const { run } = retryScenario({ call: POST, outcomes: [TIMEOUT, GOOD], entries: ['letIn', 'stopped'] });
		expect(await run()).toEqual({ kind: 'stopped', waiting: true, inDoubt: true });
	});

	test.each([
		[1, {}],
		[3, { tries: 3, elapsed: 3500 }],
	])('was stopped during pause %i', async (pauses, expected) => {
		const { run, sent, entered } = retryScenario({
			...{ call: POST, outcomes: [TIMEOUT, TIMEOUT, TIMEOUT, GOOD] },
			onSleep: (slept) => slept.length < pauses,
		});
		expect(await run()).toEqual({ kind: 'stopped', waiting: true, inDoubt: true, ...expected });
		expect([sent(), entered.length]).toEqual([pauses, pauses]);
	});

	test('was stopped while it was under way, and is not sent again', async () => {
		const { run, sent, slept } = retryScenario({ outcomes: [{ kind: 'stopped' }, GOOD] });
		expect(await run()).toEqual({ kind: 'stopped' });
		expect([sent(), slept]).toEqual([1, []]);
	});
});
