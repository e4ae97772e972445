import { exactNumber } from '../../sandbox/exactJson';
import { everyOperation, type Row } from '../workflow/everyOperation';
import { API, JSON_TYPE, START, seedOneOfEach, useTestSandbox, WORKFLOWS } from './testSandbox';
import type { CallOptions } from './testSandbox';

const sandbox = useTestSandbox();

const TEXT = expect.any(String) as unknown;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
/** Contract, section 2.2. */
const COMMON_FIELDS = { id: TEXT, object: TEXT, created_at: TIME, updated_at: TIME };

const withKey = (key: string): CallOptions => ({ headers: { 'idempotency-key': key } });
const create = async (key: string, body: unknown = { name: 'A' }, secret = sandbox.keys.full) =>
	await sandbox.call('POST', WORKFLOWS, { ...withKey(key), body, key: secret });

const keyWith = (scopes: string[]) => sandbox.control.createKey({ name: 'other', scopes }).secret;

/** Sends the request of an operation, with a body if it requires one. */
async function sendOperation(
	{ method, path, id, body }: Row,
	{ workflow, run }: ReturnType<typeof seedOneOfEach>,
	options: CallOptions = {},
) {
	const idPath = path.replace('ID', id === 'runId' ? run : workflow);
	return await sandbox.call(method, idPath, { ...(body && { body: { name: 'N' } }), ...options });
}

/** Contract, section 2.3, and our choice for the identity. */
const FIELDS: Record<string, object> = {
	prospector_config: { timezone: TEXT, states: Array(3).fill(expect.any(Object)) },
	prospector_workflow: { name: TEXT, status: TEXT },
	prospector_run: { status: TEXT, workflow_id: TEXT },
	prospector_result: { lead_id: expect.stringMatching(/^lead_/), company_name: TEXT },
	api_key: { name: TEXT, scopes: ['me.read'] },
};
/** Other fields of the service must not replace those of the contract. */
const CONFLICTING = Object.fromEntries(
	[...Object.keys(COMMON_FIELDS), ...Object.values(FIELDS).flatMap(Object.keys)].map((name) => [name, 0]),
);

/** Sends a request and expects that it has no effect except a journal entry. */
async function expectNoEffect(send: () => Promise<{ status: number }>): Promise<number> {
	const { counts } = sandbox.control.state();
	const { status } = await send();
	expect(sandbox.control.state().counts).toEqual({ ...counts, journal: counts.journal + 1 });
	expect(sandbox.control.journal().at(-1)).toMatchObject({ status, committed: false });
	return status;
}

describe.each(everyOperation)('operation $calls', (operation) => {
	const { calls: name, scope, object } = operation;
	const isWrite = scope === 'prospector.run';
	const send = async (options?: CallOptions, where = seedOneOfEach(sandbox)) =>
		await sendOperation(operation, where, options);

	test(`the operation ${name} has no effect if the sandbox rejects the request with 401, 403 or 429`, async () => {
		const where = seedOneOfEach(sandbox);
		const { full, revoked, expired, readOnlyMembership } = sandbox.keys;
		const otherScopes = sandbox.control.state().keys[0].scopes.filter((other) => other !== scope);
		for (const [expected, authorization] of [
			...[undefined, 'Bearer nonsense', `Basic ${full}`, full].map((header) => [401, header] as const),
			...[revoked, expired].map((key) => [401, `Bearer ${key}`] as const),
			[403, `Bearer ${keyWith(otherScopes)}`],
			...(isWrite ? ([[403, `Bearer ${readOnlyMembership}`]] as const) : []),
		] as const) {
			const options: CallOptions = { key: null, ...(authorization && { headers: { authorization } }) };
			const status = await expectNoEffect(() => send(options, where));
			expect([authorization, status]).toEqual([authorization, expected]);
		}
		sandbox.control.patchSettings({ limit: 1 });
		await sandbox.call('GET', '/me');
		expect(await expectNoEffect(() => send({}, where))).toBe(429);
	});

	test(`the operation ${name} returns resources of the type ${object} with the fields of the contract if the API key has only the scope ${scope}${isWrite ? '' : ' and a read-only membership'}`, async () => {
		const membership = isWrite ? 'full' : 'read_only';
		const { secret } = sandbox.control.createKey({ name: 'own', scopes: [scope], membership });
		const kinds = ['config', 'workflow', 'run', 'result', 'me'].map((kind) => [kind, CONFLICTING]);
		sandbox.control.patchSettings({ extraFields: Object.fromEntries(kinds) });
		const { status, json } = await send({ key: secret });
		const resource = { ...COMMON_FIELDS, ...FIELDS[object], object };
		expect([status, [json.data].flat()[0]]).toEqual([200, expect.objectContaining(resource)]);
	});

	if (isWrite && !operation.keyed) {
		test(`the sandbox ignores an idempotency key in requests of the operation ${name}`, async () => {
			const where = seedOneOfEach(sandbox);
			expect((await send(withKey('k'), where)).status).toBe(200);
			const repeated = name === 'deleteWorkflow' ? 404 : 200;
			expect((await send(withKey('k'), where)).status).toBe(repeated);
			expect((await create('k')).status).toBe(200);
		});
	}

	if (operation.keyed) {
		const count = () => {
			const { workflowsCreated, runsStarted } = sandbox.control.state().counts;
			return workflowsCreated + runsStarted;
		};

		test.each(['before', 'after'] as const)(
			`the operation ${name} of the sandbox takes effect once if a retry arrives while the first request is delayed %s its effect`,
			async (when) => {
				const where = seedOneOfEach(sandbox);
				sandbox.control.addFault({ kind: 'slow', delayMs: 40, when });
				const slow = send(withKey('k'), where);
				const retry = await send(withKey('k'), where);
				expect((await slow).text).toBe(retry.text);
				const { request_id: requestId } = retry.json;
				expect(sandbox.control.journal()).toMatchObject([{ requestId }, { requestId }]);
				expect(count()).toBe(1);
			},
		);

		test(`the operation ${name} of the sandbox takes effect for each request that has a new, an empty or no idempotency key`, async () => {
			const where = seedOneOfEach(sandbox);
			const keys = ['a', 'b', 'c', '', ''].map(withKey);
			for (const options of [...keys, {}, {}]) await send(options, where);
			expect(count()).toBe(7);
		});
	}
});

test('a rotated API key has a new secret, and the same scopes, membership and expiry', async () => {
	const expiresAt = new Date(START + 1000).toISOString();
	const rights = { scopes: ['me.read'], membership: 'read_only', expiresAt } as const;
	const created = sandbox.control.createKey({ name: 'own', ...rights, scopes: [...rights.scopes] });
	const { secret, ...rotated } = sandbox.control.rotateKey('own');
	expect({ ...rotated, secret: created.secret }).toEqual(created);
	const statusWith = async (key: string) => (await sandbox.call('GET', '/me', { key })).status;
	expect([await statusWith(created.secret), await statusWith(secret)]).toEqual([401, 200]);
});

test('createWorkflow stores the fields of the request body except those that the service sets itself', async () => {
	const ignored = { id: 'x', object: 'x', created_at: 'x', updated_at: 'x' };
	const body = { name: 'A', query: { country: 'DE' }, ...ignored };
	const { data } = (await sandbox.call('POST', WORKFLOWS, { body })).json;
	expect(data).toMatchObject({ name: 'A', query: { country: 'DE' }, object: 'prospector_workflow' });
	expect([data.id, data.created_at, data.updated_at]).not.toContain('x');
	expect(await sandbox.get(`${WORKFLOWS}/${data.id}`)).toEqual(data);
});

test('the sandbox keeps every digit of the numbers in seeds and settings', async () => {
	const id = exactNumber('7615917337495251231');
	const { runs } = sandbox.control.seed({ workflows: [{ runs: [{ id, status: exactNumber('1e400') }] }] });
	sandbox.control.patchSettings({ extraFields: { run: { score: exactNumber('0.10') } } });
	const { text } = await sandbox.call('GET', `/prospector/runs/${runs[0]}`);
	expect(text).toMatch(/"score":0\.10,"id":7615917337495251231,.*"status":1e400/);
	expect(sandbox.control.runs().runs[0].status).toBe('1e400');
});

test("the sandbox's operation updateWorkflow changes only updated_at and the fields in the request body", async () => {
	const created = (await sandbox.call('POST', WORKFLOWS, { body: { name: 'A', a: 1, b: 2 } })).json.data;
	sandbox.control.advanceClock(1234);
	const body = { b: 3, status: 'off' };
	const { data } = (await sandbox.call('PATCH', `${WORKFLOWS}/${created.id}`, { body })).json;
	const updated_at = new Date(START + 1234).toISOString();
	expect(data).toEqual({ ...created, b: 3, status: 'off', updated_at });
});

test('deleteWorkflow removes a Prospector workflow but not its runs and results', async () => {
	const { workflow, run } = seedOneOfEach(sandbox);
	const deleted = await sandbox.call('DELETE', `${WORKFLOWS}/${workflow}`);
	expect(deleted.json.data).toMatchObject({ id: workflow, name: 'First' });
	for (const operation of everyOperation.filter(({ id }) => id === 'workflowId')) {
		expect((await sendOperation(operation, { workflow, run })).status).toBe(404);
	}
	expect(await sandbox.get(WORKFLOWS)).toEqual([]);
	expect(await sandbox.get(`/prospector/runs/${run}`)).toMatchObject({ workflow_id: workflow });
	expect(await sandbox.get(`/prospector/runs/${run}/results`)).toHaveLength(3);
});

test.each([
	['it is empty', { headers: JSON_TYPE }],
	['it is incomplete JSON', { raw: '{"a":', headers: JSON_TYPE }],
	['it is an array', { body: [1] }],
	['its content type is text', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
	['it has no content type', { raw: '{}' }],
	['its name is not a string', { body: { name: 1 } }],
	['its status is not a string', { body: { status: null } }],
	['its name is a number with an exponent', { raw: '{"name":1e400}', headers: JSON_TYPE }],
	['one of its numbers has two decimal points', { raw: '{"a":1.0.0}', headers: JSON_TYPE }],
	['one of its numbers begins with a backslash', { raw: '{"a":\\1.0}', headers: JSON_TYPE }],
])('createWorkflow and updateWorkflow reject a request body with 400 if %s', async (_, options) => {
	const where = seedOneOfEach(sandbox);
	for (const operation of everyOperation.filter(({ body }) => body)) {
		const send = () => sendOperation(operation, where, { body: undefined, ...options });
		expect(await expectNoEffect(send)).toBe(400);
	}
});

test.each([
	['GET', '/nope'],
	['GET', `${WORKFLOWS}/`],
	['PUT', '/prospector/config'],
	['GET', `${WORKFLOWS}/%zz`],
	['GET', `${WORKFLOWS}/a%2Fb`],
])(
	'the sandbox answers %s %s with 404 if the request has an API key and with 401 if it has none',
	async (method, path) => {
		expect(await expectNoEffect(() => sandbox.call(method, path))).toBe(404);
		expect(sandbox.control.journal()).toMatchObject([{ method, path: API + path }]);
		expect((await sandbox.call(method, path, { key: null })).status).toBe(401);
	},
);

test('the sandbox responds 409 only if an idempotency key is sent again with a different payload', async () => {
	const first = await create('k', { name: 'A', deep: { a: 1, b: [1, 2] } });
	expect((await create('k', { name: 'B' })).status).toBe(409);
	expect((await create('k', { name: 'A', deep: { a: 1, b: [2, 1] } })).status).toBe(409);
	const { workflow } = seedOneOfEach(sandbox);
	const start = (id: string, key: string) => sandbox.call('POST', `${WORKFLOWS}/${id}/run`, withKey(key));
	expect((await start(workflow, 'k')).status).toBe(409);
	expect((await start(workflow, 'r')).status).toBe(200);
	expect((await start(first.json.data.id, 'r')).status).toBe(409);
	const reordered = await create('k', { deep: { b: [1, 2], a: 1 }, name: 'A' });
	expect([reordered.status, reordered.text]).toEqual([200, first.text]);
	expect(sandbox.control.state().counts.workflowsCreated).toBe(1);
});

test('the sandbox responds 409 if a number in the second payload differs only in the last of 19 digits', async () => {
	const send = async (digits: string) =>
		await sandbox.call('POST', WORKFLOWS, {
			raw: `{"n":${digits}}`,
			headers: { ...JSON_TYPE, 'idempotency-key': 'k' },
		});
	const first = await send('7615917337495251231');
	expect((await send('7615917337495251232')).status).toBe(409);
	expect((await send('7615917337495251231')).text).toBe(first.text);
});

test('a rejected request does not use up its idempotency key', async () => {
	expect((await create('k', { name: 1 })).status).toBe(400);
	expect((await create('k', { name: 'A' }, sandbox.keys.readOnlyScope)).status).toBe(403);
	expect((await create('k', { name: 'A' })).status).toBe(200);
});
