import { closeAll, JSON_HEADER, oneOfEach, startTestSandbox, START } from './support';
import type { Bench } from './support';

afterEach(closeAll);

test('state: settings, keys with secrets and status, counts', async () => {
	const bench = await startTestSandbox();
	oneOfEach(bench);
	const { json } = await bench.controlCall('GET', '/state');
	expect(json).toEqual(JSON.parse(JSON.stringify(bench.control.state())));
	expect(json).toMatchObject({ baseUrl: bench.baseUrl, now: new Date(START).toISOString() });
	expect(json.settings).toMatchObject({ limit: 600, listOrder: 'newest' });
	expect(json.counts).toMatchObject({ workflows: 1, workflowsCreated: 0, runs: 1, results: 3 });
	expect(json.keys.map((key: { name: string; status: string }) => [key.name, key.status])).toEqual([
		['full', 'active'],
		['read_only_scope', 'active'],
		['no_me_read', 'active'],
		['read_only_membership', 'active'],
		['revoked', 'revoked'],
		['expired', 'expired'],
	]);
});

test('keys over HTTP: make, rotate, revoke', async () => {
	const bench = await startTestSandbox();
	const key = { name: 'mine', scopes: ['me.read'], membership: 'read_only' };
	const made = (await bench.controlCall('POST', '/keys', key)).json;
	expect(made).toMatchObject({ ...key, status: 'active', expiresAt: null });
	const rotated = (await bench.controlCall('POST', '/keys/mine/rotate')).json;
	expect((await bench.call('GET', '/me', { key: made.secret })).status).toBe(401);
	expect((await bench.call('GET', '/me', { key: rotated.secret })).status).toBe(200);
	expect((await bench.controlCall('POST', '/keys/mine/revoke')).json.status).toBe('revoked');
	expect((await bench.call('GET', '/me', { key: rotated.secret })).status).toBe(401);
});

test('faults over HTTP: add, list, remove one, remove all', async () => {
	const bench = await startTestSandbox();
	const add = async (rule: object) => (await bench.controlCall('POST', '/faults', rule)).json;
	expect(await add({ kind: 'drop' })).toMatchObject({ id: 'fault_1', times: 1, when: 'before', fired: 0 });
	await add({ id: 'mine', kind: 'cutBody', times: 0 });
	expect((await bench.controlCall('POST', '/faults', { id: 'mine', kind: 'drop' })).status).toBe(400);
	expect((await bench.controlCall('DELETE', '/faults/fault_1')).json).toEqual({ removed: 1 });
	expect((await bench.controlCall('GET', '/faults')).json).toMatchObject([
		{ id: 'mine', when: 'after', times: 0 },
	]);
	await add({ kind: 'hang' });
	expect((await bench.controlCall('DELETE', '/faults')).json).toEqual({ removed: 2 });
	expect((await bench.call('GET', '/me')).status).toBe(200);
});

test('a run gets another status, as if the service had changed it now', async () => {
	const bench = await startTestSandbox();
	const [workflowId] = bench.control.seed({ workflows: [{ runs: 1 }] }).workflows;
	const [{ id }] = bench.control.runs().runs;
	for (const status of ['failed', 'queued']) {
		bench.pass(5000);
		const { json } = await bench.controlCall('PATCH', `/runs/${id}`, { status });
		expect(json).toMatchObject({ id, workflowId, status });
		const { data } = (await bench.call('GET', `/prospector/runs/${id}`)).json;
		expect(data).toMatchObject({ status, updated_at: bench.control.state().now });
	}
	expect((await bench.controlCall('PATCH', `/runs/${id}`, {})).status).toBe(400);
});

describe('journal', () => {
	test('holds all there is to know of a request, and no secret', async () => {
		const bench = await startTestSandbox();
		await bench.call('POST', '/prospector/workflows?a=1&b=x%20y', {
			body: { name: 'A' },
			headers: { 'idempotency-key': 'k', 'user-agent': 'tests' },
		});
		await bench.call('POST', '/prospector/workflows', {
			raw: 'plain',
			headers: { 'content-type': 'text/x' },
		});
		const journal = (await bench.controlCall('GET', '/journal')).json;
		expect(journal).toEqual(bench.control.journal());
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
		expect((await bench.controlCall('DELETE', '/journal')).json).toEqual({ removed: 2 });
		expect(bench.control.journal()).toEqual([]);
	});

	test('stays readable, and the request gets 400, when a body is nested 100,000 levels deep', async () => {
		const bench = await startTestSandbox();
		for (const [start, end] of ['[]', ['{"a":', '}']]) {
			const raw = `{"name":"A","deep":${start.repeat(100_000)}1${end.repeat(100_000)}}`;
			const reply = await bench.call('POST', '/prospector/workflows', { raw, headers: JSON_HEADER });
			expect(reply.status).toBe(400);
		}
		const { status, json } = await bench.controlCall('GET', '/journal');
		expect(status).toBe(200);
		expect(json).toHaveLength(2);
	});

	test('journalSize: the newest stay', async () => {
		const bench = await startTestSandbox({ settings: { journalSize: 3 } });
		for (let count = 0; count < 9; count++) await bench.call('GET', '/me');
		expect(bench.control.journal().map((entry) => entry.sequence)).toEqual([7, 8, 9]);
		expect(bench.control.state().counts.journal).toBe(3);
	});
});

describe('seed', () => {
	const names = async (bench: Bench, path: string, field: string) =>
		(await bench.call('GET', path)).json.data.map((item: Record<string, unknown>) => item[field]);

	test('over HTTP: workflows with runs, runs of a workflow, results of a run', async () => {
		const bench = await startTestSandbox({ settings: { listOrder: 'oldest' } });
		const createdAt = '2024-05-06T07:08:09.010Z';
		const first = (
			await bench.controlCall('POST', '/seed', {
				workflows: [{ name: 'W', status: 'off', createdAt, fields: { a: 1 }, runs: 2 }],
			})
		).json;
		expect(first).toMatchObject({
			workflows: [expect.any(String)],
			runs: [expect.any(String), expect.any(String)],
		});
		const workflow = (await bench.call('GET', `/prospector/workflows/${first.workflows[0]}`)).json.data;
		expect(workflow).toMatchObject({ name: 'W', status: 'off', a: 1, created_at: createdAt });

		const second = (
			await bench.controlCall('POST', '/seed', {
				runs: [{ workflowId: first.workflows[0], status: 'failed', results: 0, createdAt }],
			})
		).json;
		const statuses = await names(bench, `/prospector/workflows/${first.workflows[0]}/runs`, 'status');
		expect(statuses.sort()).toEqual(['completed', 'completed', 'failed']);

		const results = [
			{ runId: second.runs[0], count: 2 },
			{ runId: second.runs[0], companyName: 'C', leadId: 'L' },
		];
		await bench.controlCall('POST', '/seed', { results });
		const path = `/prospector/runs/${second.runs[0]}/results`;
		expect(await names(bench, path, 'company_name')).toEqual([expect.any(String), expect.any(String), 'C']);
		expect((await names(bench, path, 'lead_id')).pop()).toBe('L');
		expect(bench.control.runs()).toMatchObject({ started: 0, seeded: 3, perWorkflow: {} });
	});

	test('live runs go on', async () => {
		const bench = await startTestSandbox();
		const { workflows } = bench.control.seed({ workflows: [{ runs: [{ live: true }] }] });
		const path = `/prospector/workflows/${workflows[0]}/runs`;
		expect(await names(bench, path, 'status')).toEqual(['queued']);
		bench.pass(60_000);
		expect(await names(bench, path, 'status')).toEqual(['completed']);
	});

	test.each([
		[{ runs: [{}] }, 400],
		[{ runs: [{ workflowId: 'x' }] }, 404],
		[{ results: [{ runId: 'x' }] }, 404],
		[{ workflows: 'many' }, 400],
		[{ workflows: [{ createdAt: 'soon' }] }, 400],
		[{ workflows: [{ name: 5 }] }, 400],
		[{ workflows: [{ runs: [{ results: -1 }] }] }, 400],
		[{ workflow: 1 }, 400],
		[{ workflows: -1 }, 400],
		[{ workflows: 1.5 }, 400],
		[{ workflows: 1_000_001 }, 400],
		[{ workflows: [[]] }, 400],
		[{ workflows: [{ fields: [1] }] }, 400],
		[{ workflows: [{ fields: 'x' }] }, 400],
		[{ workflows: [{ runs: 1_000_001 }] }, 400],
		[{ workflows: [{ runs: [{ results: 1_000_001 }] }] }, 400],
		[{ workflows: [{ runs: [{ results: '5' }] }] }, 400],
		[{ workflows: [{ runs: [{ status: 5 }] }] }, 400],
		[{ workflows: [{ runs: [{ live: 'yes' }] }] }, 400],
		[{ workflows: [{ createdAt: 5 }] }, 400],
		[{ workflows: [{ createdAt: '+275760-09-13T00:00:00.000Z' }] }, 400],
		[{ workflows: [{ createdAt: '-000001-01-01T00:00:00.000Z' }] }, 400],
		[{ runs: [{ workflowId: 5 }] }, 400],
		[{ results: [{}] }, 400],
	])('%j: %d', async (seed, status) => {
		const bench = await startTestSandbox();
		const reply = await bench.controlCall('POST', '/seed', seed);
		expect(reply.status).toBe(status);
		expect(reply.json.error).toEqual(expect.any(String));
	});

	test.each([-1, 0.5, '5', null, 1_000_001, NaN, Infinity])(
		'%p results of a run are refused with 400',
		async (count) => {
			const bench = await startTestSandbox();
			const { run } = oneOfEach(bench);
			const results = [{ runId: run, count: count as number }];
			expect(() => bench.control.seed({ results })).toThrow(/^Bad seed: "count"/);
			expect(bench.control.state().counts.results).toBe(3);
		},
	);

	test.each([{ companyName: 5 }, { leadId: {} }, { createdAt: 'soon' }])(
		'%j of a result is refused with 400',
		async (wrong) => {
			const bench = await startTestSandbox();
			const { run } = oneOfEach(bench);
			const reply = await bench.controlCall('POST', '/seed', { results: [{ runId: run, ...wrong }] });
			expect(reply.status).toBe(400);
			expect(reply.json.error).toContain(`"${Object.keys(wrong)[0]}"`);
		},
	);

	test('the demo data looks like a workspace in use, and is the same each time', async () => {
		const [one, other] = [await startTestSandbox({ seed: true }), await startTestSandbox({ seed: true })];
		const path = '/prospector/workflows';
		expect((await one.call('GET', path)).json.data).toEqual((await other.call('GET', path)).json.data);
		expect((await names(one, path, 'name')).length).toBeGreaterThanOrEqual(3);
		const { runs } = one.control.runs();
		expect(runs.length).toBeGreaterThanOrEqual(3);
		expect(runs.every((run) => run.status === 'completed' && run.results > 0)).toBe(true);
	});
});

test('clock: moves what depends on it', async () => {
	const bench = await startTestSandbox();
	const { workflow } = oneOfEach(bench);
	const { id } = (await bench.call('POST', `/prospector/workflows/${workflow}/run`)).json.data;
	const moved = await bench.controlCall('POST', '/clock', { ms: 3000 });
	expect(moved.json).toEqual({ now: new Date(START + 3000).toISOString() });
	expect((await bench.call('GET', `/prospector/runs/${id}`)).json.data.status).toBe('completed');
});

describe('clock values that make no sense', () => {
	const CENTURY_MS = 36_525 * 86_400_000;

	test.each([-1, 'x', '5', null, true, [5], {}, undefined])('%j is refused with 400', async (ms) => {
		const bench = await startTestSandbox();
		const reply = await bench.controlCall('POST', '/clock', { ms });
		expect(reply.status).toBe(400);
		expect(reply.json.error).toBe('"ms" must be a number from 0.');
		expect(bench.control.state().now).toBe(new Date(START).toISOString());
	});

	test.each([NaN, Infinity, -Infinity])('%d is refused in-process', async (ms) => {
		const bench = await startTestSandbox();
		expect(() => bench.control.advanceClock(ms)).toThrow('"ms" must be a number from 0.');
	});

	test('a clock ahead by more than 100 years is refused, in one step or in several', async () => {
		const bench = await startTestSandbox();
		for (const ms of [CENTURY_MS + 1, 1e300, Number.MAX_VALUE]) {
			const reply = await bench.controlCall('POST', '/clock', { ms });
			expect(reply.status).toBe(400);
			expect(reply.json.error).toMatch(/^"ms" may add up to 100 years: .*reset/);
		}
		bench.control.advanceClock(CENTURY_MS);
		expect((await bench.controlCall('POST', '/clock', { ms: 1 })).status).toBe(400);
		expect((await bench.call('GET', '/prospector/config')).status).toBe(200);
		await bench.controlCall('POST', '/reset');
		expect((await bench.controlCall('POST', '/clock', { ms: 1 })).status).toBe(200);
	});

	test('every answer is made when the clock and all settings are at their ends', async () => {
		const settings = {
			...{ limit: 1, windowMs: CENTURY_MS, runStageMs: CENTURY_MS, idempotencyTtlMs: CENTURY_MS },
			rateLimitHeaders: ['retry-after', 'retry-after-date', 'ratelimit', 'x-ratelimit'] as const,
		};
		const bench = await startTestSandbox({
			settings: { ...settings, rateLimitHeaders: [...settings.rateLimitHeaders] },
		});
		bench.control.advanceClock(CENTURY_MS);
		const { workflow, run } = oneOfEach(bench);
		const key = bench.control.createKey({ name: 'other' }).secret;
		expect((await bench.call('POST', `/prospector/workflows/${workflow}/run`)).status).toBe(200);
		expect((await bench.call('GET', `/prospector/runs/${run}`, { key })).status).toBe(200);
		const refused = await bench.call('GET', '/me');
		expect(refused.status).toBe(429);
		expect(Date.parse(String(refused.headers['retry-after']))).toBeGreaterThan(START + CENTURY_MS);
		expect((await bench.controlCall('GET', '/state')).status).toBe(200);
		expect((await bench.controlCall('GET', '/runs')).status).toBe(200);
	});
});

test('reset: all as at the start', async () => {
	const bench = await startTestSandbox({ seed: true, settings: { limit: 3 } });
	const before = bench.control.state();
	bench.control.rotateKey('full');
	bench.control.patchSettings({ limit: 50, listOrder: 'oldest' });
	bench.control.addFault({ kind: 'drop', match: { path: 'none' } });
	bench.control.advanceClock(5000);
	bench.control.seed({ workflows: 3 });
	await bench.call('GET', '/me');
	const { json } = await bench.controlCall('POST', '/reset');
	expect(json).toEqual(JSON.parse(JSON.stringify(before)));
	expect((await bench.call('GET', '/me')).status).toBe(200);
});

describe('bad calls', () => {
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
		['POST', '/clock', [], 400],
	])('%s %s %j: %d, and which calls there are', async (method, path, body, status) => {
		const bench = await startTestSandbox();
		const reply = await bench.controlCall(method, path, body);
		expect(reply.status).toBe(status);
		expect(reply.json.error).toEqual(expect.any(String));
		expect(reply.json.calls).toContainEqual(expect.stringContaining('GET /_control/state'));
	});

	test('calls of the control API are in no journal and under no limit', async () => {
		const bench = await startTestSandbox({ settings: { limit: 1 } });
		for (let count = 0; count < 3; count++) await bench.controlCall('GET', '/state');
		expect(bench.control.journal()).toEqual([]);
		expect((await bench.call('GET', '/me')).status).toBe(200);
	});
});
