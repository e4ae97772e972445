import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { useTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();
const JSON_TYPE = 'application/json';

/** Adds a fault rule with exactly these headers, unlike undici and fetch. PORT stands for the sandbox's port. */
async function addFault(headers: OutgoingHttpHeaders, body = '{"kind":"drop"}') {
	const { port } = new URL(sandbox.baseUrl);
	const withPort = Object.entries({ 'content-type': JSON_TYPE, ...headers }).map(([name, value]) => [
		name,
		`${value}`.replace('PORT', port),
	]);
	const sent = request(`${sandbox.controlUrl}/faults`, {
		method: 'POST',
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

// On Linux, the whole network 127.0.0.0/8 belongs to the loopback interface.
(process.platform === 'linux' ? test : test.skip)(
	'the sandbox accepts connections at 127.0.0.1 only',
	async () => {
		const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.2');
		const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
		expect(error.code).toBe('ECONNREFUSED');
	},
);

test.each<OutgoingHttpHeaders>([
	{ host: 'LOCALHOST:PORT' },
	{ host: '[::1]:PORT' },
	{ origin: 'http://localhost:PORT' },
	{ 'content-type': 'Application/JSON ;x=y' },
])('the control API accepts a request with the headers %j', async (headers) => {
	expect((await addFault(headers)).status).toBe(200);
});

test.each<[number, RegExp, OutgoingHttpHeaders]>([
	...[
		'attacker.example:PORT',
		'127.0.0.1',
		'localhost:1',
		'127.0.0.1:PORT.attacker.example',
		'user@127.0.0.1:PORT',
	].map((host): [number, RegExp, OutgoingHttpHeaders] => [403, /other host names/, { host }]),
	...['https://attacker.example', 'null', '', 'http://localhost:1', 'https://localhost:PORT'].map(
		(origin): [number, RegExp, OutgoingHttpHeaders] => [403, /pages of other origins/, { origin }],
	),
	...['', 'text/plain', 'application/jsonp', 'application/json, text/plain'].map(
		(type): [number, RegExp, OutgoingHttpHeaders] => [
			415,
			/Content-Type: application\/json/,
			{ 'content-type': type },
		],
	),
	[415, /Content-Type/, { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }],
])(
	'the control API responds %d and %p to a request with the headers %j',
	async (expected, message, headers) => {
		const { status, json } = await addFault(headers);
		expect([status, json.error]).toEqual([expected, expect.stringMatching(message)]);
		// A page of another origin learns nothing about the control API.
		expect(json.calls === undefined).toBe(status === 403);
		expect(sandbox.control.faults()).toEqual([]);
	},
);

test('the public API accepts every Host header', async () => {
	const headers = { host: 'prospector.example' };
	expect((await sandbox.call('GET', '/me', { headers })).status).toBe(200);
});

test.each([{}, { 'transfer-encoding': 'chunked' }])(
	'the control API responds 413 to more than 1,000,000 bytes with the headers %j',
	async (headers) => {
		const bodyOf = (bytes: number) => JSON.stringify({ kind: 'notJson', body: 'x'.repeat(bytes - 28) });
		expect(bodyOf(1_000_000).length).toBe(1_000_000);
		expect((await addFault(headers, bodyOf(1_000_000))).status).toBe(200);
		const { status, json } = await addFault(headers, bodyOf(1_000_001));
		expect([status, json.error]).toEqual([413, expect.stringMatching(/^Send at most 1,000,000 bytes/)]);
	},
);

test.each(['{', '5', 'null', '[]'])('the control API responds 400 to the body %s', async (text) => {
	expect((await addFault({}, text)).status).toBe(400);
});
