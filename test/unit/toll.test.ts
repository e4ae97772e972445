import { causeOf, Toll } from '../../nodes/Prospector/transport/toll';
import { retryScenario, GOOD } from './retryScenario';
import type { Failure } from '../../nodes/Prospector/transport/failure';
import { status } from './everyFailure';

const network = (sent: boolean): Failure => ({ kind: 'network', code: 'ECONNRESET', sent });

const counts = (toll: Toll) => ({
	retried: toll.retried,
	causes: Object.fromEntries(toll.causes),
	heldBack: toll.heldBack,
	heldBackFor: toll.heldBackFor,
});

describe('the time for which requests are held back', () => {
	test('is counted once for those that wait side by side', () => {
		const toll = new Toll();
		const [first, second] = [toll.request().hold(1000), toll.request().hold(2000)];
		first(4000);
		second(5000);
		toll.request().hold(7000)(7500);
		expect(counts(toll)).toMatchObject({ heldBack: 3, heldBackFor: 4500 });
	});

	test('is that of one request, however often it waits', () => {
		const toll = new Toll();
		const request = toll.request();
		request.hold(0)(500);
		request.hold(1000)(1700);
		expect(counts(toll)).toMatchObject({ heldBack: 1, heldBackFor: 1200 });
	});

	test('concerns no request whose turn comes at once', () => {
		const toll = new Toll();
		toll.request().hold(0)(0.2);
		expect(toll.heldBack).toBe(0);
	});
});

describe('what a request has to put up with', () => {
	test('is nothing where all goes well', async () => {
		const toll = new Toll();
		await retryScenario({ outcomes: [GOOD], toll }).run();
		expect(counts(toll)).toEqual({ retried: 0, causes: {}, heldBack: 0, heldBackFor: 0 });
	});

	test('are its retries, with why each was made', async () => {
		const toll = new Toll();
		await retryScenario({ outcomes: [status(503), status(503), network(true), GOOD], toll }).run();
		expect(counts(toll)).toMatchObject({
			retried: 1,
			causes: { 'status 503': 2, 'connection lost': 1 },
			heldBack: 0,
		});
	});

	test('is no retry where none was made', async () => {
		const toll = new Toll();
		await retryScenario({ outcomes: [status(503)], maxWait: 0, toll }).run();
		await retryScenario({ outcomes: [status(404)], toll }).run();
		await retryScenario({ outcomes: [status(503)], onSleep: () => false, toll }).run();
		expect(counts(toll)).toMatchObject({ retried: 0, causes: {} });
	});

	test('is the pause that the service asks for', async () => {
		const toll = new Toll();
		await retryScenario({ outcomes: [status(503, { retryAfter: 7 }), GOOD], toll }).run();
		expect(counts(toll)).toMatchObject({ retried: 1, heldBack: 1, heldBackFor: 7000 });
	});
});

test.each([
	[status(429), 'status 429'],
	[network(true), 'connection lost'],
	[network(false), 'no connection'],
	[{ kind: 'timeout' } as const, 'no answer in time'],
	[{ kind: 'cut', code: 'ECONNRESET' } as const, 'answer broke off'],
])('%j is called %s', (failure, words) => expect(causeOf(failure)).toBe(words));
