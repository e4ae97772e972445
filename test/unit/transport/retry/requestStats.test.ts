import { retryReason, RequestStats } from '../../../../nodes/Prospector/transport/retry/requestStats';
import { retryScenario, GOOD } from '../../helpers/retryScenario';
import type { Failure } from '../../../../nodes/Prospector/transport/failure/failure';
import { status } from '../../helpers/everyFailure';

const network = (sent: boolean): Failure => ({ kind: 'network', code: 'ECONNRESET', requestSent: sent });

const counts = (stats: RequestStats) => ({
	retried: stats.retried,
	causes: Object.fromEntries(stats.causes),
	throttled: stats.throttled,
	throttledMs: stats.throttledMs,
});

describe('the throttled time', () => {
	test('is counted once when requests wait at the same time', () => {
		const stats = new RequestStats();
		const [first, second] = [stats.request().startThrottle(1000), stats.request().startThrottle(2000)];
		first(4000);
		second(5000);
		stats.request().startThrottle(7000)(7500);
		expect(counts(stats)).toMatchObject({ throttled: 3, throttledMs: 4500 });
	});

	test('counts one request that waits twice as one request', () => {
		const stats = new RequestStats();
		const request = stats.request();
		request.startThrottle(0)(500);
		request.startThrottle(1000)(1700);
		expect(counts(stats)).toMatchObject({ throttled: 1, throttledMs: 1200 });
	});

	test('does not count a request that is permitted at once', () => {
		const stats = new RequestStats();
		stats.request().startThrottle(0)(0.2);
		expect(stats.throttled).toBe(0);
	});
});

describe('the counts', () => {
	test('are 0 when every request succeeds', async () => {
		const stats = new RequestStats();
		await retryScenario({ outcomes: [GOOD], stats }).run();
		expect(counts(stats)).toEqual({ retried: 0, causes: {}, throttled: 0, throttledMs: 0 });
	});

	test('include retries by reason', async () => {
		const stats = new RequestStats();
		await retryScenario({ outcomes: [status(503), status(503), network(true), GOOD], stats }).run();
		expect(counts(stats)).toMatchObject({
			retried: 1,
			causes: { 'status 503': 2, 'connection lost': 1 },
			throttled: 0,
		});
	});

	test('include no retry when none was made', async () => {
		const stats = new RequestStats();
		await retryScenario({ outcomes: [status(503)], maxWait: 0, stats }).run();
		await retryScenario({ outcomes: [status(404)], stats }).run();
		await retryScenario({ outcomes: [status(503)], onSleep: () => false, stats }).run();
		expect(counts(stats)).toMatchObject({ retried: 0, causes: {} });
	});

	test('include the delay that the service asked for', async () => {
		const stats = new RequestStats();
		await retryScenario({ outcomes: [status(503, { retryAfter: 7 }), GOOD], stats }).run();
		expect(counts(stats)).toMatchObject({ retried: 1, throttled: 1, throttledMs: 7000 });
	});
});

test.each([
	[status(429), 'status 429'],
	[network(true), 'connection lost'],
	[network(false), 'no connection'],
	[{ kind: 'timeout' } as const, 'no answer in time'],
	[{ kind: 'truncatedResponse', code: 'ECONNRESET' } as const, 'answer broke off'],
])('the reason for a retry after %j is %s', (failure, words) => expect(retryReason(failure)).toBe(words));
