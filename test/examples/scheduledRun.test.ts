import { startExample } from './support';

let bench: Awaited<ReturnType<typeof startExample>>;

// Only the date stands still: requests and pauses take their time.
beforeAll(async () => {
	jest.useFakeTimers({
		now: new Date('2026-03-01T06:00:00Z'),
		doNotFake: [
			'hrtime',
			'nextTick',
			'performance',
			'queueMicrotask',
			'setImmediate',
			'clearImmediate',
		].concat(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout']) as never,
	});
	bench = await startExample('scheduled-run-with-a-key-per-day.json', { listOrder: 'newest' });
});
afterAll(async () => {
	await bench.close();
	jest.useRealTimers();
});

const starts = () => bench.journal().filter(({ operation }) => operation === 'runWorkflow');
const started = () => bench.sandbox.control.runs().started;

test('the schedule starts a run with the day in its key', async () => {
	const { error, items } = await bench.execute('trigger');
	expect(error).toBeUndefined();
	expect(items("Start today's run")).toEqual([
		expect.objectContaining({ object: 'prospector_run', idempotency_key: 'morning-run-2026-03-01' }),
	]);
	expect(started()).toBe(1);
	// As imported, of the oldest Prospector workflow, wherever that is listed.
	expect(
		items('List the Prospector workflows')
			.map(({ id }) => id)
			.at(-1),
	).toBe(items("Start today's run")[0].workflow_id);
});

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'executed again that day, by hand, it gives the same run: lists %s',
	async (listOrder) => {
		bench.sandbox.control.patchSettings({ listOrder });
		bench.sandbox.control.seed({ workflows: 3 });
		const { error, items } = await bench.execute('manual', { input: [{ json: {} }] });
		expect(error).toBeUndefined();
		expect(items("Start today's run")).toHaveLength(1);
		expect(started()).toBe(1);
	},
);

test('an answer that is lost starts no second run', async () => {
	jest.setSystemTime(new Date('2026-03-02T06:00:00Z'));
	bench.sandbox.control.addFault({ match: { operation: 'runWorkflow' }, kind: 'drop', when: 'after' });
	const { error } = await bench.execute('trigger');
	expect(error).toBeUndefined();
	expect(started()).toBe(2);
	expect(
		starts()
			.slice(-2)
			.map(({ idempotencyKey }) => idempotencyKey),
	).toEqual(['morning-run-2026-03-02', 'morning-run-2026-03-02']);
});
