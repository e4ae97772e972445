import { outputOf } from '../../scripts/engine';
import { byId } from '../nodes';
import { hintsOf, startFastEnvironment, useEnvironment } from './environment';

const MINUTE = 60_000;

const env = useEnvironment(startFastEnvironment);

// How few requests are rejected is tested in virtual time (rateLimitEstimator.test.ts). Here a busy machine delays requests, so
// that the limit can look lower than it is. A node that ignores the limit is rejected more often than this.
const MAX_REJECTED = 45;

test('two executions share their knowledge of the rate limit when they use the same API key', async () => {
	env.control.patchSettings({ limit: 20 });
	const [workflowId] = env.control.seed({ workflows: 1 }).workflows;
	const read = { resource: 'workflow', operation: 'get', workflowId: byId(workflowId) };
	const items = Array.from({ length: 25 }, (_, n) => ({ n }));
	const execute = async () => await env.runNode(read, items);
	// Code that runs for the first time takes longer.
	await env.runNode(read, items.slice(0, 1));
	env.resetService();
	for (const ended of await Promise.all([execute(), execute()])) {
		expect(outputOf(ended, 'Prospector')).toHaveLength(25);
		expect(hintsOf(ended).join('\n')).toMatch(/^The rate limit added \d+ (min|s).*\.$/m);
	}
	expect(env.journal().filter(({ status }) => status === 429).length).toBeLessThan(MAX_REJECTED);
	expect(env.duration()).toBeGreaterThanOrEqual(2 * MINUTE);
	expect(env.duration()).toBeLessThan(4 * MINUTE);
});
