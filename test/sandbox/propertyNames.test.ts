import { JSON_TYPE, startTestSandbox, useTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();
const WORKFLOWS = '/prospector/workflows';

/** Returns JSON, because `__proto__` in an object literal would set the prototype. */
const object = (name: string, value: unknown) => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;
const own = (value: Json, name: string) => Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
const send = async (method: string, path: string, raw: string, headers: Record<string, string> = {}) =>
	await sandbox.call(method, path, { raw, headers: { ...JSON_TYPE, ...headers } });

describe.each(['__proto__', 'constructor', 'then'])('the property name "%s"', (name) => {
	test(`a workflow and the journal can have the field ${name}`, async () => {
		const { data } = (await send('POST', WORKFLOWS, object(name, { a: 1 }))).json;
		expect(own(data, name)).toEqual({ a: 1 });
		const path = `${WORKFLOWS}/${data.id}`;
		expect(own((await send('PATCH', path, object(name, 'new'))).json.data, name)).toBe('new');
		const [first, second] = (await sandbox.callControl('GET', '/journal')).json;
		expect([own(first.body, name), own(second.body, name)]).toEqual([{ a: 1 }, 'new']);
		expect(({} as Json).a).toBeUndefined();
	});

	test(`an Idempotency-Key can be ${name}, for a payload with the field ${name}`, async () => {
		const key = { 'idempotency-key': name };
		const bodies = [object(name, 1), object(name, 1), object(name, 2), '{}'];
		const statuses: number[] = [];
		for (const raw of bodies) statuses.push((await send('POST', WORKFLOWS, raw, key)).status);
		expect(statuses).toEqual([200, 200, 409, 409]);
	});

	test(`the service knows no workflow, run, key, fault rule or path ${name}`, async () => {
		for (const path of [`${WORKFLOWS}/${name}/runs`, `/prospector/runs/${name}`, `/${name}`]) {
			expect((await sandbox.call('GET', path)).status).toBe(404);
		}
		for (const path of [`/keys/${name}/rotate`, `/workflows/${name}/restore`, `/${name}`]) {
			expect((await sandbox.callControl('POST', path)).status).toBe(404);
		}
	});

	test(`the setting cursorParam can be ${name}`, async () => {
		sandbox.control.patchSettings({ cursorParam: name, defaultPageSize: 2 });
		sandbox.control.seed({ workflows: 3 });
		const { pagination } = (await sandbox.call('GET', WORKFLOWS)).json;
		expect(await sandbox.get(`${WORKFLOWS}?${name}=${pagination.next_cursor}`)).toHaveLength(1);
		expect((await sandbox.call('GET', `${WORKFLOWS}?${name}=x`)).status).toBe(400);
	});

	test(`seeds and settings keep fields with the name ${name} across a reset`, async () => {
		const settings = JSON.parse(
			`{"extraFields":{"me":${object(name, 'extra')}},"finalStatusByWorkflow":${object(name, 'no')}}`,
		);
		const other = await startTestSandbox({ settings });
		const state = (await other.callControl('POST', '/reset')).json;
		expect(own(state.settings.finalStatusByWorkflow, name)).toBe('no');
		expect(own(await other.get('/me'), name)).toBe('extra');
		const { workflows } = other.control.seed(
			JSON.parse(`{"workflows":[{"fields":${object(name, 'seeded')}}]}`),
		);
		expect(own(await other.get(`${WORKFLOWS}/${workflows[0]}`), name)).toBe('seeded');
	});

	test.each([
		['PATCH', '/settings', object(name, {})],
		['POST', '/seed', object(name, {})],
		['POST', '/faults', `{"kind":"drop",${object(name, 0).slice(1)}`],
		['POST', '/faults', `{"kind":"drop","match":${object(name, 'x')}}`],
	])(`%s %s responds 400 to the unknown field ${name}`, async (method, path, body) => {
		expect((await sandbox.callControl(method, path, JSON.parse(body))).status).toBe(400);
	});
});
