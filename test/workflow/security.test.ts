/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callEditorMethod, idsOf, startEnvironment, type Environment } from './environment';
import { everyOperation, findOperation, inputFor, parametersFor, type Row } from './everyOperation';
import { changesSince, snapshotPrototypes } from './hostileService/prototypes';

let env: Environment;
beforeAll(async () => (env = await startEnvironment()));
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

// Responses with the API key are tested in hostileService/anyResponse.test.ts.
describe('The API key', () => {
	test.each([301, 302, 303, 307, 308])(
		'the node does not send the API key to the target of a redirect when the redirect has status %i',
		async (status) => {
			let received = 0;
			const other = createServer((_, response) => void response.end(String(++received)));
			await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
			const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
			for (const title of ['Account › getSettings', 'Workflow › run']) {
				const input = inputFor(env, findOperation(title), 1);
				env.resetService({ kind: 'redirect', status, location: `${origin}/` });
				const { message } = await env.getError(parametersFor(findOperation(title)), input);
				expect(message).toBe(`'Base URL' redirects to ${origin}`);
				expect(env.journal()).toHaveLength(1);
			}
			await new Promise((resolve) => other.close(resolve));
			expect(received).toBe(0);
		},
	);
});

test.each(everyOperation.filter(({ id }) => id).map((row) => [row.title, row] as const))(
	'the operation %s sends an ID as one path segment of the URL when the ID has special characters',
	async (_, row) => {
		const ids = [
			...['a/b', '../me', './x', '%2e%2e', '..%2Fme', '/etc', '\\..\\me', 'x?limit=1', 'x#y', 'x&y=z', 'a b'],
			...['@evil.example', '//evil.example/x', ':80', '%', '%00', '東京', 'a{{ 1 }}', '__proto__', 'runs'],
		];
		for (const id of ids) expect((await env.getError(parametersFor(row), [{ id }])).httpCode).toBe('404');
		const path = (operation: Row, id: string) =>
			`/api/public/v1${operation.path.replace('ID', encodeURIComponent(id))}`;
		const check = findOperation('Run › get');
		const expected = ids.flatMap((id) => [
			...(row.checked ? [['GET', path(check, id), 'getRun']] : []),
			[row.method, path(row, id), row.calls],
		]);
		expect(env.journal().map(({ method, path, operation }) => [method, path, operation])).toEqual(expected);
	},
);

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'])(
	'the node treats %s like any other text when an ID, field name, status or cursor has this value',
	async (name) => {
		const before = snapshotPrototypes();
		const body = (data: unknown, pagination: object = { has_more: false }) => ({
			...{ kind: 'notEnvelope' as const, times: 1 },
			// JSON keeps a field named __proto__; an object literal does not.
			body: `{"data":${JSON.stringify(data)},"pagination":${JSON.stringify(pagination)},"request_id":"r"}`,
		});
		const resource = JSON.parse(`{"id":"${name}","status":"${name}","${name}":{"polluted":1}}`) as object;
		for (const row of everyOperation.filter(({ id }) => id)) {
			env.resetService(...(row.checked ? [body(resource)] : []), body(row.list ? [resource] : resource));
			const options = { fieldsToReturn: `id, ${name}` };
			const items = await env.getItems(parametersFor(row, name, { options }));
			expect(idsOf(items)).toEqual([name]);
			expect(Object.hasOwn(items[0].json, name)).toBe(true);
		}
		const wait = { waitForCompletion: true, options: { finishedStatuses: name } };
		env.resetService(body(resource));
		expect(
			idsOf(await env.getItems({ ...parametersFor(findOperation('Run › get'), name), ...wait })),
		).toEqual([name]);
		env.resetService(body([{ id: 'a' }], { has_more: true, next_cursor: name }), body([{ id: 'b' }]));
		expect(idsOf(await env.getItems(parametersFor(findOperation('Workflow › getAll'))))).toEqual(['a', 'b']);
		expect(env.journal()[1].query).toEqual({ cursor: name });
		expect(changesSince(before)).toEqual([]);
	},
);

test.each([
	['listSearch', 'searchWorkflows'],
	['listSearch', 'searchRuns'],
	['resourceMapping', 'getWorkflowFields'],
] as const)(
	'the %s method %s sends only GET requests without an idempotency key when the editor calls the method',
	async (kind, method) => {
		env.resetService();
		await callEditorMethod(env, kind, method);
		expect(env.journal().length).toBeGreaterThan(0);
		for (const entry of env.journal()) expect(entry).toMatchObject({ method: 'GET', idempotencyKey: null });
	},
);
