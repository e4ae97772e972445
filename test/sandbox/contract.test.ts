import fc from 'fast-check';
import {
	OPERATION_CASES,
	API,
	JSON_TYPE,
	START,
	seedOneOfEach,
	sendCase,
	useTestSandbox,
} from './testSandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import type { CallOptions } from './testSandbox';

const sandbox = useTestSandbox();
const WORKFLOWS = '/prospector/workflows';
const REQUEST_ID = expect.stringMatching(/^req_/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const statusOf = async (key: string, method = 'GET', path = '/me', body?: object) =>
	(await sandbox.call(method, path, { key, body })).status;
const withKey = (key: string): CallOptions => ({ headers: { 'idempotency-key': key } });
const create = async (key: string, body: unknown = { name: 'A' }, secret = sandbox.keys.full) =>
	await sandbox.call('POST', WORKFLOWS, { ...withKey(key), body, key: secret });

const allScopes = () => sandbox.control.state().keys[0].scopes;
const keyWith = (scopes: string[]) => sandbox.control.createKey({ name: 'other', scopes }).secret;

/** Sends a request and expects that it has no effect except a journal entry. */
async function expectNoEffect(send: () => Promise<{ status: number }>): Promise<number> {
	const { counts } = sandbox.control.state();
	const { status } = await send();
	expect(sandbox.control.state().counts).toEqual({ ...counts, journal: counts.journal + 1 });
	expect(sandbox.control.journal().at(-1)).toMatchObject({ status, committed: false });
	return status;
}

describe.each(OPERATION_CASES)('operation $number, $operation', (operation) => {
	const { isWrite, isList, isIdempotent, hasId, scope } = operation;
	const send = async (options?: CallOptions, where = seedOneOfEach(sandbox)) =>
		await sendCase(sandbox, operation, where, options);

	test('responds with the envelope and is in the journal', async () => {
		const { status, headers, json } = await send();
		expect(status).toBe(200);
		expect(headers['content-type']).toContain('application/json');
		expect(json).toEqual({
			data: isList ? expect.any(Array) : expect.any(Object),
			request_id: REQUEST_ID,
			...(isList && { pagination: expect.any(Object) }),
		});
		const resources = [json.data].flat();
		expect(resources.length).toBeGreaterThan(0);
		for (const resource of resources) {
			expect(resource).toMatchObject({
				id: expect.any(String),
				object: operation.object,
				created_at: TIME,
				updated_at: TIME,
			});
		}
		expect(sandbox.control.journal()).toMatchObject([
			{
				operation: operation.operation,
				status: 200,
				requestId: json.request_id,
				committed: isWrite,
				replayed: false,
				keyName: 'full',
			},
		]);
	});

	test('responds 401 and changes nothing without a valid key', async () => {
		const { full, revoked, expired } = sandbox.keys;
		const where = seedOneOfEach(sandbox);
		for (const authorization of [
			undefined,
			'Bearer nonsense',
			'Bearer prospector_sandbox_full_',
			`Basic ${full}`,
			full,
			'Bearer ',
			`Bearer ${revoked}`,
			`Bearer ${expired}`,
		]) {
			const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
			const status = await expectNoEffect(() => send({ key: null, headers }, where));
			expect([authorization, status]).toEqual([authorization, 401]);
			const { hasAuthorization } = sandbox.control.journal().at(-1) ?? {};
			expect(hasAuthorization).toBe(authorization !== undefined);
		}
	});

	test.each<[string, number, () => string]>([
		['every other scope', 403, () => keyWith(allScopes().filter((other) => other !== scope))],
		['only its scope', 200, () => keyWith([scope])],
		['a read-only membership', isWrite ? 403 : 200, () => sandbox.keys.readOnlyMembership],
	])('a key with %s gets the status %d, and a 403 changes nothing', async (_, expected, keyOf) => {
		const where = seedOneOfEach(sandbox);
		const key = keyOf();
		if (expected === 403) expect(await expectNoEffect(() => send({ key }, where))).toBe(403);
		else expect((await send({ key }, where)).status).toBe(200);
	});

	test('responds 429 and changes nothing when the rate limit is used up', async () => {
		sandbox.control.patchSettings({ limit: 1 });
		const where = seedOneOfEach(sandbox);
		await sandbox.call('GET', '/me');
		expect(await expectNoEffect(() => send({}, where))).toBe(429);
	});

	if (hasId) {
		test('responds 404 for an unknown ID', async () => {
			const { status, json } = await send({}, { workflow: 'unknown', run: 'unknown' });
			expect(status).toBe(404);
			expect(json.request_id).toEqual(REQUEST_ID);
		});
	}

	if (isWrite && !isIdempotent) {
		test('ignores an Idempotency-Key', async () => {
			const where = seedOneOfEach(sandbox);
			expect((await send(withKey('k'), where)).status).toBe(200);
			const repeated = operation.operation === 'deleteWorkflow' ? 404 : 200;
			expect((await send(withKey('k'), where)).status).toBe(repeated);
			expect((await create('k')).status).toBe(200);
		});
	}

	if (isIdempotent) {
		const count = () => {
			const { workflowsCreated, runsStarted } = sandbox.control.state().counts;
			return workflowsCreated + runsStarted;
		};

		test('repeats the first response when the key and the payload are the same', async () => {
			const where = seedOneOfEach(sandbox);
			const first = await send(withKey('k'), where);
			sandbox.control.advanceClock(60_000);
			const second = await send(withKey('k'), where);
			expect([second.status, second.text]).toEqual([200, first.text]);
			expect(count()).toBe(1);
			expect(sandbox.control.journal()).toMatchObject([
				{ committed: true, replayed: false, idempotencyKey: 'k' },
				{ committed: false, replayed: true, idempotencyKey: 'k', requestId: first.json.request_id },
			]);
		});

		test('takes effect once when 20 requests with the same key arrive together', async () => {
			const where = seedOneOfEach(sandbox);
			const responses = await Promise.all(Array.from({ length: 20 }, () => send(withKey('k'), where)));
			expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
			expect(count()).toBe(1);
		});

		test.each(['before', 'after'] as const)(
			'takes effect once when a retry overtakes a request that is slow %s its effect',
			async (when) => {
				const where = seedOneOfEach(sandbox);
				sandbox.control.addFault({ kind: 'slow', delayMs: 40, when });
				const slow = send(withKey('k'), where);
				const retry = await send(withKey('k'), where);
				expect((await slow).text).toBe(retry.text);
				expect(count()).toBe(1);
			},
		);

		test('takes effect every time with another key, an empty key or none', async () => {
			const where = seedOneOfEach(sandbox);
			const keys = ['a', 'b', 'c', '', ''].map(withKey);
			for (const options of [...keys, {}, {}]) await send(options, where);
			expect(count()).toBe(7);
		});
	}
});

describe('resources (contract 2.3)', () => {
	test.each([
		['/prospector/config', { timezone: expect.any(String), states: expect.any(Array) }],
		[`${WORKFLOWS}/WF`, { name: 'First', status: expect.any(String) }],
		['/prospector/runs/RUN', { status: expect.any(String), workflow_id: expect.stringMatching(/^wf_/) }],
		[
			'/prospector/runs/RUN/results',
			Array(3).fill({
				lead_id: expect.stringMatching(/^lead_/),
				company_name: expect.stringMatching(/^\S+ \S/),
			}),
		],
		['/me', { name: 'full', membership: 'full', workspace: { name: expect.any(String) } }],
	])('%s has the fields of its type and no API key', async (path, fields) => {
		const { workflow, run } = seedOneOfEach(sandbox);
		const { json, text } = await sandbox.call('GET', path.replace('WF', workflow).replace('RUN', run));
		expect(json.data).toMatchObject(fields);
		expect(text).not.toContain(sandbox.keys.full);
	});

	test('request IDs stay unique across a reset', async () => {
		const seen = new Set<string>();
		for (const path of ['/me', '/me', '/nowhere']) {
			seen.add((await sandbox.call('GET', path)).json.request_id);
		}
		sandbox.control.reset();
		seen.add((await sandbox.call('GET', '/me')).json.request_id);
		expect(seen.size).toBe(4);
	});
});

describe('workflows', () => {
	test('keep the fields of the request body except those set by the service', async () => {
		const ignored = { id: 'mine', object: 'x', created_at: 'x', updated_at: 'x' };
		const body = { name: 'A', query: { country: 'DE' }, ...ignored };
		const { data } = (await sandbox.call('POST', WORKFLOWS, { body })).json;
		expect(data).toMatchObject({
			name: 'A',
			query: { country: 'DE' },
			id: expect.stringMatching(/^wf_/),
			object: 'prospector_workflow',
			created_at: TIME,
			updated_at: TIME,
		});
		expect(await sandbox.get(`${WORKFLOWS}/${data.id}`)).toEqual(data);
	});

	test('have a default name and status when the body is {}', async () => {
		const { data } = (await sandbox.call('POST', WORKFLOWS, { body: {} })).json;
		expect(data).toMatchObject({ name: 'Untitled workflow', status: 'active' });
	});

	test('change only the fields of a PATCH and updated_at', async () => {
		const created = (await sandbox.call('POST', WORKFLOWS, { body: { name: 'A', a: 1, b: 2 } })).json.data;
		sandbox.control.advanceClock(1234);
		const body = { b: 3, status: 'off' };
		const { data } = (await sandbox.call('PATCH', `${WORKFLOWS}/${created.id}`, { body })).json;
		const updated_at = new Date(START + 1234).toISOString();
		expect(data).toEqual({ ...created, b: 3, status: 'off', updated_at });
	});

	test('disappear with DELETE, but their runs and results stay', async () => {
		const { workflow, run } = seedOneOfEach(sandbox);
		const deleted = await sandbox.call('DELETE', `${WORKFLOWS}/${workflow}`);
		expect(deleted.json.data).toMatchObject({ id: workflow, name: 'First' });
		for (const operation of OPERATION_CASES.filter(({ path }) => path.includes('WF'))) {
			expect((await sendCase(sandbox, operation, { workflow, run })).status).toBe(404);
		}
		expect(await sandbox.get(WORKFLOWS)).toEqual([]);
		expect(await sandbox.get(`/prospector/runs/${run}`)).toMatchObject({ workflow_id: workflow });
		expect(await sandbox.get(`/prospector/runs/${run}/results`)).toHaveLength(3);
	});

	test('start runs of their own', async () => {
		const { workflow } = seedOneOfEach(sandbox);
		const { data } = (await sandbox.call('POST', `${WORKFLOWS}/${workflow}/run`)).json;
		expect(data).toMatchObject({ object: 'prospector_run', workflow_id: workflow, status: 'queued' });
		const { json } = await sandbox.callControl('GET', '/runs');
		expect(json).toMatchObject({ started: 1, seeded: 1 });
		expect(json.perWorkflow).toEqual({ [workflow]: 1 });
	});
});

describe('request bodies', () => {
	test.each([
		['it is empty', {}],
		['it is empty with a content type', { headers: JSON_TYPE }],
		['it is incomplete JSON', { raw: '{"a":', headers: JSON_TYPE }],
		['it is an array', { body: [1] }],
		['it is null', { raw: 'null', headers: JSON_TYPE }],
		['it is a string', { raw: '"x"', headers: JSON_TYPE }],
		['it is a form', { raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
		['its content type is text', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
		['it has no content type', { raw: '{}' }],
		['its name is not a string', { body: { name: 1 } }],
		['its status is not a string', { body: { status: null } }],
	])('are rejected with 400 when %s', async (_, options) => {
		const where = seedOneOfEach(sandbox);
		for (const { method, path } of OPERATION_CASES.filter(({ hasBody }) => hasBody)) {
			const send = () => sandbox.call(method, path.replace('WF', where.workflow), options);
			expect(await expectNoEffect(send)).toBe(400);
		}
	});

	test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])(
		'are accepted with the content type %s',
		async (type) => {
			const options = { raw: '{}', headers: { 'content-type': type } };
			expect((await sandbox.call('POST', WORKFLOWS, options)).status).toBe(200);
		},
	);
});

test.each([
	['GET', '/nope'],
	['GET', '/prospector'],
	['GET', `${WORKFLOWS}/`],
	['PUT', '/prospector/config'],
	['POST', '/prospector/runs/x'],
	['GET', `${WORKFLOWS}/%zz`],
	['GET', `${WORKFLOWS}/%ff`],
	['GET', `${WORKFLOWS}/${'x'.repeat(300)}`],
	['GET', `${WORKFLOWS}/a%2Fb`],
])('%s %s responds 404 with a key, 401 without one', async (method, path) => {
	expect(await expectNoEffect(() => sandbox.call(method, path))).toBe(404);
	expect(sandbox.control.journal()).toMatchObject([{ method, path: API + path }]);
	expect((await sandbox.call(method, path, { key: null })).status).toBe(401);
});

describe('API keys', () => {
	test.each([
		['readOnlyScope', 200, 200, 403],
		['noMeRead', 403, 200, 200],
	] as const)('%s gets %d for GET /me, %d for a read, %d for a write', async (name, me, read, write) => {
		const key = sandbox.keys[name];
		const get = await statusOf(key, 'GET', WORKFLOWS);
		expect([await statusOf(key), get, await statusOf(key, 'POST', WORKFLOWS, {})]).toEqual([me, read, write]);
	});

	test('put the reason for a 401 into the journal but not into the response', async () => {
		for (const key of [null, 'x', sandbox.keys.revoked, sandbox.keys.expired]) {
			const { json } = await sandbox.call('GET', '/me', { key });
			expect(json.error).toEqual({ message: 'Unauthorized' });
		}
		expect(sandbox.control.journal().map((entry) => [entry.keyName, entry.reason])).toEqual([
			[null, 'no Authorization header'],
			[null, 'malformed key'],
			['revoked', 'revoked key'],
			['expired', 'expired key'],
		]);
	});

	test('have one valid secret after each rotation', async () => {
		const secrets = [sandbox.keys.full];
		for (const revoked of [[401], [401, 401]]) {
			const rotated = sandbox.control.rotateKey('full');
			expect(rotated).toMatchObject({ name: 'full', status: 'active', membership: 'full' });
			secrets.push(rotated.secret);
			expect(await Promise.all(secrets.map((secret) => statusOf(secret)))).toEqual([...revoked, 200]);
		}
		const records = sandbox.control.state().keys.filter(({ name }) => name === 'full');
		expect(records.map(({ status }) => status)).toEqual(['revoked', 'revoked', 'active']);
	});

	test('become invalid at their expiry time', async () => {
		const expiresAt = new Date(START + 1000).toISOString();
		const { secret } = sandbox.control.createKey({ name: 'brief', expiresAt });
		sandbox.control.advanceClock(999);
		expect(await statusOf(secret)).toBe(200);
		sandbox.control.advanceClock(1);
		expect(await statusOf(secret)).toBe(401);
	});
});

describe('Idempotency-Key', () => {
	test('responds 409 for another payload and still repeats the first response', async () => {
		const first = await create('k', { name: 'A', deep: { a: 1, b: [1, 2] } });
		expect((await create('k', { name: 'B' })).status).toBe(409);
		expect((await create('k', { name: 'A', deep: { a: 1, b: [2, 1] } })).status).toBe(409);
		const reordered = await create('k', { deep: { b: [1, 2], a: 1 }, name: 'A' });
		expect([reordered.status, reordered.text]).toEqual([200, first.text]);
		expect(sandbox.control.state().counts.workflowsCreated).toBe(1);
	});

	test('responds 409 for another workflow and another operation', async () => {
		const [one, other] = sandbox.control.seed({ workflows: 2 }).workflows;
		const run = async (id: string) =>
			(await sandbox.call('POST', `${WORKFLOWS}/${id}/run`, withKey('k'))).status;
		expect([await run(one), await run(other), (await create('k')).status]).toEqual([200, 409, 409]);
		expect(sandbox.control.state().counts).toMatchObject({ runsStarted: 1, workflowsCreated: 0 });
	});

	test('stays unused after a rejected request', async () => {
		expect((await create('k', { name: 1 })).status).toBe(400);
		expect((await create('k', { name: 'A' }, sandbox.keys.readOnlyScope)).status).toBe(403);
		expect((await create('k', { name: 'A' })).status).toBe(200);
	});

	test('repeats a started run after its workflow was deleted', async () => {
		const { workflow } = seedOneOfEach(sandbox);
		const run = () => sandbox.call('POST', `${WORKFLOWS}/${workflow}/run`, withKey('k'));
		const first = await run();
		await sandbox.call('DELETE', `${WORKFLOWS}/${workflow}`);
		expect((await run()).text).toBe(first.text);
	});

	test('expires after idempotencyTtlMs', async () => {
		sandbox.control.patchSettings({ idempotencyTtlMs: 1000 });
		await create('k');
		sandbox.control.advanceClock(999);
		expect((await create('k', { name: 'B' })).status).toBe(409);
		sandbox.control.advanceClock(1);
		expect((await create('k', { name: 'B' })).status).toBe(200);
		expect(sandbox.control.state().counts.workflowsCreated).toBe(2);
	});

	test.each([
		['workspace', 1],
		['key', 2],
	] as const)(
		'with the scope %s creates %d in total after a key rotation',
		async (idempotencyScope, count) => {
			sandbox.control.patchSettings({ idempotencyScope });
			await create('k');
			await create('k', { name: 'A' }, sandbox.control.rotateKey('full').secret);
			expect(sandbox.control.state().counts.workflowsCreated).toBe(count);
		},
	);
});

describe('rate limit', () => {
	const me = async (key = sandbox.keys.full) => await statusOf(key);

	test('accepts exactly the requests with fewer than `limit` accepted ones in the last minute', async () => {
		const waits = fc.array(fc.constantFrom(0, 1, 1000, 29_999, 30_000, 59_999, 60_000), { maxLength: 20 });
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 4 }), waits, async (limit, waitsMs) => {
				sandbox.control.reset();
				sandbox.control.patchSettings({ limit });
				const accepted: number[] = [];
				let now = 0;
				for (const waitMs of waitsMs) {
					sandbox.control.advanceClock(waitMs);
					now += waitMs;
					const isFree = accepted.filter((time) => time > now - 60_000).length < limit;
					expect(await me()).toBe(isFree ? 200 : 429);
					if (isFree) accepted.push(now);
				}
			}),
			{ numRuns: 30 },
		);
	});

	test('is counted per key record, so a rotated key starts with an empty window', async () => {
		sandbox.control.patchSettings({ limit: 1 });
		expect([await me(), await me()]).toEqual([200, 429]);
		expect(await me(sandbox.keys.readOnlyScope)).toBe(200);
		expect(await me(sandbox.control.rotateKey('full').secret)).toBe(200);
	});

	test('counts 403 and 404 but not 401', async () => {
		sandbox.control.patchSettings({ limit: 3 });
		const { noMeRead, revoked } = sandbox.keys;
		for (const path of ['/me', '/prospector/runs/x', '/nowhere']) {
			await sandbox.call('GET', path, { key: noMeRead });
		}
		expect(await me(noMeRead)).toBe(429);
		for (let count = 0; count < 5; count++) expect(await me(revoked)).toBe(401);
	});

	test('can be changed while the sandbox is running', async () => {
		sandbox.control.patchSettings({ limit: 1 });
		expect([await me(), await me()]).toEqual([200, 429]);
		await sandbox.callControl('PATCH', '/settings', { limit: 3 });
		expect([await me(), await me(), await me()]).toEqual([200, 200, 429]);
		sandbox.control.patchSettings({ windowMs: 10 });
		sandbox.control.advanceClock(10);
		expect(await me()).toBe(200);
	});
});

describe('other limits', () => {
	/** Returns the status of each request after pauses of these milliseconds. */
	async function statusesOf(settings: Partial<SandboxSettings>, pauses: number[]) {
		sandbox.control.patchSettings(settings);
		const statuses: number[] = [];
		for (const pause of pauses) {
			sandbox.control.advanceClock(pause);
			statuses.push((await sandbox.call('GET', '/me')).status);
		}
		return statuses.map((status) => status === 200);
	}
	const [yes, no] = [true, false];

	test.each<[string, Partial<SandboxSettings>, number[], boolean[]]>([
		// The test's clock starts at the beginning of a minute.
		['a fixed minute', { limitKind: 'fixed', limit: 2 }, [50_000, 0, 0, 10_000, 0], [yes, yes, no, yes, yes]],
		['a rolling minute', { limit: 2 }, [50_000, 0, 0, 10_000, 50_000], [yes, yes, no, no, yes]],
		['a bucket', { limitKind: 'bucket', limit: 2 }, [0, 0, 0, 30_000, 0], [yes, yes, no, yes, no]],
		[
			'a bucket of 1',
			{ limitKind: 'bucket', limit: 2, burst: 1 },
			[0, 0, 30_000, 29_999],
			[yes, no, yes, no],
		],
		['a limit per second', { limitPerSecond: 1 }, [0, 999, 1], [yes, no, yes]],
		['a daily quota', { dailyQuota: 1 }, [0, 23 * 3_600_000, 3_600_000], [yes, no, yes]],
		['rejected requests that count', { limit: 1, countRejected: true }, [0, 30_000, 30_000], [yes, no, no]],
	])('%s: %j accepts requests after %j ms: %j', async (_, settings, pauses, expected) => {
		expect(await statusesOf(settings, pauses)).toEqual(expected);
	});

	test('limitPerEndpoint counts each operation by itself', async () => {
		expect(await statusesOf({ limit: 1, limitPerEndpoint: true }, [0, 0])).toEqual([true, false]);
		expect((await sandbox.call('GET', '/prospector/config')).status).toBe(200);
	});
});

describe('rateLimitHeaders', () => {
	const read = async () => {
		const { headers } = await sandbox.call('GET', '/me');
		const names = /^(?:retry-after|(?:x-)?ratelimit(?:-.*)?)$/;
		return Object.fromEntries(Object.entries(headers).filter(([name]) => names.test(name)));
	};
	const epochSeconds = String(Date.parse('2025-03-01T12:01:00.000Z') / 1000);
	const ietf = (remaining: string, reset: string) => ({
		'ratelimit-limit': '2',
		'ratelimit-remaining': remaining,
		'ratelimit-reset': reset,
	});
	const draft = (remaining: string, reset: string) => ({
		'ratelimit-policy': '"default";q=2;w=60',
		ratelimit: `"default";r=${remaining};t=${reset}`,
	});
	const wrong = { 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '3600' };
	const x = (remaining: string) => ({
		'x-ratelimit-limit': '2',
		'x-ratelimit-remaining': remaining,
		'x-ratelimit-reset': epochSeconds,
	});
	// Requests at 0 s, 10.5 s and 10.5 s: the third must wait for 49.5 s.
	test.each([
		['none', {}, {}],
		['retry-after', {}, { 'retry-after': '50' }],
		['retry-after-date', {}, { 'retry-after': 'Sat, 01 Mar 2025 12:01:00 GMT' }],
		['retry-after-zero', {}, { 'retry-after': '0' }],
		['retry-after-short', {}, { 'retry-after': '1' }],
		// A minute before 12:00:10.5.
		['retry-after-past', {}, { 'retry-after': 'Sat, 01 Mar 2025 11:59:10 GMT' }],
		['retry-after-absurd', {}, { 'retry-after': '86400' }],
		['ratelimit', ietf('1', '60'), ietf('0', '50')],
		['ratelimit-draft', draft('1', '60'), draft('0', '50')],
		['ratelimit-wrong', wrong, wrong],
		['x-ratelimit', x('1'), x('0')],
		[['retry-after', 'x-ratelimit'], x('1'), { ...x('0'), 'retry-after': '50' }],
		[[], {}, {}],
	])('%j sends %j, and %j with a 429', async (rateLimitHeaders, accepted, rejected) => {
		sandbox.control.patchSettings({ limit: 2, rateLimitHeaders: rateLimitHeaders as 'none' });
		expect(await read()).toEqual(accepted);
		sandbox.control.advanceClock(10_500);
		await read();
		expect(await read()).toEqual(rejected);
	});

	test('announce the time when enough requests have expired after the limit was lowered', async () => {
		sandbox.control.patchSettings({ limit: 3, rateLimitHeaders: 'retry-after' });
		for (const seconds of [10, 10, 0]) {
			await read();
			sandbox.control.advanceClock(seconds * 1000);
		}
		sandbox.control.patchSettings({ limit: 1 });
		expect(await read()).toEqual({ 'retry-after': '60' });
	});
});
