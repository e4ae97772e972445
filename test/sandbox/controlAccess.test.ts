import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { closeAll, startTestSandbox } from './support';
import type { Bench, Json } from './support';

afterEach(closeAll);

interface Sent {
	headers?: OutgoingHttpHeaders;
	body?: string;
}

/** Sends a control request with exactly these headers: undici's and fetch's own would be in the way. */
async function send(bench: Bench, method: string, path: string, { headers = {}, body }: Sent = {}) {
	const sent = httpRequest(bench.controlUrl + path, { method, headers, agent: false });
	sent.on('error', () => {});
	sent.end(body);
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	let text = '';
	for await (const chunk of response) text += chunk;
	return { status: response.statusCode, json: JSON.parse(text) as Json };
}

const portOf = (bench: Bench) => new URL(bench.baseUrl).port;
const at = (bench: Bench, text: string) => text.replace('PORT', portOf(bench));

describe('Host', () => {
	test.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT'])(
		'answers when Host is %s',
		async (host) => {
			const bench = await startTestSandbox();
			const reply = await send(bench, 'GET', '/state', { headers: { host: at(bench, host) } });
			expect(reply.status).toBe(200);
		},
	);

	test.each([
		'attacker.example',
		'attacker.example:PORT',
		'127.0.0.1',
		'localhost:1',
		'localhost.attacker.example:PORT',
		'127.0.0.1:PORT.attacker.example',
		'user@127.0.0.1:PORT',
	])('answers 403 and changes nothing when Host is "%s"', async (host) => {
		const bench = await startTestSandbox();
		const headers = { host: at(bench, host) };
		for (const [method, path] of [
			['GET', '/state'],
			['GET', '/nope'],
			['POST', '/keys/full/revoke'],
		]) {
			const reply = await send(bench, method, path, { headers });
			expect(reply).toEqual({
				status: 403,
				json: { error: `Send control requests to ${bench.controlUrl}: other host names are refused.` },
			});
		}
		expect(bench.control.state().keys[0].status).toBe('active');
	});

	test('leaves the public API open to other Host headers', async () => {
		const bench = await startTestSandbox();
		const reply = await bench.call('GET', '/me', { headers: { host: 'prospector.example' } });
		expect(reply.status).toBe(200);
	});
});

describe('Origin', () => {
	test.each(['http://127.0.0.1:PORT', 'http://localhost:PORT', 'http://[::1]:PORT'])(
		'answers when the page is of the sandbox itself: %s',
		async (origin) => {
			const bench = await startTestSandbox();
			const reply = await send(bench, 'POST', '/reset', { headers: { origin: at(bench, origin) } });
			expect(reply.status).toBe(200);
		},
	);

	test.each([
		'https://attacker.example',
		'null',
		'',
		'http://localhost:1',
		'https://localhost:PORT',
		'http://localhost:PORT.attacker.example',
	])('answers 403 and changes nothing when Origin is "%s"', async (origin) => {
		const bench = await startTestSandbox();
		const headers = { origin: at(bench, origin), 'content-type': 'application/json' };
		const reply = await send(bench, 'POST', '/faults', { headers, body: '{"kind":"drop"}' });
		expect(reply).toEqual({
			status: 403,
			json: { error: 'Call the control API from a program: pages of other origins are refused.' },
		});
		expect(bench.control.faults()).toEqual([]);
	});
});

describe('body', () => {
	const body = '{"kind":"drop"}';

	test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;x=y'])(
		'is read when Content-Type is %s',
		async (type) => {
			const bench = await startTestSandbox();
			const reply = await send(bench, 'POST', '/faults', { headers: { 'content-type': type }, body });
			expect(reply).toMatchObject({ status: 200, json: { kind: 'drop' } });
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
	])('is refused with 415 when Content-Type is %j', async (type) => {
		const bench = await startTestSandbox();
		const headers = type === undefined ? {} : { 'content-type': type };
		for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
			const reply = await send(bench, 'POST', '/faults', { headers: { ...headers, ...more }, body });
			expect(reply.status).toBe(415);
			expect(reply.json.error).toBe(
				"Send the body as JSON with the header 'Content-Type: application/json' (curl: -H 'Content-Type: application/json').",
			);
		}
		expect(bench.control.faults()).toEqual([]);
	});

	test.each([{}, { 'content-length': '0' }, { 'content-type': 'text/plain' }])(
		'may be absent, and then no Content-Type is needed: %j',
		async (headers) => {
			const bench = await startTestSandbox();
			expect((await send(bench, 'POST', '/reset', { headers })).status).toBe(200);
			expect((await send(bench, 'DELETE', '/journal', { headers })).status).toBe(200);
		},
	);

	test('is refused with 413 when it has more than 1,000,000 bytes', async () => {
		const bench = await startTestSandbox();
		const sized = (bytes: number) => JSON.stringify({ workflows: [], x: 'x'.repeat(bytes - 23) });
		expect(sized(1_000_000)).toHaveLength(1_000_000);
		const headers = { 'content-type': 'application/json' };
		const most = await send(bench, 'POST', '/seed', { headers, body: sized(1_000_000) });
		expect(most.status).toBe(400);
		const chunked = { ...headers, 'transfer-encoding': 'chunked' };
		for (const kind of [headers, chunked]) {
			const more = await send(bench, 'POST', '/seed', { headers: kind, body: sized(1_000_001) });
			expect(more.status).toBe(413);
			expect(more.json.error).toBe('Send at most 1,000,000 bytes at once: split a larger seed into several.');
		}
	});

	test.each(['{', '5', 'null', '[]', '"x"', '{"ms":1e999}'])(
		'is refused with 400 when it is %s',
		async (text) => {
			const bench = await startTestSandbox();
			const headers = { 'content-type': 'application/json' };
			expect((await send(bench, 'POST', '/clock', { headers, body: text })).status).toBe(400);
		},
	);
});
