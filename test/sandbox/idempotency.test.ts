import { OPERATION_CASES, closeAll, oneOfEach, startTestSandbox, sendCase } from './support';
import type { Bench, CallOptions } from './support';

afterEach(closeAll);

const KEYED = OPERATION_CASES.filter((item) => item.keyed);
const UNKEYED_WRITES = OPERATION_CASES.filter((item) => item.scope === 'prospector.run' && !item.keyed);
const withKey = (key: string, more: CallOptions = {}): CallOptions => ({
	...more,
	headers: { 'idempotency-key': key },
});
const create = (bench: Bench, key: string, body: unknown = { name: 'A' }, secret = bench.key.full) =>
	bench.call('POST', '/prospector/workflows', withKey(key, { body, key: secret }));
const created = (bench: Bench) => bench.control.state().counts.workflowsCreated;

describe.each(KEYED)('$number $operation', (item) => {
	const made = (bench: Bench) =>
		item.operation === 'runWorkflow' ? bench.control.runs().started : created(bench);

	test('the same key and payload: the first answer again, done once', async () => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		const first = await sendCase(bench, item, where, withKey('k'));
		bench.pass(60_000);
		const second = await sendCase(bench, item, where, withKey('k'));
		expect(second.status).toBe(200);
		expect(second.text).toBe(first.text);
		expect(made(bench)).toBe(1);
		expect(bench.control.journal()).toMatchObject([
			{ committed: true, replayed: false, idempotencyKey: 'k' },
			{ committed: false, replayed: true, idempotencyKey: 'k', requestId: first.json.request_id },
		]);
	});

	test('twenty at the same time: done once', async () => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		const replies = await Promise.all(
			Array.from({ length: 20 }, () => sendCase(bench, item, where, withKey('k'))),
		);
		expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
		expect(made(bench)).toBe(1);
	});

	test.each(['before', 'after'] as const)(
		'a slow first request (%s) and a fast second: done once',
		async (when) => {
			const bench = await startTestSandbox();
			const where = oneOfEach(bench);
			bench.control.addFault({ kind: 'slow', delayMs: 40, when });
			const slow = sendCase(bench, item, where, withKey('k'));
			const fast = await sendCase(bench, item, where, withKey('k'));
			expect((await slow).text).toBe(fast.text);
			expect(made(bench)).toBe(1);
		},
	);

	test('without a key, or with an empty one, every request counts', async () => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		for (const options of [{}, {}, withKey(''), withKey('')]) await sendCase(bench, item, where, options);
		expect(made(bench)).toBe(4);
	});

	test('other keys are other requests', async () => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		for (const key of ['a', 'b', 'c']) await sendCase(bench, item, where, withKey(key));
		expect(made(bench)).toBe(3);
	});
});

describe('409', () => {
	test('another body', async () => {
		const bench = await startTestSandbox();
		expect((await create(bench, 'k', { name: 'A' })).status).toBe(200);
		expect((await create(bench, 'k', { name: 'B' })).status).toBe(409);
		expect(created(bench)).toBe(1);
		expect((await create(bench, 'k', { name: 'A' })).status).toBe(200);
	});

	test('another workflow to run', async () => {
		const bench = await startTestSandbox();
		const { workflows } = bench.control.seed({ workflows: 2 });
		const run = (id: string) => bench.call('POST', `/prospector/workflows/${id}/run`, withKey('k'));
		expect((await run(workflows[0])).status).toBe(200);
		expect((await run(workflows[1])).status).toBe(409);
		expect(bench.control.runs().started).toBe(1);
	});

	test('another operation', async () => {
		const bench = await startTestSandbox();
		const { workflow } = oneOfEach(bench);
		await create(bench, 'k');
		const run = await bench.call('POST', `/prospector/workflows/${workflow}/run`, withKey('k'));
		expect(run.status).toBe(409);
	});
});

test('the order of properties makes no other payload, the order of items does', async () => {
	const bench = await startTestSandbox();
	await create(bench, 'k', { name: 'A', deep: { a: 1, b: [1, 2] } });
	expect((await create(bench, 'k', { deep: { b: [1, 2], a: 1 }, name: 'A' })).status).toBe(200);
	expect((await create(bench, 'k', { name: 'A', deep: { a: 1, b: [2, 1] } })).status).toBe(409);
	expect(created(bench)).toBe(1);
});

test.each(UNKEYED_WRITES)('$number $operation does not look at the header', async (item) => {
	const bench = await startTestSandbox();
	const where = oneOfEach(bench);
	const key = withKey('k');
	expect((await sendCase(bench, item, where, key)).status).toBe(200);
	const again = item.operation === 'deleteWorkflow' ? 404 : 200;
	expect((await sendCase(bench, item, where, key)).status).toBe(again);
	expect((await create(bench, 'k')).status).toBe(200);
});

test('a refusal is not remembered', async () => {
	const bench = await startTestSandbox();
	expect((await create(bench, 'k', { name: 1 })).status).toBe(400);
	expect((await create(bench, 'k', { name: 'A' }, bench.key.readOnlyScope)).status).toBe(403);
	expect((await create(bench, 'k', { name: 'A' })).status).toBe(200);
});

test('a replay of a run outlives its workflow', async () => {
	const bench = await startTestSandbox();
	const { workflow } = oneOfEach(bench);
	const run = () => bench.call('POST', `/prospector/workflows/${workflow}/run`, withKey('k'));
	const first = await run();
	await bench.call('DELETE', `/prospector/workflows/${workflow}`);
	expect((await run()).text).toBe(first.text);
});

test('idempotencyTtlMs: forgotten from then on', async () => {
	const bench = await startTestSandbox({ settings: { idempotencyTtlMs: 1000 } });
	await create(bench, 'k');
	bench.pass(999);
	expect((await create(bench, 'k', { name: 'B' })).status).toBe(409);
	bench.pass(1);
	expect((await create(bench, 'k', { name: 'B' })).status).toBe(200);
	expect(created(bench)).toBe(2);
});

test.each([
	['workspace', 1],
	['key', 2],
] as const)('idempotencyScope %s: a rotated key makes %d', async (idempotencyScope, count) => {
	const bench = await startTestSandbox({ settings: { idempotencyScope } });
	await create(bench, 'k');
	const { secret } = bench.control.rotateKey('full');
	await create(bench, 'k', { name: 'A' }, secret);
	expect(created(bench)).toBe(count);
});
