import { createClient } from '../../../../nodes/Prospector/transport/request/client';
import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import { RateLimiterRegistry } from '../../../../nodes/Prospector/transport/rate/rateLimiters';
import { manualTiming } from '../../helpers/manualTiming';
import { CONNECTION, NODE } from '../../helpers/support';

test('a request that may wait 5 s ends within 6 s when the first request with its API key hangs', async () => {
	const { timing, pass, sleeping } = manualTiming();
	const limiters = new RateLimiterRegistry(timing);
	const hang = async () => await new Promise<never>(() => undefined);
	const clientOf = (maxWait: number, send: () => Promise<never>) =>
		createClient({
			node: NODE,
			connection: CONNECTION,
			send,
			timeout: 60_000,
			maxWait,
			limiters,
			clock: timing,
		});
	void clientOf(300_000, hang).safeRequest({ endpoint: endpoints.getConfig });
	const endedAt: number[] = [];
	const refuse = async () =>
		await Promise.reject<never>(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
	void clientOf(5000, refuse)
		.safeRequest({ endpoint: endpoints.getConfig })
		.then(() => endedAt.push(timing.now()));
	await pass(20_000);
	expect(endedAt).toHaveLength(1);
	expect(endedAt[0]).toBeLessThanOrEqual(6000);
	expect(sleeping()).toBe(0);
});
