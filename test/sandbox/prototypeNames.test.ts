import { closeAll, JSON_HEADER, oneOfEach, startTestSandbox, START } from './support';
import type { Bench, Json } from './support';

const NAMES = ['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', 'then'];
const prototypeBefore = Object.getOwnPropertyNames(Object.prototype);

afterEach(async () => {
	await closeAll();
	expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore);
	expect(({} as Json).polluted).toBeUndefined();
});

/** A JSON text: in a literal, `__proto__` would set the prototype. */
const object = (name: string, value: unknown) => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;
const own = (value: Json, name: string) => Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
const create = (bench: Bench, raw: string, headers: Record<string, string> = {}) =>
	bench.call('POST', '/prospector/workflows', { raw, headers: { ...JSON_HEADER, ...headers } });

describe.each(NAMES)('the name %s', (name) => {
	test('comes back like any other when it is a field of a workflow', async () => {
		const bench = await startTestSandbox();
		const { data } = (await create(bench, object(name, { polluted: true }))).json;
		expect(own(data, name)).toEqual({ polluted: true });
		const path = `/prospector/workflows/${data.id}`;
		const patch = { raw: object(name, 'new'), headers: JSON_HEADER };
		expect(own((await bench.call('PATCH', path, patch)).json.data, name)).toBe('new');
		expect(own((await bench.call('GET', path)).json.data, name)).toBe('new');
		const [first, second] = (await bench.controlCall('GET', '/journal')).json;
		expect(own(first.body, name)).toEqual({ polluted: true });
		expect(own(second.body, name)).toBe('new');
	});

	test('counts when payloads are compared: another value under it gives 409', async () => {
		const bench = await startTestSandbox();
		const key = { 'idempotency-key': 'k' };
		expect((await create(bench, object(name, 1), key)).status).toBe(200);
		expect((await create(bench, object(name, 1), key)).status).toBe(200);
		expect((await create(bench, object(name, 2), key)).status).toBe(409);
		expect((await create(bench, '{}', key)).status).toBe(409);
	});

	test('makes a retry safe when it is an Idempotency-Key', async () => {
		const bench = await startTestSandbox();
		const { workflow } = oneOfEach(bench);
		for (const path of ['/prospector/workflows', `/prospector/workflows/${workflow}/run`]) {
			const send = () => bench.call('POST', path, { body: {}, headers: { 'idempotency-key': name + path } });
			const exact = { body: {}, headers: { 'idempotency-key': name } };
			const first = await send();
			expect((await send()).json).toEqual(first.json);
			const status = path.endsWith('run') ? 409 : 200;
			expect((await bench.call('POST', path, exact)).status).toBe(status);
			expect((await bench.call('POST', path, exact)).status).toBe(status);
		}
		expect(bench.control.state().counts).toMatchObject({ workflowsCreated: 2, runsStarted: 1 });
	});

	test('is unknown when it is an id, a key name or the id of a fault rule', async () => {
		const bench = await startTestSandbox();
		for (const path of ['/prospector/workflows/NAME', '/prospector/workflows/NAME/runs', '/NAME']) {
			expect((await bench.call('GET', path.replace('NAME', name))).status).toBe(404);
		}
		for (const path of ['/prospector/runs/NAME', '/prospector/runs/NAME/results']) {
			expect((await bench.call('GET', path.replace('NAME', name))).status).toBe(404);
		}
		expect((await bench.call('POST', `/prospector/workflows/${name}/run`)).status).toBe(404);
		expect((await bench.controlCall('POST', `/keys/${name}/rotate`)).status).toBe(404);
		expect((await bench.controlCall('DELETE', `/faults/${name}`)).status).toBe(404);
		expect((await bench.controlCall('GET', `/${name}`)).status).toBe(404);
	});

	test('appears in the journal when it is a query parameter, and has no other effect', async () => {
		const bench = await startTestSandbox();
		bench.control.seed({ workflows: 3 });
		const plain = await bench.call('GET', '/prospector/workflows');
		const reply = await bench.call('GET', `/prospector/workflows?${name}=1&${name}=2&limit=2`);
		expect(reply.json.data).toEqual(plain.json.data.slice(0, 2));
		const query = (await bench.controlCall('GET', '/journal')).json[1].query;
		expect(own(query, name)).toEqual(['1', '2']);
		expect(own(query, 'limit')).toBe('2');
	});

	test('is a cursor or page size parameter like any other when the settings choose it', async () => {
		const bench = await startTestSandbox({ settings: { cursorParam: name, limitParam: `${name}x` } });
		bench.control.seed({ workflows: 3 });
		const first = (await bench.call('GET', `/prospector/workflows?${name}x=2`)).json;
		expect(first.data).toHaveLength(2);
		const next = `${name}=${first.pagination.next_cursor}`;
		expect((await bench.call('GET', `/prospector/workflows?${next}`)).json.data).toHaveLength(1);
		expect((await bench.call('GET', `/prospector/workflows?${name}=x`)).status).toBe(400);
	});

	test('works in seeds, keys, fault rules and settings', async () => {
		const bench = await startTestSandbox();
		const raw = `{"workflows":[{"name":"W","fields":${object(name, 'seeded')},"runs":1}]}`;
		const seeded = (await bench.controlCall('POST', '/seed', JSON.parse(raw))).json;
		const path = `/prospector/workflows/${seeded.workflows[0]}`;
		expect(own((await bench.call('GET', path)).json.data, name)).toBe('seeded');

		const made = (await bench.controlCall('POST', '/keys', { name })).json;
		expect((await bench.call('GET', '/me', { key: made.secret })).status).toBe(200);
		expect(bench.control.journal().pop()?.keyName).toBe(name);

		const rule = { id: name, kind: 'status', status: 599, match: { keyName: name, path: '/me' } };
		expect((await bench.controlCall('POST', '/faults', rule)).json.id).toBe(name);
		expect((await bench.call('GET', '/me', { key: made.secret })).status).toBe(599);
		expect((await bench.controlCall('DELETE', `/faults/${name}`)).json).toEqual({ removed: 1 });

		const settings = JSON.parse(
			`{"extraFields":{"me":${object(name, 'extra')}},"runEndings":${object(name, 'no')}}`,
		);
		const patched = (await bench.controlCall('PATCH', '/settings', settings)).json;
		expect(own(patched.runEndings, name)).toBe('no');
		expect(own((await bench.call('GET', '/me')).json.data, name)).toBe('extra');
		await bench.call('POST', `${path}/run`);
		bench.pass(60_000);
		const statuses = (await bench.call('GET', `${path}/runs`)).json.data.map((run: Json) => run.status);
		expect(statuses).toEqual(['completed', 'completed']);
	});

	test('survives a reset when it is in the initial settings', async () => {
		const settings = JSON.parse(
			`{"extraFields":{"me":${object(name, 'extra')}},"runEndings":${object(name, 'no')}}`,
		);
		const bench = await startTestSandbox({ settings });
		await bench.controlCall('POST', '/reset');
		expect(own((await bench.call('GET', '/me')).json.data, name)).toBe('extra');
		expect(own((await bench.controlCall('GET', '/state')).json.settings.runEndings, name)).toBe('no');
	});

	test('is refused when it is a field of a fault rule, a setting or a field of a seed', async () => {
		const bench = await startTestSandbox();
		const kind = '{"kind":"drop",';
		const bad = JSON.parse(object(name, {}));
		expect((await bench.controlCall('PATCH', '/settings', bad)).status).toBe(400);
		expect((await bench.controlCall('POST', '/seed', bad)).status).toBe(400);
		const rule = JSON.parse(kind + object(name, { times: 0 }).slice(1));
		expect((await bench.controlCall('POST', '/faults', rule)).status).toBe(400);
		const match = JSON.parse(`${kind}"match":${object(name, 'x')}}`);
		expect((await bench.controlCall('POST', '/faults', match)).status).toBe(400);
	});
});

test('runs per workflow have no inherited names', async () => {
	const bench = await startTestSandbox();
	const { workflow } = oneOfEach(bench);
	await bench.call('POST', `/prospector/workflows/${workflow}/run`);
	const { perWorkflow } = bench.control.runs();
	expect(Object.getPrototypeOf(perWorkflow)).toBeNull();
	expect(JSON.stringify(perWorkflow)).toBe(`{"${workflow}":1}`);
	expect((await bench.controlCall('GET', '/runs')).json.perWorkflow).toEqual({ [workflow]: 1 });
	await bench.call('GET', '/me?a=1');
	const query = bench.control.journal().pop()?.query ?? {};
	expect(Object.getPrototypeOf(query)).toBeNull();
	expect(bench.control.state().now).toBe(new Date(START).toISOString());
});
