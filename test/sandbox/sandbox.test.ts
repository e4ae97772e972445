import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { startSandbox } from '../../sandbox/sandbox';
import type { Sandbox } from '../../sandbox/types';
import { waitFor } from '../until';
import { API, closeAll, startTestSandbox } from './support';

afterEach(closeAll);

const me = (sandbox: Sandbox, dispatcher: Agent) =>
	request(`${sandbox.baseUrl}${API}/me`, {
		dispatcher,
		headers: { authorization: `Bearer ${sandbox.keys.full}` },
	});

test('serves on the loopback address, on a free port', async () => {
	const [one, other] = [await startTestSandbox(), await startTestSandbox()];
	expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(one.controlUrl).toBe(`${one.baseUrl}/_control`);
	expect(other.baseUrl).not.toBe(one.baseUrl);
});

test('a taken port is refused with the code of the system', async () => {
	const port = Number(new URL((await startTestSandbox()).baseUrl).port);
	await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('paths outside both APIs say where those are', async () => {
	const bench = await startTestSandbox();
	const answer = await request(`${bench.baseUrl}/api/v2`);
	expect(answer.statusCode).toBe(404);
	expect(await answer.body.json()).toMatchObject({ error: expect.stringContaining('/api/public/v1') });
});

describe('close', () => {
	test('with a connection kept alive', async () => {
		const sandbox = await startSandbox();
		const agent = new Agent({ keepAliveTimeout: 60_000 });
		await (await me(sandbox, agent)).body.text();
		await sandbox.close();
		await expect(me(sandbox, agent)).rejects.toThrow();
		await agent.destroy();
	});

	test('with a connection that has sent nothing', async () => {
		const sandbox = await startSandbox();
		const { hostname, port } = new URL(sandbox.baseUrl);
		const socket = connect(Number(port), hostname);
		const closed = new Promise((resolve) => socket.once('close', resolve));
		await new Promise((resolve) => socket.once('connect', resolve));
		await sandbox.close();
		await closed;
	});

	test.each([
		{ kind: 'hang', when: 'before' },
		{ kind: 'hang', when: 'after' },
		{ kind: 'slow', when: 'before', delayMs: 3_600_000 },
		{ kind: 'slow', when: 'after', delayMs: 3_600_000 },
	] as const)('with a request under way: %j', async (rule) => {
		const sandbox = await startSandbox();
		const agent = new Agent();
		sandbox.control.addFault(rule);
		const pending = me(sandbox, agent);
		pending.catch(() => {});
		await waitFor('the request', () => sandbox.control.journal().length > 0);
		await sandbox.close();
		await expect(pending).rejects.toThrow();
		await agent.destroy();
	});

	test('twice', async () => {
		const sandbox = await startSandbox();
		await sandbox.close();
		await sandbox.close();
	});
});

test('a slow answer to a client that left is no answer, and the change is made all the same', async () => {
	const seen: Array<number | null> = [];
	const bench = await startTestSandbox({ onRequest: (entry) => void seen.push(entry.status) });
	const [workflow] = bench.control.seed({ workflows: 1 }).workflows;
	bench.control.addFault({ kind: 'slow', delayMs: 500 });
	const leave = new AbortController();
	const pending = request(`${bench.baseUrl}${API}/prospector/workflows/${workflow}/run`, {
		method: 'POST',
		headers: { authorization: `Bearer ${bench.key.full}` },
		signal: leave.signal,
	});
	pending.catch(() => {});
	await waitFor('the request', () => bench.control.journal().length > 0);
	leave.abort();
	await waitFor('the end of the request', () => seen.length > 0);
	expect(seen).toEqual([null]);
	expect(bench.control.runs().started).toBe(1);
});
