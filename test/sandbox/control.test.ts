import { START, seedOneOfEach, startTestSandbox, useTestSandbox, WORKFLOWS } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();

const me = async (key?: string) => (await sandbox.call('GET', '/me', { key })).status;
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json;

test('GET /state returns the settings of the sandbox, its API keys and the number of its items', async () => {
	seedOneOfEach(sandbox);
	const { json } = await sandbox.callControl('GET', '/state');
	expect(json).toEqual(asJson(sandbox.control.state()));
	expect(json).toMatchObject({
		baseUrl: sandbox.baseUrl,
		now: new Date(START).toISOString(),
		settings: { limit: 600, listOrder: 'newest' },
		counts: { workflows: 1, workflowsCreated: 0, runs: 1, results: 3 },
	});
	const statuses = ['active', 'active', 'active', 'active', 'revoked', 'expired'];
	expect(json.keys.map(({ status }: Json) => status)).toEqual(statuses);
});

test('the path /keys of the control API creates, rotates and revokes an API key', async () => {
	const key = { name: 'mine', scopes: ['me.read'], membership: 'read_only' };
	const created = (await sandbox.callControl('POST', '/keys', key)).json;
	expect(created).toMatchObject({ ...key, status: 'active', expiresAt: null });
	const rotated = (await sandbox.callControl('POST', '/keys/mine/rotate')).json;
	expect([await me(created.secret), await me(rotated.secret)]).toEqual([401, 200]);
	expect((await sandbox.callControl('POST', '/keys/mine/revoke')).json.status).toBe('revoked');
	expect(await me(rotated.secret)).toBe(401);
});

test('the path /faults of the control API adds, lists and removes fault rules', async () => {
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

test('the control API changes and deletes data, and restores a deleted Prospector workflow', async () => {
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
	await sandbox.call('POST', WORKFLOWS, { raw: 'plain', headers: { 'content-type': 'text/x' } });
	const journal = (await sandbox.callControl('GET', '/journal')).json;
	expect(journal).toEqual(asJson(sandbox.control.journal()));
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

test.each([
	['GET', '/nope', undefined, 404],
	['DELETE', '/faults/nothing', undefined, 404],
	['PATCH', '/runs/nothing', { status: 'failed' }, 404],
	['POST', '/seed', { results: [{ runId: 'x', count: 0.5 }] }, 400],
	['POST', '/clock', { ms: '5' }, 400],
	['POST', '/keys', { name: 'full' }, 400],
	['PATCH', '/settings', { limits: 1 }, 400],
	['PATCH', '/settings', { limit: '5' }, 400],
])(
	'the request %s %s with the body %j gets the status %d and a list of all control API calls',
	async (method, path, body, status) => {
		const response = await sandbox.callControl(method, path, body);
		expect(response.status).toBe(status);
		expect(response.json).toEqual({ error: expect.any(String), calls: expect.any(Array) });
	},
);
