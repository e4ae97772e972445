import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { FaultRules } from '../../sandbox/faults';
import { DEFAULT_SETTINGS } from '../../sandbox/settings';
import type { FaultKind, FaultRule } from '../../sandbox/types';
import { leastProcessorTime } from '../processorTime';
import { waitFor } from '../until';
import { API, closeAll, oneOfEach, startTestSandbox } from './support';
import type { Bench } from './support';

afterEach(closeAll);

const create = (bench: Bench, key?: string) =>
	bench.call('POST', '/prospector/workflows', {
		body: { name: 'A' },
		headers: key ? { 'idempotency-key': key } : {},
	});
const created = (bench: Bench) => bench.control.state().counts.workflowsCreated;
const last = (bench: Bench) => bench.control.journal().pop();

/** Creates a workflow over a connection that the test closes. */
const createWorkflow = async (
	{ baseUrl, key }: Awaited<ReturnType<typeof startTestSandbox>>,
	dispatcher: Agent,
) =>
	await request(`${baseUrl}${API}/prospector/workflows`, {
		dispatcher,
		method: 'POST',
		headers: { authorization: `Bearer ${key.full}`, 'content-type': 'application/json' },
		body: '{}',
	});

describe('when: before or after the change', () => {
	const silent: FaultRule[] = [{ kind: 'drop' }, { kind: 'reset' }];
	const spoken: Array<[FaultRule, number]> = [
		[{ kind: 'status', status: 503 }, 503],
		[{ kind: 'notJson' }, 200],
		[{ kind: 'notEnvelope' }, 200],
		[{ kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' }, 302],
	];

	test.each(silent)('$kind before: no answer, no change', async (rule) => {
		const bench = await startTestSandbox();
		bench.control.addFault({ ...rule, when: 'before' });
		await expect(create(bench)).rejects.toThrow();
		expect(created(bench)).toBe(0);
		expect(last(bench)).toMatchObject({ status: null, committed: false, requestId: null });
		expect((await create(bench)).status).toBe(200);
	});

	test.each(silent)('$kind after: no answer, and yet it is done', async (rule) => {
		const bench = await startTestSandbox();
		bench.control.addFault({ ...rule, when: 'after' });
		await expect(create(bench, 'k')).rejects.toThrow();
		expect(created(bench)).toBe(1);
		const entry = last(bench);
		expect(entry).toMatchObject({ status: null, committed: true, fault: { id: 'fault_1', kind: rule.kind } });
		const retry = await create(bench, 'k');
		expect(retry.json.request_id).toBe(entry?.requestId);
		expect(created(bench)).toBe(1);
	});

	test.each(spoken)('%j before: no change', async (rule, status) => {
		const bench = await startTestSandbox();
		bench.control.addFault(rule);
		expect((await create(bench)).status).toBe(status);
		expect(created(bench)).toBe(0);
		expect(last(bench)).toMatchObject({ status, committed: false });
	});

	test.each(spoken)('%j after: done', async (rule, status) => {
		const bench = await startTestSandbox();
		bench.control.addFault({ ...rule, when: 'after' });
		expect((await create(bench)).status).toBe(status);
		expect(created(bench)).toBe(1);
		expect(last(bench)).toMatchObject({ status, committed: true });
	});

	test('a run that was started behind a drop is started once, whatever the retries', async () => {
		const bench = await startTestSandbox();
		const { workflow } = oneOfEach(bench);
		bench.control.addFault({ kind: 'drop', when: 'after', times: 3, match: { operation: 'runWorkflow' } });
		const run = () =>
			bench.call('POST', `/prospector/workflows/${workflow}/run`, { headers: { 'idempotency-key': 'k' } });
		for (let count = 0; count < 3; count++) await expect(run()).rejects.toThrow();
		expect((await run()).status).toBe(200);
		expect(bench.control.runs()).toMatchObject({ started: 1, perWorkflow: { [workflow]: 1 } });
	});

	test('before: not even counted against the limit, nor asked for a key', async () => {
		const bench = await startTestSandbox({ settings: { limit: 1 } });
		bench.control.addFault({ kind: 'status', status: 502, times: 2 });
		expect((await bench.call('GET', '/me', { key: null })).status).toBe(502);
		expect((await bench.call('GET', '/me')).status).toBe(502);
		expect((await bench.call('GET', '/me')).status).toBe(200);
	});
});

describe('kinds', () => {
	test('status: headers and body of choice', async () => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'status', status: 503, headers: { 'retry-after': '7' }, body: 'busy' });
		bench.control.addFault({ kind: 'status', status: 500, body: { oops: true } });
		bench.control.addFault({ kind: 'status', status: 504 });
		const text = await bench.call('GET', '/me');
		expect(text).toMatchObject({ status: 503, text: 'busy' });
		expect(text.headers['retry-after']).toBe('7');
		expect((await bench.call('GET', '/me')).json).toEqual({ oops: true });
		expect((await bench.call('GET', '/me')).json).toMatchObject({
			request_id: expect.stringMatching(/^req_/),
		});
	});

	test('cutBody: the promised length, half of the bytes, and the change is made', async () => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'cutBody' });
		const agent = new Agent();
		const answer = await createWorkflow(bench, agent);
		expect(answer.statusCode).toBe(200);
		let bytes = 0;
		const read = async () => {
			for await (const chunk of answer.body) bytes += (chunk as Buffer).length;
		};
		await expect(read()).rejects.toThrow();
		expect(bytes).toBe(Math.floor(Number(answer.headers['content-length']) / 2));
		expect(created(bench)).toBe(1);
		expect(last(bench)).toMatchObject({ status: null, committed: true });
		await agent.destroy();
	});

	test('notJson is a page, notEnvelope is JSON of choice', async () => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'notJson' });
		bench.control.addFault({ kind: 'notEnvelope' });
		bench.control.addFault({ kind: 'notEnvelope', body: [] });
		const page = await bench.call('GET', '/me');
		expect(page.headers['content-type']).toContain('text/html');
		expect(page.text).toContain('<title>');
		const other = await bench.call('GET', '/me');
		expect(other.headers['content-type']).toContain('application/json');
		expect(other.json).toEqual({ ok: true });
		expect((await bench.call('GET', '/me')).json).toEqual([]);
	});

	test.each([undefined, 301, 303, 307, 308])('redirect with %s', async (status) => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'redirect', status, location: 'http://127.0.0.1:9/x' });
		const reply = await bench.call('GET', '/me');
		expect(reply.status).toBe(status ?? 302);
		expect(reply.headers.location).toBe('http://127.0.0.1:9/x');
	});

	test.each(['before', 'after'] as const)('slow (%s): late, otherwise as ever', async (when) => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'slow', delayMs: 20, when });
		const pending = create(bench);
		expect((await pending).status).toBe(200);
		expect(last(bench)).toMatchObject({ status: 200, committed: true, fault: { kind: 'slow' } });
	});

	test.each([
		['before', 0],
		['after', 1],
	] as const)('hang (%s): nothing comes, %d made', async (when, count) => {
		const seen: unknown[] = [];
		const bench = await startTestSandbox({ onRequest: (entry) => void seen.push(entry.status) });
		bench.control.addFault({ kind: 'hang', when });
		const given = new AbortController();
		const pending = request(`${bench.baseUrl}${API}/prospector/workflows`, {
			method: 'POST',
			headers: { authorization: `Bearer ${bench.key.full}`, 'content-type': 'application/json' },
			body: '{}',
			signal: given.signal,
		});
		pending.catch(() => {});
		await waitFor('the request', () => seen.length > 0);
		given.abort();
		await expect(pending).rejects.toThrow(/abort/i);
		expect(created(bench)).toBe(count);
		expect(seen).toEqual([null]);
	});
});

/** Sends a request for a new workflow over a socket of its own, and collects the bytes that come back. */
async function rawCreate(bench: Bench, method = 'POST') {
	const { hostname, port, host } = new URL(bench.baseUrl);
	const socket = connect(Number(port), hostname);
	let text = '';
	let closed = false;
	socket.on('data', (chunk) => (text += chunk));
	socket.on('close', () => (closed = true));
	socket.on('error', () => {});
	const head = [`${method} ${API}/prospector/workflows HTTP/1.1`, `Host: ${host}`];
	const more = [`Authorization: Bearer ${bench.key.full}`, 'Content-Type: application/json'];
	socket.write([...head, ...more, 'Content-Length: 2', '', '{}'].join('\r\n'));
	return { socket, text: () => text, closed: () => closed };
}

describe('switchProtocols', () => {
	test.each([
		['before', 0],
		['after', 1],
	] as const)('answers 101 and keeps the connection open (%s): %d made', async (when, count) => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'switchProtocols', when });
		const raw = await rawCreate(bench);
		await waitFor('the head', () => raw.text().endsWith('\r\n\r\n'));
		const [statusLine, ...headers] = raw.text().trimEnd().split('\r\n');
		expect(statusLine).toBe('HTTP/1.1 101 Switching Protocols');
		expect(headers).toEqual(expect.arrayContaining(['connection: Upgrade', 'upgrade: websocket']));
		expect(raw.text()).not.toMatch(/^(?:content-length|transfer-encoding|keep-alive):/im);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(raw.closed()).toBe(false);
		expect(created(bench)).toBe(count);
		expect(last(bench)).toMatchObject({ status: 101, committed: count === 1 });
		await bench.close();
		await waitFor('the end of the connection', raw.closed);
	});
});

describe('trickle', () => {
	test('sends the answer of the service byte by byte, and the change is made first', async () => {
		const bench = await startTestSandbox({ settings: { workflowName: 'Zoë' } });
		bench.control.addFault({ kind: 'trickle', delayMs: 0 });
		const reply = await bench.call('POST', '/prospector/workflows', { body: {} });
		expect(reply.status).toBe(200);
		expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.text)));
		expect(reply.headers['content-type']).toContain('application/json');
		expect(reply.json.data.name).toBe('Zoë');
		expect(last(bench)).toMatchObject({ status: 200, committed: true, requestId: reply.json.request_id });
	});

	test('waits delayMs before each further byte', async () => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'trickle', delayMs: 50 });
		const raw = await rawCreate(bench);
		const start = performance.now();
		const body = () => raw.text().split('\r\n\r\n')[1] ?? '';
		await waitFor('three bytes', () => body().length >= 3);
		expect(performance.now() - start).toBeGreaterThan(75);
		expect(body().length).toBeLessThan(10);
		expect('{"data":').toContain(body().slice(0, 8));
		expect(created(bench)).toBe(1);
		expect(last(bench)).toMatchObject({ status: null, committed: true });
	});

	test('waits a second by default, is always after, and stops when the sandbox is closed', async () => {
		const bench = await startTestSandbox();
		expect(bench.control.addFault({ kind: 'trickle' })).toMatchObject({ delayMs: 1000, when: 'after' });
		const raw = await rawCreate(bench);
		await waitFor('the head', () => raw.text().endsWith('\r\n\r\n{'));
		await bench.close();
		await waitFor('the end of the connection', raw.closed);
		expect(raw.text()).toMatch(/\{$/);
	});

	test('is noted without a status when the client leaves', async () => {
		const seen: unknown[] = [];
		const bench = await startTestSandbox({ onRequest: (entry) => void seen.push(entry.status) });
		bench.control.addFault({ kind: 'trickle', delayMs: 3_600_000 });
		const raw = await rawCreate(bench);
		await waitFor('the first byte', () => raw.text().endsWith('{'));
		raw.socket.destroy();
		await waitFor('the note', () => seen.length > 0);
		expect(seen).toEqual([null]);
	});
});

describe('endless', () => {
	test.each([
		['before', 0],
		['after', 1],
	] as const)(
		'sends JSON without an end, chunked, until the client leaves (%s): %d made',
		async (when, count) => {
			const bench = await startTestSandbox();
			bench.control.addFault({ kind: 'endless', when });
			const agent = new Agent();
			const answer = await createWorkflow(bench, agent);
			expect(answer.statusCode).toBe(200);
			expect(answer.headers).toMatchObject({
				'content-type': 'application/json; charset=utf-8',
				'transfer-encoding': 'chunked',
			});
			let bytes = 0;
			let start = '';
			for await (const chunk of answer.body) {
				start ||= String(chunk);
				bytes += (chunk as Buffer).length;
				if (bytes > 20_000_000) break;
			}
			expect(start).toMatch(/^\{"data":\[\{/);
			expect(created(bench)).toBe(count);
			expect(last(bench)).toMatchObject({ status: null, committed: count === 1 });
			await agent.destroy();
			expect((await bench.call('GET', '/me')).status).toBe(200);
		},
	);

	test('waits for a client that does not read, and ends when the sandbox is closed', async () => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'endless' });
		const raw = await rawCreate(bench);
		await waitFor('the first bytes', () => raw.text().length > 0);
		raw.socket.pause();
		const before = process.memoryUsage().rss;
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
		expect((await bench.call('GET', '/me')).status).toBe(200);
		await bench.close();
		raw.socket.resume();
		await waitFor('the end of the connection', raw.closed);
	});

	test('ends at once when the request is HEAD, which has no body', async () => {
		const bench = await startTestSandbox();
		bench.control.addFault({ kind: 'endless' });
		expect((await bench.call('HEAD', '/me')).status).toBe(200);
	});
});

describe('which requests a rule strikes', () => {
	const strikes = async (rule: Partial<FaultRule>, calls: Array<[string, string, string?]>) => {
		const bench = await startTestSandbox();
		oneOfEach(bench);
		bench.control.addFault({ kind: 'status', status: 599, times: 0, ...rule });
		const struck: boolean[] = [];
		for (const [method, path, name] of calls) {
			const key = bench.control.state().keys.find((record) => record.name === (name ?? 'full'))?.secret;
			struck.push((await bench.call(method, path, { key })).status === 599);
		}
		return struck.map(Number).join('');
	};
	const calls: Array<[string, string, string?]> = [
		['GET', '/me'],
		['GET', '/prospector/workflows'],
		['POST', '/prospector/workflows'],
		['GET', '/prospector/workflows/x/runs', 'no_me_read'],
		['GET', '/prospector/runs/x', 'revoked'],
		['GET', '/nowhere?path=/me'],
	];
	test.each([
		[{}, '111111'],
		[{ match: {} }, '111111'],
		[{ match: { method: 'post' } }, '001000'],
		[{ match: { path: '/runs' } }, '000110'],
		[{ match: { path: '/me' } }, '100000'],
		[{ match: { pathRegex: 'workflows$|/me$' } }, '111000'],
		[{ match: { keyName: 'no_me_read' } }, '000100'],
		[{ match: { keyName: 'revoked' } }, '000010'],
		[{ match: { operation: 'listWorkflows' } }, '010000'],
		[{ match: { method: 'GET', path: 'workflows' } }, '010100'],
		[{ times: 1 }, '100000'],
		[{ times: undefined }, '100000'],
		[{ times: 2, skip: 1 }, '011000'],
		[{ times: Infinity, skip: 4 }, '000011'],
		[{ times: 1, skip: 1, match: { method: 'GET' } }, '010000'],
		[{ probability: 0 }, '000000'],
		[{ probability: 1 }, '111111'],
	] as Array<[Partial<FaultRule>, string]>)('%j: %s', async (rule, expected) => {
		expect(await strikes(rule, calls)).toBe(expected);
	});

	test('probability is dice with a seed: the same each time, another for another seed', async () => {
		const rolls = async (faultSeed: number) => {
			const bench = await startTestSandbox({ settings: { faultSeed } });
			bench.control.addFault({ kind: 'status', status: 599, times: 0, probability: 0.5 });
			let rolled = '';
			for (let count = 0; count < 40; count++) {
				rolled += (await bench.call('GET', '/me')).status === 599 ? 1 : 0;
			}
			return rolled;
		};
		const [one, again, other] = [await rolls(1), await rolls(1), await rolls(7)];
		expect(one).toBe(again);
		expect(one).not.toBe(other);
		const share = [...one].filter((roll) => roll === '1').length;
		expect(share).toBeGreaterThan(8);
		expect(share).toBeLessThan(32);
	});

	describe('side by side', () => {
		/** Which of a key's requests are struck, given the order in which the keys' requests arrive. */
		const rollsByKey = async (order: string[], rules = 1) => {
			const bench = await startTestSandbox();
			const rule: FaultRule = { kind: 'status', status: 599, when: 'before', times: 0, probability: 0.5 };
			for (let count = 0; count < rules; count++) bench.control.addFault(rule);
			const rolled: Record<string, string> = {};
			for (const key of order) {
				rolled[key] = (rolled[key] ?? '') + ((await create(bench, key)).status === 599 ? 1 : 0);
			}
			return rolled;
		};
		const times = (count: number, key: string) => Array<string>(count).fill(key);
		const keys = ['a', 'b', 'c'];

		test('each Idempotency-Key meets the same faults in whatever order requests arrive', async () => {
			const inTurns = times(30, '').flatMap(() => keys);
			const [apart, mixed, backwards] = [
				await rollsByKey(keys.flatMap((key) => times(30, key))),
				await rollsByKey(inTurns),
				await rollsByKey([...inTurns].reverse()),
			];
			expect(mixed).toEqual(apart);
			expect(backwards).toEqual(apart);
			expect(await rollsByKey(times(30, 'b'))).toEqual({ b: apart.b });
			expect(new Set(Object.values(apart)).size).toBe(3);
			for (const rolled of Object.values(apart)) expect(rolled).toMatch(/01.*10|10.*01/);
		});

		test('each rule has dice of its own', async () => {
			const [one, two] = [await rollsByKey(times(40, 'a')), await rollsByKey(times(40, 'a'), 2)];
			const both = [...one.a].map((roll, i) => roll + two.a[i]);
			expect(both).not.toContain('10');
			expect(both).toContain('01');
		});

		test('requests let through by `skip` use up their roll', async () => {
			const rule: FaultRule = { kind: 'status', status: 599, times: 0, probability: 0.5 };
			const rolled = async (skip: number) => {
				const bench = await startTestSandbox();
				bench.control.addFault({ ...rule, skip });
				let struck = '';
				for (let count = 0; count < 30; count++) struck += (await create(bench, 'a')).status === 599 ? 1 : 0;
				return struck;
			};
			expect((await rolled(5)).slice(5)).toBe((await rolled(0)).slice(5));
		});
	});

	test('rules strike one after the other, and tell how often', async () => {
		const bench = await startTestSandbox();
		bench.control.addFault({ id: 'first', kind: 'status', status: 500 });
		bench.control.addFault({ id: 'second', kind: 'status', status: 502, times: 2 });
		const statuses: number[] = [];
		for (let count = 0; count < 4; count++) statuses.push((await bench.call('GET', '/me')).status);
		expect(statuses).toEqual([500, 502, 502, 200]);
		expect(bench.control.faults()).toMatchObject([
			{ id: 'first', matched: 1, fired: 1, spent: true },
			{ id: 'second', matched: 2, fired: 2, spent: true, times: 2, when: 'before' },
		]);
	});
});

describe('rules that could not work: 400', () => {
	test.each([
		[{ kind: 'explode' as FaultKind }, /"kind"/],
		[{ kind: 'status' }, /"status"/],
		[{ kind: 'status', status: 99 }, /"status"/],
		[{ kind: 'slow' }, /"delayMs"/],
		[{ kind: 'redirect' }, /"location"/],
		[{ kind: 'redirect', location: '/x', status: 200 }, /redirect/],
		[{ kind: 'drop', times: -1 }, /"times"/],
		[{ kind: 'drop', skip: 0.5 }, /"skip"/],
		[{ kind: 'drop', probability: 2 }, /"probability"/],
		[{ kind: 'drop', when: 'never' as 'after' }, /"when"/],
		[{ kind: 'drop', match: { operation: 'fly' as 'getMe' } }, /"operation"/],
		[{ kind: 'drop', match: { pathRegex: '(' } }, /"pathRegex"/],
		[{ kind: 'drop', match: { url: '/x' } as object }, /"url"/],
		[{ kind: 'drop', delay: 5 } as FaultRule, /"delay"/],
		[{ kind: undefined }, /"kind"/],
		[{ kind: ['drop'] }, /"kind"/],
		[{ kind: 'toString' }, /"kind"/],
		[{ kind: 'drop', id: 5 }, /"id"/],
		[{ kind: 'drop', id: '' }, /"id"/],
		[{ kind: 'drop', times: 1.5 }, /"times"/],
		[{ kind: 'drop', times: '2' }, /"times"/],
		[{ kind: 'drop', times: null }, /"times"/],
		[{ kind: 'drop', times: 1e300 }, /"times"/],
		[{ kind: 'drop', skip: -1 }, /"skip"/],
		[{ kind: 'drop', skip: 1e300 }, /"skip"/],
		[{ kind: 'drop', probability: -0.1 }, /"probability"/],
		[{ kind: 'drop', probability: '0.5' }, /"probability"/],
		[{ kind: 'drop', when: null }, /"when"/],
		[{ kind: 'cutBody', when: 'before' }, /"when" must be "after" for the kind "cutBody"/],
		[{ kind: 'status', status: 200.5 }, /"status"/],
		[{ kind: 'status', status: '500' }, /"status"/],
		[{ kind: 'status', status: 101 }, /"status" must be a whole number from 200 to 599/],
		[{ kind: 'status', status: 600 }, /"status"/],
		[{ kind: 'status', status: 204, body: 'x' }, /"body" must be absent or "" when "status" is 204/],
		[{ kind: 'status', status: 304, body: {} }, /"body"/],
		[{ kind: 'status', status: 500, headers: ['x'] }, /"headers"/],
		[{ kind: 'status', status: 500, headers: { 'a b': 'x' } }, /"headers".*"a b"/],
		[{ kind: 'status', status: 500, headers: { '': 'x' } }, /"headers"/],
		[{ kind: 'status', status: 500, headers: { a: 'x\ny' } }, /"headers".*"a"/],
		[{ kind: 'status', status: 500, headers: { a: '€' } }, /"headers".*"a"/],
		[{ kind: 'status', status: 500, headers: { a: 5 } }, /"headers".*"a"/],
		[{ kind: 'status', status: 500, headers: { a: ['x'] } }, /"headers".*"a"/],
		[{ kind: 'status', status: 500, headers: { 'Content-Length': '5' } }, /"headers".*"Content-Length"/],
		[{ kind: 'status', status: 500, headers: { 'transfer-encoding': 'x' } }, /"headers"/],
		[{ kind: 'status', status: 500, headers: { trailer: 'x' } }, /"headers"/],
		[JSON.parse('{"kind":"status","status":500,"headers":{"__proto__":"x"}}'), /"headers".*"__proto__"/],
		[{ kind: 'slow', delayMs: -1 }, /"delayMs"/],
		[{ kind: 'slow', delayMs: 3_600_001 }, /"delayMs"/],
		[{ kind: 'slow', delayMs: '5' }, /"delayMs"/],
		[{ kind: 'trickle', delayMs: -1 }, /"delayMs"/],
		[{ kind: 'trickle', when: 'before' }, /"when" must be "after" for the kind "trickle"/],
		[{ kind: 'endless', body: 'x' }, /"body" has no effect/],
		[{ kind: 'switchProtocols', status: 101 }, /"status" has no effect/],
		[{ kind: 'redirect', location: '' }, /"location"/],
		[{ kind: 'redirect', location: 'http://x/\r\nSet-Cookie: a=b' }, /"location"/],
		[{ kind: 'redirect', location: '/x', status: 304 }, /"status"/],
		[{ kind: 'drop', status: 500 }, /"status" has no effect for the kind "drop"/],
		[{ kind: 'hang', body: 'x' }, /"body" has no effect/],
		[{ kind: 'redirect', location: '/x', body: 'x' }, /"body" has no effect/],
		[{ kind: 'notJson', headers: {} }, /"headers" has no effect/],
		[{ kind: 'status', status: 500, delayMs: 5 }, /"delayMs" has no effect/],
		[{ kind: 'status', status: 500, location: '/x' }, /"location" has no effect/],
		[JSON.parse('{"kind":"drop","__proto__":{"times":0}}'), /"__proto__"/],
		[{ kind: 'drop', match: [] }, /"match"/],
		[{ kind: 'drop', match: null }, /"match"/],
		[{ kind: 'drop', match: { method: 5 } }, /"method"/],
		[{ kind: 'drop', match: { method: 'FETCH' } }, /"method"/],
		[{ kind: 'drop', match: { path: null } }, /"path"/],
		[{ kind: 'drop', match: { keyName: {} } }, /"keyName"/],
		[{ kind: 'drop', match: { operation: 'toString' } }, /"operation"/],
		[{ kind: 'drop', match: { pathRegex: 5 } }, /"pathRegex"/],
	] as unknown as Array<[FaultRule, RegExp]>)('%j', async (rule, message) => {
		const bench = await startTestSandbox();
		expect(() => bench.control.addFault(rule)).toThrow(message);
		const reply = await bench.controlCall('POST', '/faults', rule);
		expect(reply.status).toBe(400);
		expect(reply.json.error).toMatch(message);
		expect(bench.control.faults()).toEqual([]);
	});

	test.each([
		[{ kind: 'drop', times: NaN }, /"times"/],
		[{ kind: 'drop', skip: Infinity }, /"skip"/],
		[{ kind: 'drop', probability: NaN }, /"probability"/],
		[{ kind: 'slow', delayMs: NaN }, /"delayMs"/],
		[{ kind: 'slow', delayMs: Infinity }, /"delayMs"/],
		[{ kind: 'notJson', body: () => 1 }, /"body"/],
		[{ kind: 'notJson', body: BigInt(1) }, /"body"/],
		[{ kind: 'trickle', delayMs: NaN }, /"delayMs"/],
		[undefined, /rule/],
		[null, /rule/],
		['drop', /rule/],
	] as unknown as Array<[FaultRule, RegExp]>)('%p in-process', async (rule, message) => {
		const bench = await startTestSandbox();
		expect(() => bench.control.addFault(rule)).toThrow(message);
	});
});

test.each([
	{ kind: 'status', status: 204 },
	{ kind: 'status', status: 304, body: '' },
	{ kind: 'status', status: 599, body: null },
	{ kind: 'status', status: 500, headers: { connection: 'close', constructor: 'x', 'content-type': 'odd' } },
	{ kind: 'notJson', body: { a: 1 } },
	{ kind: 'notEnvelope', body: 0 },
	{ kind: 'redirect', location: '//\u00ff', status: undefined },
] as FaultRule[])('%j is accepted, and its answer is sent', async (rule) => {
	const bench = await startTestSandbox();
	bench.control.addFault(rule);
	const reply = await bench.call('GET', '/me');
	expect(reply.status).toBe(rule.status ?? (rule.kind === 'redirect' ? 302 : 200));
	expect(last(bench)).toMatchObject({ status: reply.status });
	expect((await bench.call('GET', '/me')).status).toBe(200);
});

describe('pathRegex runs in linear time', () => {
	const target = (path: string) => ({
		method: 'GET',
		path,
		keyName: null,
		operation: null,
		idempotencyKey: null,
	});

	test.each(['(a+)+$', '(a|a)*b', '(a*)*c', 'a*a*a*a*a*$'])(
		'%s answers within 50 ms when the path is 50,000 times "a" and a "!"',
		async (pathRegex) => {
			const rules = new FaultRules({ ...DEFAULT_SETTINGS });
			rules.add({ kind: 'drop', times: 0, match: { pathRegex } });
			const long = target('a'.repeat(50_000) + '!');
			expect(await leastProcessorTime(() => rules.match(long), 50)).toBeLessThan(50);
		},
	);

	test.each([
		['(a+)+$', 'aaaa', true],
		['(a+)+$', 'aaaa!', false],
		['^/api/public/v1/(?:me|prospector/config)$', '/api/public/v1/me', true],
		['runs/[^/]+$', '/prospector/runs/run_1/results', false],
		['/(?<name>wf_\\w{2})/', '/wf_12/', true],
		['(?i)RUNS', '/runs', true],
		['\\x2fruns\\/', '/runs/', true],
		['', '', true],
	])('%s on %s: %s', (pathRegex, path, fits) => {
		const rules = new FaultRules({ ...DEFAULT_SETTINGS });
		rules.add({ kind: 'drop', match: { pathRegex } });
		expect(rules.match(target(path)) !== undefined).toBe(fits);
	});

	test.each([
		'(?=x)',
		'(?<!x)y',
		'(a)\\1',
		'(?<n>a)\\k<n>',
		'a**',
		'[',
		'a{2,1}',
		'(a{1000}){1000}',
		'(long)',
	])('%s is refused with 400', async (pathRegex) => {
		const bench = await startTestSandbox();
		const match = { pathRegex: pathRegex === '(long)' ? 'a'.repeat(1001) : pathRegex };
		const reply = await bench.controlCall('POST', '/faults', { kind: 'drop', match });
		expect(reply.status).toBe(400);
		expect(reply.json.error).toMatch(
			/^"pathRegex" must be an RE2 expression of at most 1000 characters, without lookarounds and backreferences \(.+\)\.$/,
		);
	});
});
