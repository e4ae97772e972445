/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { useTestSandbox } from './testSandbox';

const sandbox = useTestSandbox();
const port = () => new URL(sandbox.baseUrl).port;

/** Adds a fault rule with exactly these headers, unlike undici and fetch. PORT stands for the sandbox's port. */
async function addFault(headers: OutgoingHttpHeaders) {
	const sent = request(`${sandbox.controlUrl}/faults`, { method: 'POST', agent: false });
	for (const [name, value] of Object.entries({ 'content-type': 'application/json', ...headers })) {
		sent.setHeader(name, String(value).replace('PORT', port()));
	}
	// The server can close the connection of a rejected request before the whole body is sent.
	sent.on('error', () => {});
	sent.end('{"kind":"drop"}');
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	let text = '';
	for await (const chunk of response) text += chunk;
	return { status: response.statusCode, text };
}

// On Linux, the whole network 127.0.0.0/8 belongs to the loopback interface.
(process.platform === 'linux' ? test : test.skip)(
	'the sandbox accepts connections at 127.0.0.1 only',
	async () => {
		const [error] = (await once(connect(Number(port()), '127.0.0.2'), 'error')) as [NodeJS.ErrnoException];
		expect(error.code).toBe('ECONNREFUSED');
	},
);

test.each<[number, OutgoingHttpHeaders]>([
	[200, { host: 'LOCALHOST:PORT', 'content-type': 'Application/JSON ;x=y' }],
	[200, { host: '[::1]:PORT', origin: 'http://localhost:PORT' }],
	[403, { host: 'attacker.example:PORT' }],
	[403, { host: '127.0.0.1:PORT.attacker.example' }],
	[403, { origin: 'https://attacker.example' }],
	[403, { origin: 'http://localhost:1' }],
	[403, { origin: 'https://localhost:PORT' }],
	[415, { 'content-type': 'text/plain' }],
	[415, { 'content-type': 'application/json, text/plain', 'transfer-encoding': 'chunked' }],
])("the sandbox's control API responds %d to a request with the headers %j", async (expected, headers) => {
	const { status, text } = await addFault(headers);
	expect([status, sandbox.control.faults().length]).toEqual([expected, status === 200 ? 1 : 0]);
	// A page of another origin learns nothing about the control API.
	if (status === 403) expect(text).not.toContain('/state');
});
