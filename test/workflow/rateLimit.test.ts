import type { RateLimitHeaders } from '../../sandbox/settings';
import { find, inputFor, parametersFor } from './everyOperation';
import { startFastEnvironment, type FastEnvironment } from './fastBench';

/** A request takes some real milliseconds, which are tenths of a second on the fast clock. */
const SPEED = 40;
const LIMIT = 20;
const MINUTE = 60_000;

let bench: FastEnvironment;
beforeAll(async () => (bench = await startFastEnvironment({}, SPEED)));
afterAll(async () => await bench.close());
beforeEach(() => {
	bench.prepare();
	bench.sandbox.control.patchSettings({ limit: LIMIT, rateLimitHeaders: 'none' });
});

const read = find('Config › get');
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const refused = () => bench.journal().filter(({ status }) => status === 429).length;
const withDefaults = (title: string) => {
	const parameters = parametersFor(find(title));
	delete parameters.options;
	return parameters;
};
/** A key of its own, so that what another test used up does not count. */
async function freshKey() {
	const { name, secret } = bench.sandbox.control.createKey({
		name: `key_${bench.sandbox.control.state().keys.length}`,
	});
	await bench.credential(name, { apiKey: secret });
	return name;
}

// How few are refused, and that a service which tells what is left refuses none, is shown in virtual time, in
// rateLimitEstimator.test.ts. Here a busy machine delays requests, so that the limit can look lower than it is. A node
// that ignores the limit is refused more often than this.
const MANY = 25;

// Headers with a time of day are read in rateLimitHeaders.test.ts: on a fast clock the time of day is another one.
test.each<[string, RateLimitHeaders]>([
	['tells nothing', 'none'],
	['tells the seconds to wait', 'retry-after'],
	['tells what is left', 'ratelimit'],
])('50 items over a limit of 20 a minute all succeed, where the service %s', async (_, rateLimitHeaders) => {
	bench.sandbox.control.patchSettings({ rateLimitHeaders });
	const found = await bench.items(withDefaults(read.title), items(50), {}, await freshKey());
	expect(found.map(({ pairedItem }) => pairedItem)).toEqual(items(50).map(({ n }) => ({ item: n })));
	expect(refused()).toBeLessThan(MANY);
	// Two full minutes is the least: 20 at once, 20 after one minute, 10 after the second.
	expect(bench.duration()).toBeGreaterThanOrEqual(2 * MINUTE);
	expect(bench.duration()).toBeLessThan(4 * MINUTE);
});

test('25 runs over a limit of 10 a minute are started once each, in the order of the items', async () => {
	bench.sandbox.control.patchSettings({ limit: 10 });
	const input = inputFor(bench, find('Workflow › run'), 25);
	const found = await bench.items(withDefaults('Workflow › run'), input, {}, await freshKey());
	expect(found.map(({ json }) => json.workflow_id)).toEqual(input.map(({ id }) => id));
	expect(bench.journal().filter(({ committed }) => committed)).toHaveLength(25);
	expect(refused()).toBeLessThan(12);
});

test('executions that share an API key share its limit, and what one has learned', async () => {
	const key = await freshKey();
	const parameters = withDefaults(read.title);
	const both = await Promise.all([
		bench.items(parameters, items(25), {}, key),
		bench.items(parameters, items(25), {}, key),
	]);
	expect(both.map((found) => found.length)).toEqual([25, 25]);
	expect(refused()).toBeLessThan(MANY);
	expect(bench.duration()).toBeLessThan(4 * MINUTE);
});

test('a long execution does not keep out a short one with the same API key', async () => {
	const key = await freshKey();
	const order: string[] = [];
	const parameters = withDefaults(read.title);
	const long = bench.items(parameters, items(60), {}, key).then(() => order.push('long'));
	await bench.clock.timing.sleep(10_000);
	const short = bench.items(parameters, items(2), {}, key).then(() => order.push('short'));
	await Promise.all([long, short]);
	expect(order).toEqual(['short', 'long']);
});

test('another API key is not held back', async () => {
	const parameters = withDefaults(read.title);
	const busy = bench.items(parameters, items(30), {}, await freshKey());
	await bench.clock.timing.sleep(10_000);
	const other = await freshKey();
	const before = bench.clock.now();
	await bench.items(parameters, items(5), {}, other);
	// With the busy one it would wait for the rest of the minute.
	expect(bench.clock.now() - before).toBeLessThan(45_000);
	await busy;
});

test('a limit that is lowered half-way fails no item', async () => {
	const key = await freshKey();
	const running = bench.items(withDefaults(read.title), items(50), {}, key);
	await bench.clock.timing.sleep(50_000);
	bench.sandbox.control.patchSettings({ limit: LIMIT / 2 });
	expect(await running).toHaveLength(50);
	expect(refused()).toBeLessThan(MANY);
});

test('whoever may not wait so long is told at once, and nothing is sent', async () => {
	const key = await freshKey();
	await bench.items(withDefaults(read.title), items(LIMIT), {}, key);
	const parameters = { ...withDefaults(read.title), options: { maxWait: 20 } };
	const refusal = await bench.failure(parameters, [{}], key);
	expect(refusal.description).toMatch(
		/^Nothing was done\. Its turn would come in (?:\d+ min )?\d+ s at the earliest, .* raise 'Max Wait'/,
	);
	const asked = bench.journal().length;
	const heldBack = await bench.failure(parameters, [{}], key);
	expect(heldBack.message).toBe(
		"The API key's requests for this minute are used up, so this one was not sent",
	);
	expect(bench.journal()).toHaveLength(asked);
});
