import { START, seedOneOfEach, startTestSandbox, useTestSandbox, WORKFLOWS } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json;

test("the sandbox's control API changes, deletes and restores data", async () => {
	const { workflow, run } = seedOneOfEach(sandbox);
	sandbox.control.advanceClock(5000);
	const { json } = await sandbox.callControl('PATCH', `/runs/${run}`, { status: 'failed' });
	expect(json).toMatchObject({ id: run, workflowId: workflow, status: 'failed' });
	const updated_at = sandbox.control.state().now;
	expect(await sandbox.get(`/prospector/runs/${run}`)).toMatchObject({ status: 'failed', updated_at });
	const [{ id: result }] = await sandbox.get(`/prospector/runs/${run}/results`);
	for (const [method, path, remaining] of [
		['DELETE', `/results/${result}`, { workflows: 1, runs: 1, results: 2 }],
		['DELETE', `/runs/${run}`, { workflows: 1, runs: 0, results: 0 }],
		['DELETE', `/workflows/${workflow}`, { workflows: 0 }],
		['POST', `/workflows/${workflow}/restore`, { workflows: 1 }],
	] as const) {
		expect(await sandbox.callControl(method, path)).toMatchObject({ status: 200, json: {} });
		expect(sandbox.control.state().counts).toMatchObject(remaining);
	}
});

test('POST /reset restores the initial state of the sandbox', async () => {
	const own = await startTestSandbox({ seed: true, settings: { limit: 3 } });
	const before = own.control.state();
	own.control.rotateKey('full');
	own.control.patchSettings({ limit: 50, listOrder: 'oldest' });
	own.control.addFault({ kind: 'drop', match: { path: 'none' } });
	own.control.advanceClock(5000);
	own.control.seed({ workflows: 3 });
	await own.call('GET', '/me');
	expect((await own.callControl('POST', '/reset')).json).toEqual(asJson(before));
	expect((await own.call('GET', '/me')).status).toBe(200);
});

test('the journal of the sandbox records every detail of a request except the API key itself', async () => {
	const headers = { 'idempotency-key': 'k', 'user-agent': 'tests' };
	await sandbox.call('POST', `${WORKFLOWS}?a=1&b=x%20y`, { body: { name: 'A' }, headers });
	const journal = (await sandbox.callControl('GET', '/journal')).json;
	expect(journal).toEqual([
		{
			...{ sequence: 1, time: new Date(START).toISOString(), operation: 'createWorkflow', status: 200 },
			...{ method: 'POST', path: '/api/public/v1/prospector/workflows', query: { a: '1', b: 'x y' } },
			...{ keyName: 'full', hasAuthorization: true, idempotencyKey: 'k', userAgent: 'tests' },
			...{ body: { name: 'A' }, bodyText: '{"name":"A"}', contentType: 'application/json' },
			...{ requestId: expect.stringMatching(/^req_/) },
			...{ fault: null, committed: true, replayed: false, reason: null },
		},
	]);
	expect(JSON.stringify(journal)).not.toContain('prospector_sandbox_');
});

test('the journal of the sandbox keeps the last requests if there are more than journalSize', async () => {
	sandbox.control.patchSettings({ journalSize: 2 });
	for (let count = 0; count < 5; count++) await sandbox.call('GET', '/me');
	expect(sandbox.control.journal()).toMatchObject([{ sequence: 4 }, { sequence: 5 }]);
	expect(sandbox.control.clearJournal()).toBe(2);
});

test.each(['2099-01-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z'])(
	'a list contains an item created at %s only if its visibleAt time has been reached',
	async (createdAt) => {
		const appearance = { createdAt, visibleAt: new Date(START + 60_000).toISOString() };
		const run = { ...appearance, status: 'running', results: 1 };
		const { workflows, runs } = sandbox.control.seed({ workflows: [{ ...appearance, runs: [run] }] });
		const lists = [WORKFLOWS, `${WORKFLOWS}/${workflows[0]}/runs`, `/prospector/runs/${runs[0]}/results`];
		for (const path of lists) expect(await sandbox.get(path)).toEqual([]);
		sandbox.control.advanceClock(60_000);
		for (const path of lists) expect(await sandbox.get(path)).toMatchObject([{ created_at: createdAt }]);
	},
);

test.each([
	['GET', '/nope', undefined, 404],
	['PATCH', '/runs/nothing', { status: 'failed' }, 404],
	['POST', '/seed', { results: [{ runId: 'x', count: 0.5 }] }, 400],
	['POST', '/clock', { ms: '5' }, 400],
	['PATCH', '/settings', { limit: '5' }, 400],
])(
	'the control API answers the invalid request %s %s %j with the status %d and a list of valid calls',
	async (method, path, body, status) => {
		const response = await sandbox.callControl(method, path, body);
		expect(response.status).toBe(status);
		expect(response.json).toEqual({ error: expect.any(String), calls: expect.any(Array) });
	},
);
