import { JSON_TYPE, seedOneOfEach, startTestSandbox, useTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();
const WORKFLOWS = '/prospector/workflows';
const prototypeBefore = Object.getOwnPropertyNames(Object.prototype);

afterEach(() => {
	expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore);
});

/** Returns JSON, because `__proto__` in an object literal would set the prototype. */
const object = (name: string, value: unknown) => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;
const own = (value: Json, name: string) => Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
const create = async (raw: string, headers: Record<string, string> = {}) =>
	await sandbox.call('POST', WORKFLOWS, { raw, headers: { ...JSON_TYPE, ...headers } });

describe.each(['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', 'then'])(
	'"%s"',
	(name) => {
		const settings = JSON.parse(
			`{"extraFields":{"me":${object(name, 'extra')}},"finalStatusByWorkflow":${object(name, 'no')}}`,
		);

		test('is an ordinary field of a workflow and of the journal', async () => {
			const { data } = (await create(object(name, { polluted: true }))).json;
			expect(own(data, name)).toEqual({ polluted: true });
			const path = `${WORKFLOWS}/${data.id}`;
			const patch = { raw: object(name, 'new'), headers: JSON_TYPE };
			expect(own((await sandbox.call('PATCH', path, patch)).json.data, name)).toBe('new');
			expect(own(await sandbox.get(path), name)).toBe('new');
			const [first, second] = (await sandbox.callControl('GET', '/journal')).json;
			expect([own(first.body, name), own(second.body, name)]).toEqual([{ polluted: true }, 'new']);
		});

		test('is part of the payload of an Idempotency-Key', async () => {
			const key = { 'idempotency-key': 'k' };
			const statuses: number[] = [];
			for (const raw of [object(name, 1), object(name, 1), object(name, 2), '{}']) {
				statuses.push((await create(raw, key)).status);
			}
			expect(statuses).toEqual([200, 200, 409, 409]);
		});

		test('is an ordinary Idempotency-Key', async () => {
			const key = { 'idempotency-key': name };
			const first = await create('{}', key);
			expect((await create('{}', key)).text).toBe(first.text);
			const { workflow } = seedOneOfEach(sandbox);
			const run = await sandbox.call('POST', `${WORKFLOWS}/${workflow}/run`, { headers: key });
			expect(run.status).toBe(409);
			expect(sandbox.control.state().counts).toMatchObject({ workflowsCreated: 1, runsStarted: 0 });
		});

		test('is unknown as an ID, a key name, the ID of a fault rule and a path', async () => {
			for (const [method, path] of [
				['GET', `${WORKFLOWS}/${name}`],
				['GET', `${WORKFLOWS}/${name}/runs`],
				['POST', `${WORKFLOWS}/${name}/run`],
				['GET', `/prospector/runs/${name}`],
				['GET', `/prospector/runs/${name}/results`],
				['GET', `/${name}`],
			]) {
				expect((await sandbox.call(method, path)).status).toBe(404);
			}
			for (const [method, path] of [
				['POST', `/keys/${name}/rotate`],
				['DELETE', `/faults/${name}`],
				['GET', `/${name}`],
			]) {
				expect((await sandbox.callControl(method, path)).status).toBe(404);
			}
		});

		test('has no effect as a query parameter but is in the journal', async () => {
			sandbox.control.seed({ workflows: 3 });
			const all = await sandbox.get(WORKFLOWS);
			const page = await sandbox.get(`${WORKFLOWS}?${name}=1&${name}=2&limit=2`);
			expect(page).toEqual(all.slice(0, 2));
			const { query } = (await sandbox.callControl('GET', '/journal')).json[1];
			expect([own(query, name), own(query, 'limit')]).toEqual([['1', '2'], '2']);
		});

		test('is an ordinary query parameter if the settings choose it', async () => {
			sandbox.control.patchSettings({ cursorParam: name, limitParam: `${name}x` });
			sandbox.control.seed({ workflows: 3 });
			const first = (await sandbox.call('GET', `${WORKFLOWS}?${name}x=2`)).json;
			expect(first.data).toHaveLength(2);
			expect(await sandbox.get(`${WORKFLOWS}?${name}=${first.pagination.next_cursor}`)).toHaveLength(1);
			expect((await sandbox.call('GET', `${WORKFLOWS}?${name}=x`)).status).toBe(400);
		});

		test('is an ordinary name in seeds, keys, fault rules and settings', async () => {
			const seed = JSON.parse(`{"workflows":[{"name":"W","fields":${object(name, 'seeded')},"runs":1}]}`);
			const { workflows } = (await sandbox.callControl('POST', '/seed', seed)).json;
			const path = `${WORKFLOWS}/${workflows[0]}`;
			expect(own(await sandbox.get(path), name)).toBe('seeded');

			const { secret } = (await sandbox.callControl('POST', '/keys', { name })).json;
			const me = async () => (await sandbox.call('GET', '/me', { key: secret })).status;
			expect(await me()).toBe(200);
			expect(sandbox.control.journal().at(-1)?.keyName).toBe(name);

			const rule = { id: name, kind: 'status', status: 599, match: { keyName: name, path: '/me' } };
			expect((await sandbox.callControl('POST', '/faults', rule)).json.id).toBe(name);
			expect(await me()).toBe(599);
			expect((await sandbox.callControl('DELETE', `/faults/${name}`)).json).toEqual({ removed: 1 });

			const patched = (await sandbox.callControl('PATCH', '/settings', settings)).json;
			expect(own(patched.finalStatusByWorkflow, name)).toBe('no');
			expect(own(await sandbox.get('/me'), name)).toBe('extra');
			await sandbox.call('POST', `${path}/run`);
			sandbox.control.advanceClock(60_000);
			const statuses = (await sandbox.get(`${path}/runs`)).map(({ status }: Json) => status);
			expect(statuses).toEqual(['completed', 'completed']);
		});

		test('survives a reset in the initial settings', async () => {
			const other = await startTestSandbox({ settings });
			await other.callControl('POST', '/reset');
			expect(own(await other.get('/me'), name)).toBe('extra');
			const { json } = await other.callControl('GET', '/state');
			expect(own(json.settings.finalStatusByWorkflow, name)).toBe('no');
		});

		test('is rejected as a setting and as a field of a seed or a fault rule', async () => {
			const kind = '{"kind":"drop",';
			for (const [method, path, body] of [
				['PATCH', '/settings', object(name, {})],
				['POST', '/seed', object(name, {})],
				['POST', '/faults', kind + object(name, { times: 0 }).slice(1)],
				['POST', '/faults', `${kind}"match":${object(name, 'x')}}`],
			]) {
				expect((await sandbox.callControl(method, path, JSON.parse(body))).status).toBe(400);
			}
		});
	},
);
