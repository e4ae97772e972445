import { once } from 'node:events';
import { connect } from 'node:net';
import type { FaultRule } from '../../sandbox/types';
import { waitFor } from '../waitFor';
import { API, startTestSandbox, useTestSandbox } from './testSandbox';
import type { TestSandbox } from './testSandbox';

const sandbox = useTestSandbox();
const WORKFLOWS = '/prospector/workflows';

const create = async (key?: string) =>
	await sandbox.call('POST', WORKFLOWS, {
		body: { name: 'A' },
		headers: key ? { 'idempotency-key': key } : {},
	});
const created = ({ control }: TestSandbox = sandbox) => control.state().counts.workflowsCreated;
const lastEntry = ({ control }: TestSandbox = sandbox) => control.journal().at(-1);

/** Sends a request to create a workflow over a raw socket and collects the received bytes. */
function createOverSocket({ baseUrl, keys }: TestSandbox = sandbox) {
	const { hostname, port, host } = new URL(baseUrl);
	const socket = connect(Number(port), hostname);
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
] as const)('a fault %s the effect', (when, count) => {
	test.each(['drop', 'reset'] as const)(`%s sends no response and creates ${count}`, async (kind) => {
		sandbox.control.addFault({ kind, when });
		await expect(create('k')).rejects.toThrow();
		expect(created()).toBe(count);
		const entry = lastEntry();
		const fault = { id: 'fault_1', kind };
		expect(entry).toMatchObject({ status: null, committed: count === 1, fault });
		expect(entry?.requestId).toEqual(count === 1 ? expect.stringMatching(/^req_/) : null);
		const retry = await create('k');
		expect(retry.status).toBe(200);
		if (count === 1) expect(retry.json.request_id).toBe(entry?.requestId);
		expect(created()).toBe(1);
	});

	test.each([
		[{ kind: 'status', status: 503 }, 503],
		[{ kind: 'notJson' }, 200],
		[{ kind: 'notEnvelope' }, 200],
		[{ kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' }, 302],
	] as Array<[FaultRule, number]>)(`%j responds %d and creates ${count}`, async (rule, status) => {
		sandbox.control.addFault({ ...rule, when });
		expect((await create()).status).toBe(status);
		expect(created()).toBe(count);
		expect(lastEntry()).toMatchObject({ status, committed: count === 1 });
	});

	test('slow delays the response', async () => {
		sandbox.control.addFault({ kind: 'slow', delayMs: 30, when });
		const start = performance.now();
		expect((await create()).status).toBe(200);
		expect(performance.now() - start).toBeGreaterThan(25);
		expect(lastEntry()).toMatchObject({ status: 200, committed: true, fault: { kind: 'slow' } });
	});

	test(`hang keeps the connection open without a response and creates ${count}`, async () => {
		sandbox.control.addFault({ kind: 'hang', when });
		const { socket, text, closed } = createOverSocket();
		await waitFor('the request', () => lastEntry()?.fault?.kind === 'hang' && created() === count);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect([text(), closed()]).toEqual(['', false]);
		expect(lastEntry()).toMatchObject({ status: null, committed: count === 1 });
		socket.destroy();
	});

	test(`switchProtocols responds 101, keeps the connection open and creates ${count}`, async () => {
		sandbox.control.addFault({ kind: 'switchProtocols', when });
		const { socket, text, closed } = createOverSocket();
		await waitFor('the head', () => text().endsWith('\r\n\r\n'));
		const [statusLine, ...headers] = text().trimEnd().split('\r\n');
		expect(statusLine).toBe('HTTP/1.1 101 Switching Protocols');
		expect(headers).toEqual(expect.arrayContaining(['connection: Upgrade', 'upgrade: websocket']));
		expect(text()).not.toMatch(/^(?:content-length|transfer-encoding|keep-alive):/im);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(closed()).toBe(false);
		expect(created()).toBe(count);
		expect(lastEntry()).toMatchObject({ status: 101, committed: count === 1 });
		socket.destroy();
	});

	test(`raw sends its bytes, then closes the connection unless keepOpen is set, and creates ${count}`, async () => {
		const bytes = 'HTTP/1.1 999 \xff\r\nanything';
		sandbox.control.addFault({ kind: 'raw', when, bytes });
		sandbox.control.addFault({ kind: 'raw', when, bytes, delayMs: 1, keepOpen: true });
		const [first, second] = [createOverSocket(), createOverSocket()];
		for (const { socket } of [first, second]) socket.setEncoding('latin1');
		await waitFor('both responses', () => first.closed() && second.text() === bytes);
		expect([first.text(), second.closed()]).toEqual([bytes, false]);
		expect(created()).toBe(2 * count);
		expect(lastEntry()).toMatchObject({ status: null, committed: count === 1 });
		second.socket.destroy();
	});

	test(`endless sends chunked JSON until the client disconnects and creates ${count}`, async () => {
		sandbox.control.addFault({ kind: 'endless', when });
		const { socket, text } = createOverSocket();
		await waitFor('20 MB', () => text().length > 20_000_000);
		const [head, body] = text().slice(0, 1000).split('\r\n\r\n');
		expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
		expect(head).toContain('\r\ncontent-type: application/json; charset=utf-8\r\n');
		expect(head).toContain('\r\nTransfer-Encoding: chunked');
		expect(body.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, '')).toMatch(/^\{"data":\[\{/);
		expect(created()).toBe(count);
		expect(lastEntry()).toMatchObject({ status: null, committed: count === 1 });
		socket.destroy();
		expect((await sandbox.call('GET', '/me')).status).toBe(200);
	});
});

test('a fault before the effect needs no key and uses up no rate limit', async () => {
	sandbox.control.patchSettings({ limit: 1 });
	sandbox.control.addFault({ kind: 'status', status: 502, times: 2 });
	const statuses: number[] = [];
	for (const key of [null, undefined, undefined]) {
		statuses.push((await sandbox.call('GET', '/me', { key })).status);
	}
	expect(statuses).toEqual([502, 502, 200]);
});

describe('response of a fault', () => {
	test('"status" has the headers and the body of the rule, or the body of an API error', async () => {
		const headers = { 'retry-after': '7' };
		sandbox.control.addFault({ kind: 'status', status: 503, headers, body: 'busy' });
		sandbox.control.addFault({ kind: 'status', status: 500, body: { oops: true } });
		sandbox.control.addFault({ kind: 'status', status: 504 });
		const text = await sandbox.call('GET', '/me');
		expect(text).toMatchObject({ status: 503, text: 'busy', headers });
		expect((await sandbox.call('GET', '/me')).json).toEqual({ oops: true });
		const { json } = await sandbox.call('GET', '/me');
		expect(json).toMatchObject({ request_id: expect.stringMatching(/^req_/) });
	});

	test('"notJson" is a page and "notEnvelope" is JSON, by default or of the rule', async () => {
		sandbox.control.addFault({ kind: 'notJson' });
		sandbox.control.addFault({ kind: 'notEnvelope' });
		sandbox.control.addFault({ kind: 'notEnvelope', body: [] });
		const page = await sandbox.call('GET', '/me');
		expect(page.headers['content-type']).toContain('text/html');
		expect(page.text).toContain('<title>');
		const other = await sandbox.call('GET', '/me');
		expect(other.headers['content-type']).toContain('application/json');
		expect(other.json).toEqual({ ok: true });
		expect((await sandbox.call('GET', '/me')).json).toEqual([]);
	});

	test.each([undefined, 301, 303, 307, 308])('"redirect" has the status %p (default 302)', async (status) => {
		sandbox.control.addFault({ kind: 'redirect', status, location: 'http://127.0.0.1:9/x' });
		const response = await sandbox.call('GET', '/me');
		expect(response).toMatchObject({
			status: status ?? 302,
			headers: { location: 'http://127.0.0.1:9/x' },
		});
	});

	test('"cutBody" has the full content-length and half of the bytes, after the effect', async () => {
		sandbox.control.addFault({ kind: 'cutBody' });
		const { text, closed } = createOverSocket();
		await waitFor('the end of the connection', closed);
		const [head, body] = text().split('\r\n\r\n');
		expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
		const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
		expect(Buffer.byteLength(body)).toBe(Math.floor(length / 2));
		expect(created()).toBe(1);
		expect(lastEntry()).toMatchObject({ status: null, committed: true });
	});

	test.each([
		{ kind: 'status', status: 204 },
		{ kind: 'status', status: 304, body: '' },
		{ kind: 'status', status: 599, body: null },
		{
			kind: 'status',
			status: 500,
			headers: { connection: 'close', constructor: 'x', 'content-type': 'odd' },
		},
		{ kind: 'notJson', body: { a: 1 } },
		{ kind: 'notEnvelope', body: 0 },
		{ kind: 'redirect', location: '//\u00ff', status: undefined },
	] as FaultRule[])('%j is sent completely', async (rule) => {
		sandbox.control.addFault(rule);
		const { status } = await sandbox.call('GET', '/me');
		expect(status).toBe(rule.status ?? (rule.kind === 'redirect' ? 302 : 200));
		expect(lastEntry()).toMatchObject({ status });
		expect((await sandbox.call('GET', '/me')).status).toBe(200);
	});
});

describe('trickle', () => {
	test('sends the whole response, counted in bytes, after the effect', async () => {
		sandbox.control.patchSettings({ workflowName: 'Zoë' });
		sandbox.control.addFault({ kind: 'trickle', delayMs: 0 });
		const { status, headers, text, json } = await sandbox.call('POST', WORKFLOWS, { body: {} });
		expect(status).toBe(200);
		expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
		expect(headers['content-type']).toContain('application/json');
		expect(json.data.name).toBe('Zoë');
		expect(lastEntry()).toMatchObject({ status: 200, committed: true, requestId: json.request_id });
	});

	test('waits delayMs before each byte after the first', async () => {
		sandbox.control.addFault({ kind: 'trickle', delayMs: 50 });
		const { socket, text } = createOverSocket();
		const start = performance.now();
		const body = () => text().split('\r\n\r\n')[1] ?? '';
		await waitFor('three bytes', () => body().length >= 3);
		expect(performance.now() - start).toBeGreaterThan(75);
		expect(body().length).toBeLessThan(10);
		expect('{"data":').toContain(body().slice(0, 8));
		expect(created()).toBe(1);
		expect(lastEntry()).toMatchObject({ status: null, committed: true });
		socket.destroy();
	});

	test('is always after the effect, and has a delay of 1000 ms by default', () => {
		expect(sandbox.control.addFault({ kind: 'trickle' })).toMatchObject({ delayMs: 1000, when: 'after' });
	});
});

describe('endless', () => {
	test('pauses when the client does not read', async () => {
		sandbox.control.addFault({ kind: 'endless' });
		const { socket, text } = createOverSocket();
		await waitFor('the first bytes', () => text().length > 0);
		socket.pause();
		const before = process.memoryUsage().rss;
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
		expect((await sandbox.call('GET', '/me')).status).toBe(200);
		socket.destroy();
	});

	test('ends at once when the request is HEAD', async () => {
		sandbox.control.addFault({ kind: 'endless' });
		expect((await sandbox.call('HEAD', '/me')).status).toBe(200);
	});
});

describe('close()', () => {
	test.each<[FaultRule, RegExp]>([
		[{ kind: 'hang', when: 'before' }, /^$/],
		[{ kind: 'hang', when: 'after' }, /^$/],
		[{ kind: 'slow', when: 'before', delayMs: 3_600_000 }, /^$/],
		[{ kind: 'slow', when: 'after', delayMs: 3_600_000 }, /^$/],
		[{ kind: 'trickle' }, /\r\n\r\n\{$/],
		[{ kind: 'switchProtocols' }, /\r\n\r\n$/],
		[{ kind: 'endless' }, /\{"data":\[/],
	])('ends a request in flight with %j', async (rule, received) => {
		const own = await startTestSandbox();
		own.control.addFault(rule);
		const { socket, text, closed } = createOverSocket(own);
		await waitFor('the response', () => lastEntry(own) !== undefined && received.test(text()));
		if (rule.kind === 'endless') socket.pause();
		await own.close();
		socket.resume();
		await waitFor('the end of the connection', closed);
		expect(text()).toMatch(received);
	});

	test('ends idle connections and can be called twice', async () => {
		const own = await startTestSandbox();
		await own.call('GET', '/me');
		const { hostname, port } = new URL(own.baseUrl);
		const unused = connect(Number(port), hostname);
		await once(unused, 'connect');
		const closed = once(unused, 'close');
		await own.close();
		await own.close();
		await closed;
		await expect(own.call('GET', '/me')).rejects.toThrow();
	});
});

test.each<[FaultRule, RegExp]>([
	[{ kind: 'slow', delayMs: 300 }, /^$/],
	[{ kind: 'trickle', delayMs: 3_600_000 }, /\{$/],
])('%j to a disconnected client has no status, but the change is made', async (rule, received) => {
	const statuses: unknown[] = [];
	const own = await startTestSandbox({ onRequest: ({ status }) => void statuses.push(status) });
	own.control.addFault(rule);
	const { socket, text } = createOverSocket(own);
	await waitFor('the response', () => lastEntry(own) !== undefined && received.test(text()));
	socket.destroy();
	await waitFor('onRequest', () => statuses.length > 0);
	expect(statuses).toEqual([null]);
	expect(created(own)).toBe(1);
	await own.close();
});
