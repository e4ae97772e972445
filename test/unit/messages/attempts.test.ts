import type { ApiRequest, Failure } from '../../../nodes/Prospector/transport/failure/failure';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import { attemptsSummary, formatDuration } from '../../../nodes/Prospector/messages/format';
import { unknownOutcomeAdvice } from '../../../nodes/Prospector/messages/adviceMessages';
import { calls, everyFailure, status } from '../helpers/everyFailure';

test.each([
	[0, '0 s'],
	[1, '1 s'],
	[999.5, '1 s'],
	[1000, '1 s'],
	[1001, '2 s'],
	[59_000, '59 s'],
	[59_001, '1 min 0 s'],
	[60_000, '1 min 0 s'],
	[61_000, '1 min 1 s'],
	[302_000, '5 min 2 s'],
	[3_600_000, '60 min 0 s'],
])('%d ms are in words %s', (duration, words) => expect(formatDuration(duration)).toBe(words));

const once = everyFailure.filter(({ attempts: tries }) => tries === undefined);

describe('the tries before a failure', () => {
	test.each<[Partial<Failure>, string]>([
		[{}, ''],
		[{ elapsedMs: 302_000 }, ''],
		[{ attempts: 2 }, 'Tried 2 times in 0 s. '],
		[{ attempts: 3, elapsedMs: 300_020 }, 'Tried 3 times in 5 min 0 s. '],
		[{ attempts: 3, elapsedMs: 59_500 }, 'Tried 3 times in 1 min 0 s. '],
		[{ attempts: 4, elapsedMs: 302_000 }, 'Tried 4 times in 5 min 2 s. '],
	])('of %j are told as %j', (rest, words) => {
		expect(attemptsSummary({ kind: 'timeout', ...rest } as Failure)).toBe(words);
	});

	test.each(once.map((failure) => [JSON.stringify(failure), failure] as const))(
		'come before the words for %s, which stay the same',
		(_, failure) => {
			const tried = describeFailure({ ...failure, attempts: 4, elapsedMs: 302_000 }, calls['a read']);
			const { message, description } = describeFailure(failure, calls['a read']);
			expect(tried.message).toBe(message);
			expect(tried.description).toBe(`Tried 4 times in 5 min 2 s. ${description}`);
		},
	);
});

const EARLIER = 'An earlier try may have been carried out';
const writes: Array<[string, ApiRequest]> = Object.entries(calls).filter(([name]) => name !== 'a read');

/** Whatever a last try can end in after one of which nobody knows what it did; a list is only read. */
const endings = once.filter(({ kind }) => kind !== 'invalidPagination' && kind !== 'throttled');

describe.each(writes)('after %s of which an earlier try may have been carried out', (_, call) => {
	const outcomeUnknown = (failure: Failure) => {
		const { message, description } = describeFailure(
			{ ...failure, attempts: 4, elapsedMs: 5000, outcomeUnknown: true },
			call,
		);
		return { message, description, text: `${message}. ${description}` };
	};

	test.each(endings)('%j does not claim that nothing was done', (failure) => {
		expect(outcomeUnknown(failure).text).not.toMatch(/nothing (was|has been) (done|sent|changed)/i);
	});

	test.each(endings.filter((failure) => !(failure.kind === 'status' && failure.status === 409)))(
		'%j tells what to do about that, once',
		(failure) => {
			const { description } = outcomeUnknown(failure);
			expect(description.split(unknownOutcomeAdvice(call))).toHaveLength(2);
		},
	);

	test.each<Failure>([
		...[401, 403, 404, 422, 429].map((code) => status(code)),
		{ kind: 'network', code: 'ECONNREFUSED', requestSent: false },
		{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' },
		{ kind: 'canceled', beforeSend: true },
	])('%j, which is certain of itself, tells of the earlier one', (failure) => {
		expect(outcomeUnknown(failure).description).toContain(`. ${EARLIER}. `);
	});

	test.each<Failure>([{ kind: 'timeout' }, status(500), { kind: 'canceled' }])(
		'%j, which is in doubt itself, does not tell of it twice',
		(failure) => expect(outcomeUnknown(failure).description).not.toContain(EARLIER),
	);

	test('the last try alone is said not to have been sent', () => {
		const { description } = outcomeUnknown({ kind: 'network', code: 'ENOTFOUND', requestSent: false });
		expect(description).toMatch(/^Tried 4 times in 5 s\. The last try was not sent \(ENOTFOUND\)\. /);
	});
});

test('a key that was used with another payload is not to be sent once more, whatever an earlier try did', () => {
	const { description } = describeFailure(status(409, { outcomeUnknown: true }), calls['a POST with a key']);
	expect(description).toContain('give another key');
	expect(description).not.toContain('sends the same idempotency key');
});

test('a read that was tried several times leaves nothing in doubt', () => {
	const { description } = describeFailure(
		status(429, { attempts: 2, outcomeUnknown: true }),
		calls['a read'],
	);
	expect(description).not.toContain(EARLIER);
});

test('after a run was started, what counts is that run', () => {
	const call = { ...calls['a read'], startedRun: { id: 'run_9', idempotencyKey: 'key-1' } };
	const { description } = describeFailure(
		status(503, { attempts: 3, elapsedMs: 4000, outcomeUnknown: true }),
		call,
	);
	expect(description).toMatch(/^Tried 3 times in 4 s\. The run goes on\./);
	expect(description).not.toContain(EARLIER);
});
