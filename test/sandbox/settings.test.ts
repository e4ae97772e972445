import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import { closeAll, oneOfEach, startTestSandbox } from './support';

afterEach(closeAll);

// Settings of lists, limits, runs, idempotency, faults and the journal are tried where those are.

describe('errors', () => {
	const id = expect.stringMatching(/^req_/);
	test.each([
		['object', 'body', { error: { message: 'Unauthorized' }, request_id: id }, false],
		['object', 'header', { error: { message: 'Unauthorized' } }, true],
		['object', 'none', { error: { message: 'Unauthorized' } }, false],
		['text', 'body', 'Unauthorized', false],
		['text', 'header', 'Unauthorized', true],
		['empty', 'body', '', false],
		['empty', 'header', '', true],
	] as const)('errorBody %s, errorRequestId %s', async (errorBody, errorRequestId, body, header) => {
		const bench = await startTestSandbox({ settings: { errorBody, errorRequestId } });
		const reply = await bench.call('GET', '/me', { key: null });
		expect(reply.status).toBe(401);
		expect(reply.json ?? reply.text).toEqual(body);
		expect(reply.headers['x-request-id']).toEqual(header ? id : undefined);
		const entry = bench.control.journal()[0];
		if (header) expect(entry.requestId).toBe(reply.headers['x-request-id']);
	});
});

describe('dateHeader', () => {
	test('adds a Date header with the time of the sandbox clock to every response', async () => {
		const bench = await startTestSandbox();
		bench.pass(90_000);
		for (const path of ['/me', '/nowhere']) {
			expect((await bench.call('GET', path)).headers.date).toBe('Sat, 01 Mar 2025 12:01:30 GMT');
		}
	});

	test('leaves the Date header out when it is false', async () => {
		const bench = await startTestSandbox({ settings: { dateHeader: false } });
		for (const path of ['/me', '/nowhere']) {
			expect((await bench.call('GET', path)).headers.date).toBeUndefined();
		}
	});
});

test('timezone and states', async () => {
	const settings = { timezone: 'UTC', states: [{ a: { b: [1] } }] };
	const bench = await startTestSandbox({ settings });
	expect((await bench.call('GET', '/prospector/config')).json.data).toMatchObject(settings);
});

test('words and names of workflows', async () => {
	const bench = await startTestSandbox({
		settings: { workflowStatus: 'draft', workflowName: '(none)', deletedWorkflowStatus: 'deleted' },
	});
	const made = (await bench.call('POST', '/prospector/workflows', { body: {} })).json.data;
	expect(made).toMatchObject({ name: '(none)', status: 'draft' });
	const gone = (await bench.call('DELETE', `/prospector/workflows/${made.id}`)).json.data;
	expect(gone.status).toBe('deleted');
});

test('extraFields stand next to the fields of the contract and hide none', async () => {
	const more = { error: 'field', id: 'hidden', object: 'hidden' };
	const extraFields = { config: more, workflow: more, run: more, result: more, me: more };
	const bench = await startTestSandbox({ settings: { extraFields } });
	const { workflow, run } = oneOfEach(bench);
	const results = (await bench.call('GET', `/prospector/runs/${run}/results`)).json.data;
	const paths = ['/prospector/config', `/prospector/workflows/${workflow}`, `/prospector/runs/${run}`, '/me'];
	const others = await Promise.all(paths.map(async (path) => (await bench.call('GET', path)).json.data));
	for (const resource of [...results, ...others]) {
		expect(resource.error).toBe('field');
		expect(resource.id).not.toBe('hidden');
		expect(resource.object).not.toBe('hidden');
	}
});

describe('wrong settings are refused, at the start and later', () => {
	test.each([
		[{ limit: 0 }, /"limit" must be a whole number from 1/],
		[{ limit: '5' }, /"limit"/],
		[{ windowMs: 0.5 }, /"windowMs"/],
		[{ rateLimitHeaders: 'all' }, /one of: none, retry-after/],
		[{ rateLimitHeaders: ['none', 'all'] }, /an array/],
		[{ lastCursor: null }, /"lastCursor"/],
		[{ cursorParam: '' }, /"cursorParam"/],
		[{ defaultPageSize: 0 }, /"defaultPageSize"/],
		[{ listOrder: 'random' }, /newest, oldest, shuffled/],
		[{ runStatuses: [] }, /"runStatuses"/],
		[{ runStatuses: ['a', ''] }, /"runStatuses"/],
		[{ runEndings: { wf: 1 } }, /"runEndings"/],
		[{ states: [1] }, /"states"/],
		[{ extraFields: { lead: {} } }, /"extraFields"/],
		[{ idempotencyTtlMs: -1 }, /null or a whole number/],
		[{ idempotencyScope: 'global' }, /workspace, key/],
		[{ errorBody: 'xml' }, /object, text, empty/],
		[{ dateHeader: 'yes' }, /"dateHeader" must be true or false/],
		[{ toString: 1 }, /no setting "toString"/],
		[{ limit: NaN }, /"limit"/],
		[{ limit: Infinity }, /"limit"/],
		[{ limit: -1 }, /"limit"/],
		[{ limit: 1_000_000_001 }, /"limit" must be a whole number from 1 to 1000000000/],
		[{ windowMs: 100 * 366 * 86_400_000 }, /"windowMs"/],
		[{ defaultPageSize: 1e300 }, /"defaultPageSize"/],
		[{ maxPageSize: 1.5 }, /"maxPageSize"/],
		[{ runStageMs: 1e15 }, /"runStageMs"/],
		[{ runStatuses: Array(101).fill('x') }, /"runStatuses" must be an array of 1 to 100/],
		[{ runStatuses: { length: 1, 0: 'a' } }, /"runStatuses"/],
		[{ runStatuses: Array(2) }, /"runStatuses"/],
		[{ resultsPerRun: 1_000_001 }, /"resultsPerRun"/],
		[{ resultsPerRun: -1 }, /"resultsPerRun"/],
		[{ idempotencyTtlMs: Number.MAX_SAFE_INTEGER }, /"idempotencyTtlMs"/],
		[{ faultSeed: -1 }, /"faultSeed"/],
		[{ faultSeed: 2 ** 53 }, /"faultSeed"/],
		[{ journalSize: 1e10 }, /"journalSize"/],
		[{ timezone: 'x'.repeat(1001) }, /"timezone" must be a string of 1 to 1000 characters/],
		[{ states: [{ big: BigInt(1) }] }, /"states"/],
		[{ extraFields: { me: { at: () => 1 } } }, /"extraFields"/],
	])('%p', async (wrong, message) => {
		const settings = wrong as unknown as Partial<SandboxSettings>;
		await expect(startSandbox({ settings })).rejects.toThrow(message);
		const bench = await startTestSandbox();
		const before = bench.control.state().settings;
		expect(() => bench.control.patchSettings(settings)).toThrow(message);
		expect(bench.control.state().settings).toEqual(before);
	});

	test('undefined changes nothing, null is a value', async () => {
		const bench = await startTestSandbox({ settings: { limit: undefined, idempotencyTtlMs: 5 } });
		expect(bench.control.state().settings).toMatchObject({ limit: 600, idempotencyTtlMs: 5 });
		expect(bench.control.patchSettings({ idempotencyTtlMs: null }).idempotencyTtlMs).toBeNull();
	});
});
