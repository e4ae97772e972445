import { JSON_TYPE, startTestSandbox, useTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();
const WORKFLOWS = '/prospector/workflows';

/** Returns JSON, because `__proto__` in an object literal would set the prototype. */
const object = (name: string, value: unknown) => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;
const own = (value: Json, name: string) => Object.getOwnPropertyDescriptor(value, name)?.value as unknown;

test.each(['__proto__', 'constructor'])(
	'the service treats "%s" as any other field, Idempotency-Key, ID or query parameter',
	async (name) => {
		const create = async (raw: string) =>
			await sandbox.call('POST', WORKFLOWS, { raw, headers: { ...JSON_TYPE, 'idempotency-key': name } });
		const { json } = await create(object(name, { a: 1 }));
		expect(own(json.data, name)).toEqual({ a: 1 });
		expect(({} as Json).a).toBeUndefined();
		expect(own((await sandbox.callControl('GET', '/journal')).json[0].body, name)).toEqual({ a: 1 });
		expect((await create(object(name, { a: 1 }))).status).toBe(200);
		expect((await create('{}')).status).toBe(409);
		for (const path of [`${WORKFLOWS}/${name}/runs`, `/prospector/runs/${name}`, `/${name}`]) {
			expect((await sandbox.call('GET', path)).status).toBe(404);
		}
		sandbox.control.patchSettings({ cursorParam: name });
		expect((await sandbox.call('GET', `${WORKFLOWS}?${name}=x`)).status).toBe(400);
	},
);

test.each(['__proto__', 'constructor'])('the control API treats "%s" as any other name', async (name) => {
	const extraFields = `"extraFields":{"me":${object(name, 'extra')}}`;
	const settings = JSON.parse(`{${extraFields},"finalStatusByWorkflow":${object(name, 'no')}}`);
	const other = await startTestSandbox({ settings });
	const state = (await other.callControl('POST', '/reset')).json;
	expect(own(state.settings.finalStatusByWorkflow, name)).toBe('no');
	expect(own(await other.get('/me'), name)).toBe('extra');
	for (const [method, path, status, body] of [
		['PATCH', '/settings', 400, object(name, {})],
		['POST', '/seed', 400, object(name, {})],
		['POST', '/faults', 400, `{"kind":"drop","match":${object(name, 'x')}}`],
		['POST', `/keys/${name}/rotate`, 404, '{}'],
	] as const) {
		expect((await sandbox.callControl(method, path, JSON.parse(body))).status).toBe(status);
	}
});
