import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { byTitle, everyOperation, find, inputFor, parametersFor } from './everyOperation';
import { startEnvironment, type Environment } from './support';

let bench: Environment;
let elsewhere: Server;
let seenElsewhere = 0;
beforeAll(async () => {
	bench = await startEnvironment();
	elsewhere = createServer((_, response) => {
		seenElsewhere++;
		response.end();
	});
	await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	await bench.close();
	await new Promise((resolve) => elsewhere.close(resolve));
});

describe.each([301, 302, 303, 307, 308])('A redirect with status %i', (status) => {
	it.each(byTitle)('is not followed: %s', async (_, row) => {
		const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
		const input = inputFor(bench, row, 1);
		bench.prepare({ kind: 'redirect', status, location });
		const { message } = await bench.failure(parametersFor(row), input);
		expect(message).toBe(
			`'Base URL' of the credential leads to a redirect to ${location.slice(0, -1)}, which is not followed`,
		);
		expect(seenElsewhere).toBe(0);
		expect(bench.sandbox.control.journal()).toHaveLength(1);
	});
});

describe('Plain http to another machine', () => {
	// Leads to this machine and is no loopback address: what is sent can be seen.
	const anyAddress = () => bench.sandbox.baseUrl.replace('127.0.0.1', '0.0.0.0');
	const parameters = { resource: 'identity', operation: 'get' };

	it.each<[string, { showAdvanced?: boolean; allowHttp?: boolean }]>([
		['is refused', {}],
		['is refused with advanced settings shown', { showAdvanced: true }],
		['is refused when the permission is folded away', { allowHttp: true, showAdvanced: false }],
	])('%s, and nothing is sent', async (_, settings) => {
		await bench.credential('http', { baseUrl: anyAddress(), ...settings });
		bench.prepare();
		const { message } = await bench.failure(parameters, [{}], 'http');
		expect(message).toContain('uses http://, which would send the API key unencrypted');
		expect(bench.sandbox.control.journal()).toEqual([]);
	});

	it('goes through where the credential allows it', async () => {
		await bench.credential('http', { baseUrl: anyAddress(), allowHttp: true, showAdvanced: true });
		bench.prepare();
		expect(await bench.items(parameters, [{}], {}, 'http')).toHaveLength(1);
		expect(bench.sandbox.control.journal()).toHaveLength(1);
	});
});

const hostile = [
	...['a/b', '../me', '..', '.', './x', '%2e%2e', '..%2Fme', '%2e%2e%2fme', 'wf_1/run', '/etc', '\\..\\me'],
	...[
		'x?limit=1',
		'x#y',
		'x;y',
		'x&y=z',
		'a b',
		'@evil.example',
		'//evil.example/x',
		':80',
		'%',
		'%zz',
		'%00',
	],
	...['ü', '東京', '🏔', "it's", '(x)', '<script>', '{{ 1 }}', 'constructor', '__proto__', 'config', 'runs'],
];

const withId = everyOperation.filter(({ id }) => id).map((row) => [row.title, row] as const);

it.each(withId)('%s puts every id into one segment of the path, whatever it holds', async (_, row) => {
	bench.prepare();
	const refused: string[] = [];
	for (const id of hostile) {
		const { message } = await bench.failure(parametersFor(row), [{ id }]);
		if (/holds something that is not an ID$/.test(message)) refused.push(id);
	}
	expect(refused).toEqual(['..', '.']);
	const sent = hostile.filter((id) => !refused.includes(id));
	expect(
		bench.sandbox.control
			.journal()
			.map(({ method, path, status, operation }) => [method, path, status, operation]),
	).toEqual(
		sent.map((id) => [
			row.method,
			`/api/public/v1${row.path.replace('ID', encodeURIComponent(id))}`,
			404,
			row.calls,
		]),
	);
});

it.each([
	['https://app.example.com/workflows/wf_1', "'Workflow' got a web address instead of an ID"],
	['', "'Workflow' is empty"],
	[' \n', "'Workflow' is empty"],
	[undefined, "'Workflow' is empty"],
	[null, "'Workflow' is empty"],
	[{ id: 'wf_1', name: 'A' }, "'Workflow' got an object instead of an ID"],
	[['wf_1'], "'Workflow' got a list instead of an ID"],
	[true, "'Workflow' got a boolean instead of an ID"],
	['a\nb', "'Workflow' holds something that is not an ID"],
	['a\r\nAuthorization: x', "'Workflow' holds something that is not an ID"],
	['\ud800', "'Workflow' holds something that is not an ID"],
	['x'.repeat(600), "'Workflow' has 600 characters, which is too long for an ID"],
])('%j is no id and is refused before anything is sent', async (id, message) => {
	bench.prepare();
	expect((await bench.failure(parametersFor(find('Workflow › run')), [{ id }])).message).toBe(message);
	expect(bench.sandbox.control.journal()).toEqual([]);
});
