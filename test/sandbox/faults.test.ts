/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '../../sandbox/types';
import { eventually } from '../eventually';
import { API, startTestSandbox, useTestSandbox, WORKFLOWS } from './testSandbox';
import type { TestSandbox } from './testSandbox';

const sandbox = useTestSandbox();

const created = ({ control }: TestSandbox = sandbox) => control.state().counts.workflowsCreated;
const lastEntry = ({ control }: TestSandbox = sandbox) => control.journal().at(-1);

/** Sends a request to create a workflow over a raw socket and collects the received bytes. */
function createOverSocket({ baseUrl, keys }: TestSandbox = sandbox) {
	const { hostname, port, host } = new URL(baseUrl);
	const socket = connect(Number(port), hostname).setEncoding('latin1');
	let text = '';
	let closed = false;
	socket.on('data', (chunk) => (text += chunk));
	socket.on('close', () => (closed = true));
	socket.on('error', () => {});
	const head = [`POST ${API}${WORKFLOWS} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${keys.full}`];
	socket.write([...head, 'Content-Type: application/json', 'Content-Length: 2', '', '{}'].join('\r\n'));
	return { socket, text: () => text, closed: () => closed };
}

describe.each([
	['before', 0],
	['after', 1],
] as const)('a fault %s the request takes effect', (when, count) => {
	const bytes = 'HTTP/1.1 999 \xff\r\nanything';
	test.each<[FaultRule, RegExp, number | null, string]>([
		[{ kind: 'drop' }, /^$/, null, 'closed'],
		[{ kind: 'reset' }, /^$/, null, 'closed'],
		[{ kind: 'hang' }, /^$/, null, 'open'],
		[{ kind: 'switchProtocols' }, /^HTTP\/1\.1 101 .*\r\nconnection: Upgrade\r\n/i, 101, 'open'],
		[{ kind: 'raw', bytes }, /^HTTP\/1\.1 999 \xff\r\nanything$/, null, 'closed'],
		[{ kind: 'raw', bytes, delayMs: 1, keepOpen: true }, /^HTTP\/1\.1 999 \xff\r\nanything$/, null, 'open'],
		[{ kind: 'endless' }, /^HTTP\/1\.1 200 OK\r\n[^]*?\{"data":\[/, null, 'open'],
	])(
		`the fault %j sends text that matches %p, is logged with status %j and leaves the connection %s if it occurs ${when} the request takes effect`,
		async (rule, received, status, connection) => {
			sandbox.control.addFault({ ...rule, when });
			const { socket, text, closed } = createOverSocket();
			await eventually('the response', () => lastEntry() !== undefined && received.test(text()));
			if (rule.kind === 'endless') await eventually('20 MB', () => text().length > 20_000_000);
			await sleep(50);
			expect(text()).toMatch(received);
			expect(closed() ? 'closed' : 'open').toBe(connection);
			expect(created()).toBe(count);
			const fault = { id: 'fault_1', kind: rule.kind };
			expect(lastEntry()).toMatchObject({ status, fault, committed: count === 1 });
			expect(lastEntry()?.requestId === null).toBe(count === 0);
			socket.destroy();
		},
	);
});

test('a request needs no API key and does not count for the rate limit if a fault occurs before the request takes effect', async () => {
	sandbox.control.patchSettings({ limit: 1 });
	sandbox.control.addFault({ kind: 'status', status: 502, times: 2 });
	expect((await sandbox.call('GET', '/me', { key: null })).status).toBe(502);
	expect((await sandbox.call('GET', '/me')).status).toBe(502);
	expect((await sandbox.call('GET', '/me')).status).toBe(200);
});

const contentType = (type: string) => ({ 'content-type': expect.stringContaining(type) });
const location = 'http://127.0.0.1:9/x';
test.each<[FaultRule, object]>([
	[
		{ kind: 'status', status: 503, headers: { 'retry-after': '7' }, body: 'busy' },
		{ text: 'busy', headers: { 'retry-after': '7' } },
	],
	[{ kind: 'status', status: 500, body: { oops: true } }, { json: { oops: true } }],
	[{ kind: 'status', status: 504 }, { json: { request_id: expect.stringMatching(/^req_/) } }],
	[
		{ kind: 'status', status: 204 },
		{ status: 204, text: '' },
	],
	[{ kind: 'status', status: 500, headers: { connection: 'close', constructor: 'x' } }, { status: 500 }],
	[{ kind: 'notJson' }, { text: expect.stringContaining('<title>'), headers: contentType('text/html') }],
	[{ kind: 'notEnvelope' }, { json: { ok: true }, headers: contentType('application/json') }],
	[
		{ kind: 'redirect', location },
		{ status: 302, headers: { location } },
	],
])('the sandbox sends the response that the fault %j describes', async (rule, expected) => {
	sandbox.control.addFault(rule);
	expect(await sandbox.call('GET', '/me')).toMatchObject(expected);
	expect((await sandbox.call('GET', '/me')).status).toBe(200);
});

test.each<[FaultRule, RegExp]>([
	[{ kind: 'slow', delayMs: 300 }, /^$/],
	[{ kind: 'trickle', delayMs: 3_600_000 }, /\{$/],
])(
	'a request with the fault %j takes effect but is logged without a status when the client disconnects',
	async (rule, received) => {
		const statuses: unknown[] = [];
		const own = await startTestSandbox({ onRequest: ({ status }) => void statuses.push(status) });
		own.control.addFault(rule);
		const { socket, text } = createOverSocket(own);
		await eventually('the response', () => lastEntry(own) !== undefined && received.test(text()));
		socket.destroy();
		await eventually('onRequest', () => statuses.length > 0);
		expect([statuses, created(own)]).toEqual([[null], 1]);
	},
);
