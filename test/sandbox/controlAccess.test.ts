import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { useTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();

/** Sends a control request with exactly these headers, unlike undici and fetch. PORT stands for the sandbox's port. */
async function send(method: string, path: string, headers: OutgoingHttpHeaders, body?: string) {
	const { port } = new URL(sandbox.baseUrl);
	const withPort = Object.entries(headers).map(([name, value]) => [name, `${value}`.replace('PORT', port)]);
	const sent = request(sandbox.controlUrl + path, {
		method,
		headers: Object.fromEntries(withPort) as OutgoingHttpHeaders,
		agent: false,
	});
	// The server can close the connection of a rejected request before the whole body is sent.
	sent.on('error', () => {});
	sent.end(body);
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	let text = '';
	for await (const chunk of response) text += chunk;
	return { status: response.statusCode, json: JSON.parse(text) as Json };
}

const drop = '{"kind":"drop"}';

test('only 127.0.0.1 accepts connections', async () => {
	const { port } = new URL(sandbox.baseUrl);
	const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
	const others = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
	// On Linux, the whole network 127.0.0.0/8 belongs to the loopback interface.
	const hosts = [...(process.platform === 'linux' ? ['127.0.0.2'] : []), ...others.map((one) => one.address)];
	for (const host of hosts) {
		const [error] = (await once(connect(Number(port), host), 'error')) as [NodeJS.ErrnoException];
		expect(error.code).toBe('ECONNREFUSED');
	}
});

test.each<OutgoingHttpHeaders>([
	...['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'].map((name) => ({ host: `${name}:PORT` })),
	...['127.0.0.1', 'localhost', '[::1]'].map((name) => ({ origin: `http://${name}:PORT` })),
	{ 'content-length': '0' },
	{ 'content-type': 'text/plain' },
])('a request without a body is accepted with the headers %j', async (headers) => {
	expect((await send('POST', '/reset', headers)).status).toBe(200);
	expect((await send('DELETE', '/journal', headers)).status).toBe(200);
});

describe('the Host header', () => {
	test.each([
		'attacker.example',
		'attacker.example:PORT',
		'127.0.0.1',
		'localhost:1',
		'localhost.attacker.example:PORT',
		'127.0.0.1:PORT.attacker.example',
		'user@127.0.0.1:PORT',
	])('is rejected with 403 if it is %s', async (host) => {
		for (const [method, path] of [
			['GET', '/state'],
			['GET', '/nope'],
			['POST', '/keys/full/revoke'],
		]) {
			const error = `Send control requests to ${sandbox.controlUrl}: other host names are rejected.`;
			expect(await send(method, path, { host })).toEqual({ status: 403, json: { error } });
		}
		expect(sandbox.control.state().keys[0].status).toBe('active');
	});

	test('has no restriction in the public API', async () => {
		const headers = { host: 'prospector.example' };
		expect((await sandbox.call('GET', '/me', { headers })).status).toBe(200);
	});
});

describe('the Origin header', () => {
	test.each([
		'https://attacker.example',
		'null',
		'',
		'http://localhost:1',
		'https://localhost:PORT',
		'http://localhost:PORT.attacker.example',
	])('is rejected with 403 if it is "%s"', async (origin) => {
		expect(await send('POST', '/faults', { origin, 'content-type': 'application/json' }, drop)).toEqual({
			status: 403,
			json: { error: 'Call the control API from a program: pages of other origins are rejected.' },
		});
		expect(sandbox.control.faults()).toEqual([]);
	});
});

describe('a body', () => {
	test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;x=y'])(
		'is accepted with the Content-Type %s',
		async (type) => {
			const response = await send('POST', '/faults', { 'content-type': type }, drop);
			expect(response).toMatchObject({ status: 200, json: { kind: 'drop' } });
		},
	);

	test.each([
		undefined,
		'',
		'text/plain',
		'application/x-www-form-urlencoded',
		'application/jsonp',
		'application/merge-patch+json',
		'json',
		'application/json, text/plain',
	])('is rejected with 415 and the Content-Type %j', async (type) => {
		const headers: OutgoingHttpHeaders = type === undefined ? {} : { 'content-type': type };
		for (const encoding of [{}, { 'transfer-encoding': 'chunked' }]) {
			const { status, json } = await send('POST', '/faults', { ...headers, ...encoding }, drop);
			expect(status).toBe(415);
			expect(json.error).toBe(
				"Send the body as JSON with the header 'Content-Type: application/json' (curl: -H 'Content-Type: application/json').",
			);
		}
		expect(sandbox.control.faults()).toEqual([]);
	});

	test('is rejected with 413 if it has more than 1,000,000 bytes', async () => {
		const bodyOf = (bytes: number) => JSON.stringify({ workflows: [], x: 'x'.repeat(bytes - 23) });
		expect(bodyOf(1_000_000)).toHaveLength(1_000_000);
		const headers = { 'content-type': 'application/json' };
		expect((await send('POST', '/seed', headers, bodyOf(1_000_000))).status).toBe(400);
		for (const encoding of [{}, { 'transfer-encoding': 'chunked' }]) {
			const { status, json } = await send('POST', '/seed', { ...headers, ...encoding }, bodyOf(1_000_001));
			expect([status, json.error]).toEqual([
				413,
				'Send at most 1,000,000 bytes per request: split a larger seed into several.',
			]);
		}
	});

	test.each(['{', '5', 'null', '[]', '"x"', '{"ms":1e999}'])(
		'is rejected with 400 if it is %s',
		async (text) => {
			const headers = { 'content-type': 'application/json' };
			expect((await send('POST', '/clock', headers, text)).status).toBe(400);
		},
	);
});
