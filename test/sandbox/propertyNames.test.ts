import { JSON_TYPE, useTestSandbox } from './testSandbox';
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
		const extraFields = JSON.parse(`{"me":${object(name, 'extra')}}`) as object;
		sandbox.control.patchSettings({ cursorParam: name, extraFields });
		expect(own(await sandbox.get('/me'), name)).toBe('extra');
		expect((await sandbox.call('GET', `${WORKFLOWS}?${name}=x`)).status).toBe(400);
	},
);
