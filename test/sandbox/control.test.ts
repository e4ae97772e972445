import type { SeedRequest } from '../../sandbox/types';
import { JSON_TYPE, START, seedOneOfEach, startTestSandbox, useTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();
const CENTURY_MS = 36_525 * 86_400_000;
const WORKFLOWS = '/prospector/workflows';

const me = async (key?: string) => (await sandbox.call('GET', '/me', { key })).status;
const fieldOf = async (path: string, field: string) =>
	(await sandbox.get(path)).map((item: Json) => item[field]);

test('GET /state returns settings, keys with secrets and status, and counts', async () => {
	seedOneOfEach(sandbox);
	const { json } = await sandbox.callControl('GET', '/state');
	expect(json).toEqual(JSON.parse(JSON.stringify(sandbox.control.state())));
	expect(json).toMatchObject({
		baseUrl: sandbox.baseUrl,
		now: new Date(START).toISOString(),
		settings: { limit: 600, listOrder: 'newest' },
		counts: { workflows: 1, workflowsCreated: 0, runs: 1, results: 3 },
	});
	expect(json.keys.map((key: Json) => [key.name, key.status])).toEqual([
		['full', 'active'],
		['read_only_scope', 'active'],
		['no_me_read', 'active'],
		['read_only_membership', 'active'],
		['revoked', 'revoked'],
		['expired', 'expired'],
	]);
});

test('/keys creates, rotates and revokes keys', async () => {
	const key = { name: 'mine', scopes: ['me.read'], membership: 'read_only' };
	const created = (await sandbox.callControl('POST', '/keys', key)).json;
	expect(created).toMatchObject({ ...key, status: 'active', expiresAt: null });
	const rotated = (await sandbox.callControl('POST', '/keys/mine/rotate')).json;
	expect([await me(created.secret), await me(rotated.secret)]).toEqual([401, 200]);
	expect((await sandbox.callControl('POST', '/keys/mine/revoke')).json.status).toBe('revoked');
	expect(await me(rotated.secret)).toBe(401);
});

test('/faults adds and lists fault rules, and removes one or all', async () => {
	const add = async (rule: object) => (await sandbox.callControl('POST', '/faults', rule)).json;
	expect(await add({ kind: 'drop' })).toMatchObject({ id: 'fault_1', times: 1, when: 'before', fired: 0 });
	await add({ id: 'mine', kind: 'cutBody', times: 0 });
	expect((await sandbox.callControl('POST', '/faults', { id: 'mine', kind: 'drop' })).status).toBe(400);
	expect((await sandbox.callControl('DELETE', '/faults/fault_1')).json).toEqual({ removed: 1 });
	const { json } = await sandbox.callControl('GET', '/faults');
	expect(json).toMatchObject([{ id: 'mine', when: 'after', times: 0 }]);
	await add({ kind: 'hang' });
	expect((await sandbox.callControl('DELETE', '/faults')).json).toEqual({ removed: 2 });
	expect(await me()).toBe(200);
});

test('PATCH /runs sets the status of a run and updates updated_at', async () => {
	const { workflow, run } = seedOneOfEach(sandbox);
	for (const status of ['failed', 'queued']) {
		sandbox.control.advanceClock(5000);
		const { json } = await sandbox.callControl('PATCH', `/runs/${run}`, { status });
		expect(json).toMatchObject({ id: run, workflowId: workflow, status });
		const updated_at = sandbox.control.state().now;
		expect(await sandbox.get(`/prospector/runs/${run}`)).toMatchObject({ status, updated_at });
	}
	expect((await sandbox.callControl('PATCH', `/runs/${run}`, {})).status).toBe(400);
});

test('POST /reset restores the initial state', async () => {
	const own = await startTestSandbox({ seed: true, settings: { limit: 3 } });
	const before = own.control.state();
	own.control.rotateKey('full');
	own.control.patchSettings({ limit: 50, listOrder: 'oldest' });
	own.control.addFault({ kind: 'drop', match: { path: 'none' } });
	own.control.advanceClock(5000);
	own.control.seed({ workflows: 3 });
	await own.call('GET', '/me');
	const { json } = await own.callControl('POST', '/reset');
	expect(json).toEqual(JSON.parse(JSON.stringify(before)));
	expect((await own.call('GET', '/me')).status).toBe(200);
});

describe('journal', () => {
	test('contains everything about a request except its key', async () => {
		const headers = { 'idempotency-key': 'k', 'user-agent': 'tests' };
		await sandbox.call('POST', `${WORKFLOWS}?a=1&b=x%20y`, { body: { name: 'A' }, headers });
		await sandbox.call('POST', WORKFLOWS, { raw: 'plain', headers: { 'content-type': 'text/x' } });
		const journal = (await sandbox.callControl('GET', '/journal')).json;
		expect(journal).toEqual(JSON.parse(JSON.stringify(sandbox.control.journal())));
		expect(journal[0]).toEqual({
			sequence: 1,
			time: new Date(START).toISOString(),
			method: 'POST',
			path: '/api/public/v1/prospector/workflows',
			query: { a: '1', b: 'x y' },
			keyName: 'full',
			operation: 'createWorkflow',
			idempotencyKey: 'k',
			body: { name: 'A' },
			contentType: 'application/json',
			userAgent: 'tests',
			hasAuthorization: true,
			status: 200,
			requestId: expect.stringMatching(/^req_/),
			fault: null,
			committed: true,
			replayed: false,
			reason: null,
		});
		expect(journal[1]).toMatchObject({ sequence: 2, body: 'plain', status: 400, idempotencyKey: null });
		expect(JSON.stringify(journal)).not.toContain('prospector_sandbox_');
		expect((await sandbox.callControl('DELETE', '/journal')).json).toEqual({ removed: 2 });
		expect(sandbox.control.journal()).toEqual([]);
	});

	test('stays readable when a rejected body is nested 100,000 levels deep', async () => {
		for (const [start, end] of ['[]', ['{"a":', '}']]) {
			const raw = `{"name":"A","deep":${start.repeat(100_000)}1${end.repeat(100_000)}}`;
			expect((await sandbox.call('POST', WORKFLOWS, { raw, headers: JSON_TYPE })).status).toBe(400);
		}
		const { status, json } = await sandbox.callControl('GET', '/journal');
		expect([status, json.length]).toEqual([200, 2]);
	});

	test('keeps the newest journalSize entries', async () => {
		sandbox.control.patchSettings({ journalSize: 3 });
		for (let count = 0; count < 9; count++) await me();
		expect(sandbox.control.journal().map(({ sequence }) => sequence)).toEqual([7, 8, 9]);
		expect(sandbox.control.state().counts.journal).toBe(3);
	});

	test('has no control requests, which have no rate limit either', async () => {
		sandbox.control.patchSettings({ limit: 1 });
		for (let count = 0; count < 3; count++) await sandbox.callControl('GET', '/state');
		expect(sandbox.control.journal()).toEqual([]);
		expect(await me()).toBe(200);
	});
});

describe('POST /seed', () => {
	const seed = async (request: object) => (await sandbox.callControl('POST', '/seed', request)).json;

	test('adds workflows with runs, runs of a workflow and results of a run', async () => {
		sandbox.control.patchSettings({ listOrder: 'oldest' });
		const createdAt = '2024-05-06T07:08:09.010Z';
		const { workflows, runs } = await seed({
			workflows: [{ name: 'W', status: 'off', createdAt, fields: { a: 1 }, runs: 2 }],
		});
		expect([workflows.length, runs.length]).toEqual([1, 2]);
		const path = `${WORKFLOWS}/${workflows[0]}`;
		expect(await sandbox.get(path)).toMatchObject({ name: 'W', status: 'off', a: 1, created_at: createdAt });

		const run = { workflowId: workflows[0], status: 'failed', results: 0, createdAt };
		const [runId] = (await seed({ runs: [run] })).runs;
		expect(await fieldOf(`${path}/runs`, 'status')).toEqual(['failed', 'completed', 'completed']);

		await seed({
			results: [
				{ runId, count: 2 },
				{ runId, companyName: 'C', leadId: 'L' },
			],
		});
		const results = await sandbox.get(`/prospector/runs/${runId}/results`);
		expect(results).toHaveLength(3);
		expect(results[2]).toMatchObject({ company_name: 'C', lead_id: 'L' });
		expect(sandbox.control.runs()).toMatchObject({ started: 0, seeded: 3, perWorkflow: {} });
	});

	test('adds workflows whose runs find the given companies one after the other', async () => {
		const companies = [{ companyName: 'A' }, { companyName: 'B', leadId: 'L' }, { companyName: 'C' }];
		const { workflows, runs } = await seed({
			workflows: [{ companies, runs: [{ results: 2 }, { results: 3 }] }],
		});
		const found = async (run: string) =>
			(await sandbox.get(`/prospector/runs/${run}/results`)).map((result: Json) => result.company_name);
		sandbox.control.patchSettings({ listOrder: 'oldest', runStageMs: 0, resultsPerRun: 1 });
		expect([await found(runs[0]), await found(runs[1])]).toEqual([
			['A', 'B'],
			['C', 'A', 'B'],
		]);
		const results = await Promise.all(
			runs.map((run: string) => sandbox.get(`/prospector/runs/${run}/results`)),
		);
		const leadIds = results.flat().map(({ lead_id }: Json) => lead_id);
		expect(new Set(leadIds).size).toBe(5);
		expect(leadIds[1]).toBe('L');
		const started = await sandbox.call('POST', `${WORKFLOWS}/${workflows[0]}/run`);
		expect(await found(started.json.data.id)).toEqual(['C']);
	});

	test('adds live runs that pass through the statuses', async () => {
		const { workflows } = sandbox.control.seed({ workflows: [{ runs: [{ live: true }] }] });
		const path = `${WORKFLOWS}/${workflows[0]}/runs`;
		expect(await fieldOf(path, 'status')).toEqual(['queued']);
		sandbox.control.advanceClock(60_000);
		expect(await fieldOf(path, 'status')).toEqual(['completed']);
	});

	const result = (field: object) => ({ results: [{ runId: 'RUN', ...field }] });
	const run = (field: object) => ({ workflows: [{ runs: [field] }] });
	test.each([
		[{ runs: [{ workflowId: 'x' }] }, 404, /workflow/],
		[{ results: [{ runId: 'x' }] }, 404, /run/],
		[{ workflow: 1 }, 400, /"workflow"/],
		...['many', -1, 1.5, 1_000_001, [[]]].map((workflows) => [{ workflows }, 400, /"workflows"/]),
		...['soon', 5, '+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00.000Z'].map((createdAt) => [
			{ workflows: [{ createdAt }] },
			400,
			/"createdAt"/,
		]),
		[{ workflows: [{ name: 5 }] }, 400, /name/],
		[{ workflows: [{ fields: [1] }] }, 400, /"fields"/],
		[{ workflows: [{ fields: 'x' }] }, 400, /"fields"/],
		[{ workflows: [{ runs: 1_000_001 }] }, 400, /"runs"/],
		...[-1, 1_000_001, '5'].map((results) => [run({ results }), 400, /"results"/]),
		[{ workflows: [{ companies: [{ companyName: 5 }] }] }, 400, /"companyName"/],
		[{ workflows: [{ companies: ['A'] }] }, 400, /"companies"/],
		[run({ live: 'yes' }), 400, /"live"/],
		[{ runs: [{}] }, 400, /"workflowId"/],
		[{ runs: [{ workflowId: 5 }] }, 400, /"workflowId"/],
		[{ results: [{}] }, 400, /"runId"/],
		...[-1, 0.5, '5', null, 1_000_001].map((count) => [result({ count }), 400, /"count"/]),
		[result({ companyName: 5 }), 400, /"companyName"/],
		[result({ leadId: {} }), 400, /"leadId"/],
		[result({ createdAt: 'soon' }), 400, /"createdAt"/],
	] as Array<[object, number, RegExp]>)('rejects %j with %d and %p', async (request, expected, message) => {
		const ids = seedOneOfEach(sandbox);
		const body = JSON.parse(JSON.stringify(request).replace('RUN', ids.run));
		const { status, json } = await sandbox.callControl('POST', '/seed', body);
		expect([status, json.error]).toEqual([expected, expect.stringMatching(message)]);
		expect(sandbox.control.state().counts.results).toBe(3);
	});

	test.each([NaN, Infinity])('rejects %d results in-process', (count) => {
		const { run: runId } = seedOneOfEach(sandbox);
		const request: SeedRequest = { results: [{ runId, count }] };
		expect(() => sandbox.control.seed(request)).toThrow(/^Invalid seed: "count"/);
	});

	test('is done at the start with the same data of finished runs each time', async () => {
		const [one, other] = [await startTestSandbox({ seed: true }), await startTestSandbox({ seed: true })];
		const workflows = await one.get(WORKFLOWS);
		expect(workflows).toEqual(await other.get(WORKFLOWS));
		expect(workflows.length).toBeGreaterThanOrEqual(3);
		const { runs } = one.control.runs();
		expect(runs.length).toBeGreaterThanOrEqual(3);
		for (const { status, results } of runs) {
			expect([status, results > 0]).toEqual(['completed', true]);
		}
	});
});

describe('POST /clock', () => {
	test('moves the clock', async () => {
		const { json } = await sandbox.callControl('POST', '/clock', { ms: 3000 });
		expect(json).toEqual({ now: new Date(START + 3000).toISOString() });
		expect(sandbox.control.state().now).toBe(json.now);
	});

	test.each([-1, 'x', '5', null, true, [5], {}, undefined])('rejects %j with 400', async (ms) => {
		const { status, json } = await sandbox.callControl('POST', '/clock', { ms });
		expect([status, json.error]).toEqual([400, '"ms" must be a number of 0 or more.']);
		expect(sandbox.control.state().now).toBe(new Date(START).toISOString());
	});

	test.each([NaN, Infinity, -Infinity])('rejects %d in-process', (ms) => {
		expect(() => sandbox.control.advanceClock(ms)).toThrow('"ms" must be a number of 0 or more.');
	});

	test('rejects more than 100 years, at once or in several steps', async () => {
		const advance = async (ms: number) => await sandbox.callControl('POST', '/clock', { ms });
		for (const ms of [CENTURY_MS + 1, 1e300, Number.MAX_VALUE]) {
			const { status, json } = await advance(ms);
			expect([status, json.error]).toEqual([400, expect.stringMatching(/^"ms" .*100 years: .*reset/)]);
		}
		sandbox.control.advanceClock(CENTURY_MS);
		expect((await advance(1)).status).toBe(400);
		expect((await sandbox.call('GET', '/prospector/config')).status).toBe(200);
		await sandbox.callControl('POST', '/reset');
		expect((await advance(1)).status).toBe(200);
	});

	test('accepts 100 years together with the longest time spans of all settings', async () => {
		sandbox.control.patchSettings({
			...{ limit: 1, windowMs: CENTURY_MS, runStageMs: CENTURY_MS, idempotencyTtlMs: CENTURY_MS },
			rateLimitHeaders: ['retry-after', 'retry-after-date', 'ratelimit', 'x-ratelimit'],
		});
		sandbox.control.advanceClock(CENTURY_MS);
		const { workflow, run } = seedOneOfEach(sandbox);
		const key = sandbox.control.createKey({ name: 'other' }).secret;
		expect((await sandbox.call('POST', `${WORKFLOWS}/${workflow}/run`)).status).toBe(200);
		expect((await sandbox.call('GET', `/prospector/runs/${run}`, { key })).status).toBe(200);
		const rejected = await sandbox.call('GET', '/me');
		expect(rejected.status).toBe(429);
		expect(Date.parse(String(rejected.headers['retry-after']))).toBeGreaterThan(START + CENTURY_MS);
		for (const path of ['/state', '/runs']) {
			expect((await sandbox.callControl('GET', path)).status).toBe(200);
		}
	});
});

test.each([
	['GET', '/nope', undefined, 404],
	['PUT', '/state', undefined, 404],
	['POST', '/keys/nobody/rotate', undefined, 404],
	['POST', '/keys/nobody/revoke', undefined, 404],
	['DELETE', '/faults/nothing', undefined, 404],
	['PATCH', '/runs/nothing', { status: 'failed' }, 404],
	['POST', '/keys', {}, 400],
	['POST', '/keys', { name: 'full' }, 400],
	['POST', '/keys', { name: 'a b' }, 400],
	['POST', '/keys', { name: 'a', scopes: ['all'] }, 400],
	['POST', '/keys', { name: 'a', membership: 'owner' }, 400],
	['POST', '/keys', { name: 'a', expiresAt: 'soon' }, 400],
	['POST', '/keys', { name: 'a', expiresAt: 5 }, 400],
	['PATCH', '/settings', { limits: 1 }, 400],
	['PATCH', '/settings', [1], 400],
	['POST', '/clock', undefined, 400],
])('%s %s with %j responds %d and lists the control API', async (method, path, body, status) => {
	const response = await sandbox.callControl(method, path, body);
	expect(response.status).toBe(status);
	expect(response.json).toEqual({
		error: expect.any(String),
		calls: expect.arrayContaining([expect.stringContaining('GET /_control/state')]),
	});
});
