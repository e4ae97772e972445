import fc from 'fast-check';
import { FakeClock, fakeDependencies } from '../helpers/fakeClock';
import { executeNode, httpResponse, itemResponse } from '../helpers/support';

const HOUR_MS = 3_600_000;

test('a hint says that a run existed before the request only if it did, however long the request was tried again', async () => {
	const anyTime = fc.record({
		outageMs: fc.constantFrom(0, 5000, 2 * HOUR_MS),
		/** How long before the request the run was created. */
		ageMs: fc.constantFrom(-5000, 0, 1000, 3000, HOUR_MS - 2000, HOUR_MS + 2000, 24 * HOUR_MS),
		/** How far the service's clock is ahead of n8n's. */
		aheadMs: fc.constantFrom(-24 * HOUR_MS, 0, 24 * HOUR_MS),
	});
	await fc.assert(
		fc.asyncProperty(
			...[anyTime, fc.boolean(), fc.boolean()],
			async ({ outageMs, ageMs, aheadMs }, isUserKey, hasDate) => {
				const clock = new FakeClock({ autoAdvance: true });
				const serviceNow = () => clock.wallClock.now() + aheadMs;
				const created_at = new Date(serviceNow() - ageMs).toISOString();
				const answer = () => {
					if (clock.now() < outageMs) return httpResponse(503, '', { 'retry-after': '600' });
					const headers = hasDate ? { date: new Date(serviceNow()).toUTCString() } : {};
					return { ...itemResponse({ id: 'run_1', created_at }), headers };
				};
				const ownKey = { preventDuplicates: 'key', idempotencyKey: 'k' };
				const { hints } = await executeNode({
					operation: 'workflow.run',
					parameters: { workflowId: 'wf_1', options: { retryFor: 10_800, ...(isUserKey && ownKey) } },
					answers: [answer],
					dependencies: fakeDependencies(clock),
				});
				const knownAgeMs = hasDate ? ageMs : ageMs - aheadMs;
				const isOld = knownAgeMs > (hasDate && isUserKey ? 2000 : HOUR_MS);
				expect(hints.some(({ message }) => message.includes('before this request'))).toBe(isOld);
			},
		),
		{ numRuns: 100 },
	);
});
