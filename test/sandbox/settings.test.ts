import fc from 'fast-check';
import { resultOffset, runProgress } from '../../sandbox/runProgress';
import type { RunPlan } from '../../sandbox/runProgress';
import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import { seedOneOfEach, useTestSandbox } from './testSandbox';

// Settings of lists, rate limits, idempotency, fault rules and the journal are tested with those.
const sandbox = useTestSandbox();
const WORKFLOWS = '/prospector/workflows';

async function startRun() {
	const [workflow] = sandbox.control.seed({ workflows: 1 }).workflows;
	const { data } = (await sandbox.call('POST', `${WORKFLOWS}/${workflow}/run`)).json;
	const path = `/prospector/runs/${data.id}`;
	return {
		workflow,
		run: async () => await sandbox.get(path),
		results: async () => await sandbox.get(`${path}/results`),
	};
}

describe('errorBody and errorRequestId', () => {
	const id = expect.stringMatching(/^req_/);
	test.each([
		['object', 'body', { error: { message: 'Unauthorized' }, request_id: id }, false],
		['object', 'header', { error: { message: 'Unauthorized' } }, true],
		['object', 'none', { error: { message: 'Unauthorized' } }, false],
		['text', 'body', 'Unauthorized', false],
		['text', 'header', 'Unauthorized', true],
		['empty', 'body', '', false],
		['empty', 'header', '', true],
	] as const)('%s and %s send %j', async (errorBody, errorRequestId, body, hasHeader) => {
		sandbox.control.patchSettings({ errorBody, errorRequestId });
		const { status, json, text, headers } = await sandbox.call('GET', '/me', { key: null });
		expect(status).toBe(401);
		expect(json ?? text).toEqual(body);
		expect(headers['x-request-id']).toEqual(hasHeader ? id : undefined);
		const { requestId } = sandbox.control.journal()[0];
		if (hasHeader) expect(requestId).toBe(headers['x-request-id']);
	});
});

test.each([
	[true, 'Sat, 01 Mar 2025 12:01:30 GMT'],
	[false, undefined],
])('dateHeader %p sends the Date header %p with every response', async (dateHeader, date) => {
	sandbox.control.patchSettings({ dateHeader });
	sandbox.control.advanceClock(90_000);
	for (const path of ['/me', '/nowhere']) {
		expect((await sandbox.call('GET', path)).headers.date).toBe(date);
	}
});

test('timezone and states are in the prospector config', async () => {
	const settings = { timezone: 'UTC', states: [{ a: { b: [1] } }] };
	sandbox.control.patchSettings(settings);
	expect(await sandbox.get('/prospector/config')).toMatchObject(settings);
});

test('workflowName, workflowStatus and deletedWorkflowStatus apply to workflows without their own', async () => {
	const workflow = { workflowStatus: 'draft', workflowName: '(none)' };
	sandbox.control.patchSettings({ ...workflow, deletedWorkflowStatus: 'deleted' });
	const { data } = (await sandbox.call('POST', WORKFLOWS, { body: {} })).json;
	expect(data).toMatchObject({ name: '(none)', status: 'draft' });
	const deleted = await sandbox.call('DELETE', `${WORKFLOWS}/${data.id}`);
	expect(deleted.json.data.status).toBe('deleted');
});

test("extraFields add fields and never replace the contract's fields", async () => {
	const more = { error: 'field', id: 'hidden', object: 'hidden' };
	sandbox.control.patchSettings({
		extraFields: { config: more, workflow: more, run: more, result: more, me: more },
	});
	const { workflow, run } = seedOneOfEach(sandbox);
	const paths = [
		'/prospector/config',
		`${WORKFLOWS}/${workflow}`,
		`/prospector/runs/${run}`,
		`/prospector/runs/${run}/results`,
		'/me',
	];
	for (const resource of (await Promise.all(paths.map((path) => sandbox.get(path)))).flat()) {
		expect(resource.error).toBe('field');
		expect([resource.id, resource.object]).not.toContain('hidden');
	}
});

describe('a run', () => {
	test('passes through the statuses while its results appear', async () => {
		const { run, results, workflow } = await startRun();
		const created = Date.parse((await run()).created_at);
		const seen: Array<[string, number, number]> = [];
		for (let step = 0; step < 5; step++) {
			const { status, updated_at } = await run();
			seen.push([status, (await results()).length, Date.parse(updated_at) - created]);
			sandbox.control.advanceClock(750);
		}
		expect(seen).toEqual([
			['queued', 0, 0],
			['queued', 0, 0],
			['running', 0, 1500],
			['running', 6, 1500],
			['completed', 12, 3000],
		]);
		expect(await sandbox.get(`${WORKFLOWS}/${workflow}/runs`)).toEqual([await run()]);
		const all = await results();
		expect(new Set(all.map(({ id }: { id: string }) => id)).size).toBe(12);
		for (const { created_at } of all) expect(Date.parse(created_at)).toBeGreaterThan(created + 1500);
	});

	test('keeps the runStatuses, runStageMs and resultsPerRun of its start', async () => {
		sandbox.control.patchSettings({ runStatuses: ['PENDING', 'DONE'], runStageMs: 100, resultsPerRun: 2 });
		const { run, results } = await startRun();
		sandbox.control.patchSettings({ runStatuses: ['x'], runStageMs: 9999, resultsPerRun: 9 });
		expect(await run()).toMatchObject({ status: 'PENDING' });
		sandbox.control.advanceClock(100);
		expect(await run()).toMatchObject({ status: 'DONE' });
		expect(await results()).toHaveLength(2);
	});

	test('ends with the status of its workflow in finalStatusByWorkflow', async () => {
		const [bad, good] = sandbox.control.seed({ workflows: 2 }).workflows;
		sandbox.control.patchSettings({ finalStatusByWorkflow: { [bad]: 'failed' } });
		for (const id of [bad, good]) await sandbox.call('POST', `${WORKFLOWS}/${id}/run`);
		sandbox.control.advanceClock(60_000);
		expect(sandbox.control.runs().runs.map(({ status }) => status)).toEqual(['failed', 'completed']);
	});
});

describe('runProgress', () => {
	const offsetsOf = (plan: RunPlan) =>
		Array.from({ length: plan.results }, (_, index) => resultOffset(plan, index));
	const three = { statuses: ['a', 'b', 'c'], stageMs: 1000, results: 4 };
	const four = { statuses: ['a', 'b', 'c', 'd'], stageMs: 1000, results: 3 };
	test.each([
		[three, -5, 'a', 0],
		[three, 999, 'a', 0],
		[three, 1000, 'b', 0],
		[three, 1250, 'b', 1],
		[three, 2000, 'c', 4],
		[four, 1666, 'b', 0],
		[four, 1667, 'b', 1],
		[{ ...three, statuses: ['a', 'b'] }, 1000, 'b', 4],
		[{ ...three, statuses: ['only'] }, 0, 'only', 4],
		[{ ...three, stageMs: 0 }, 0, 'c', 4],
		[{ ...three, results: 0 }, 5000, 'c', 0],
	])('of %j after %d ms has the status %s and %d results', (plan, elapsed, status, results) => {
		expect(runProgress(plan, elapsed).status).toBe(status);
		expect(offsetsOf(plan).filter((offset) => offset <= elapsed)).toHaveLength(results);
	});

	test('counts the statuses that have appeared, and ends with the last result', () => {
		const plans = fc.record({
			statuses: fc.array(fc.uuid(), { minLength: 1, maxLength: 5 }),
			stageMs: fc.nat(2000),
			results: fc.nat(20),
		});
		fc.assert(
			fc.property(plans, fc.integer({ min: -10, max: 12_000 }), (plan, elapsed) => {
				const { status, since, final } = runProgress(plan, elapsed);
				const last = plan.statuses.length - 1;
				expect(since).toBe(plan.statuses.findIndex((one) => one === status) * plan.stageMs);
				expect(final).toBe(elapsed >= last * plan.stageMs || last * plan.stageMs === 0);
				if (!final) {
					expect(Math.max(0, elapsed) - since).toBeGreaterThanOrEqual(0);
					expect(elapsed - since).toBeLessThan(plan.stageMs);
				}
				const offsets = offsetsOf(plan);
				expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
				expect(offsets.at(-1) ?? last * plan.stageMs).toBe(last * plan.stageMs);
			}),
		);
	});
});

test.each<[keyof SandboxSettings | 'toString', unknown[], RegExp?]>([
	[
		'limit',
		[0, -1, '5', NaN, Infinity, 1_000_000_001],
		/"limit" must be a whole number from 1 to 1000000000/,
	],
	['windowMs', [0.5, 100 * 366 * 86_400_000]],
	['rateLimitHeaders', ['all'], /one of: none, retry-after/],
	['rateLimitHeaders', [['none', 'all']], /an array/],
	['lastCursor', [null]],
	['cursorParam', ['']],
	['defaultPageSize', [0, 1e300]],
	['maxPageSize', [1.5]],
	['listOrder', ['largest'], /newest, oldest, shuffled, random/],
	['timeFormat', ['local'], /one of: utc, offset/],
	['deletedRuns', ['kept']],
	['dateHeaderOffsetMs', [0.5, -1e15]],
	['runStatuses', [[], ['a', ''], { length: 1, 0: 'a' }, Array(2)]],
	['runStatuses', [Array(101).fill('x')], /"runStatuses" must be an array of 1 to 100/],
	['runStageMs', [1e15]],
	['resultsPerRun', [1_000_001, -1]],
	['finalStatusByWorkflow', [{ wf: 1 }]],
	['timezone', ['x'.repeat(1001)], /"timezone" must be a string of 1 to 1000 characters/],
	['states', [[1], [{ big: BigInt(1) }]]],
	['extraFields', [{ lead: {} }, { me: { at: () => 1 } }]],
	['idempotencyTtlMs', [-1, Number.MAX_SAFE_INTEGER], /null or a whole number/],
	['idempotencyScope', ['global'], /workspace, key/],
	['errorBody', ['xml'], /object, text, empty/],
	['dateHeader', ['yes'], /"dateHeader" must be true or false/],
	['faultSeed', [-1, 2 ** 53]],
	['journalSize', [1e10]],
	['toString', [1], /no setting "toString"/],
])(
	'the setting "%s" rejects %p, at the start and later',
	async (name, values, message = RegExp(`"${name}"`)) => {
		for (const value of values) {
			const settings = { [name]: value } as Partial<SandboxSettings>;
			await expect(startSandbox({ settings })).rejects.toThrow(message);
			const before = sandbox.control.state().settings;
			expect(() => sandbox.control.patchSettings(settings)).toThrow(message);
			expect(sandbox.control.state().settings).toEqual(before);
		}
	},
);

test('a setting stays unchanged if its new value is undefined, but not if it is null', () => {
	sandbox.control.patchSettings({ limit: undefined, idempotencyTtlMs: 5 });
	expect(sandbox.control.state().settings).toMatchObject({ limit: 600, idempotencyTtlMs: 5 });
	expect(sandbox.control.patchSettings({ idempotencyTtlMs: null }).idempotencyTtlMs).toBeNull();
});
