import { Agent, request } from 'undici';
import { startSandbox } from '../../sandbox/sandbox';
import type { Sandbox, SandboxOptions } from '../../sandbox/types';

export const API = '/api/public/v1';
export const WORKFLOWS = '/prospector/workflows';
export const START = Date.parse('2025-03-01T12:00:00.000Z');
export const JSON_TYPE = { 'content-type': 'application/json' };

// Tests read responses of every shape; a wrong property makes them fail.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface CallOptions {
	/** API key; default: the full one; null sends no header. */
	key?: string | null;
	/** Sent as JSON. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Sent unchanged. */
	raw?: string;
}

const running: Array<() => Promise<void>> = [];

/** Starts a sandbox without data on a stopped clock. Call closeAll afterwards. */
export async function startTestSandbox(options: SandboxOptions = {}) {
	const sandbox = await startSandbox({ seed: false, clock: () => START, ...options });
	const agent = new Agent();
	running.push(async () => {
		await sandbox.close();
		await agent.destroy();
	});
	const send = async (method: string, url: string, headers: Record<string, string>, body?: string) => {
		const response = await request(url, { dispatcher: agent, method: method as 'GET', headers, body });
		const text = await response.body.text();
		return { status: response.statusCode, headers: response.headers, text, json: parse(text) };
	};
	const call = async (method: string, path: string, { key, body, headers, raw }: CallOptions = {}) => {
		const all = {
			...(key !== null && { authorization: `Bearer ${key ?? sandbox.keys.full}` }),
			...(body !== undefined && JSON_TYPE),
			...headers,
		};
		return await send(method, sandbox.baseUrl + API + path, all, raw ?? JSON.stringify(body));
	};
	return {
		...sandbox,
		call,
		callControl: (method: string, path: string, body?: unknown) =>
			send(method, sandbox.controlUrl + path, body === undefined ? {} : JSON_TYPE, JSON.stringify(body)),
		/** Returns the data of the response to GET on a path of the API. */
		get: async (path: string) => (await call('GET', path)).json.data,
	};
}

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

export async function closeAll(): Promise<void> {
	await Promise.all(running.splice(0).map((close) => close()));
}

/** Returns a sandbox that the tests of a file share. It is reset before each test. */
export function useTestSandbox(): TestSandbox {
	const sandbox = {} as TestSandbox;
	beforeAll(async () => void Object.assign(sandbox, await startTestSandbox()));
	beforeEach(() => void sandbox.control.reset());
	afterAll(closeAll);
	return sandbox;
}

function parse(text: string): Json {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Adds a workflow with a finished run of three results. */
export function seedOneOfEach({ control }: Pick<Sandbox, 'control'>) {
	const { workflows, runs } = control.seed({ workflows: [{ name: 'First', runs: [{ results: 3 }] }] });
	return { workflow: workflows[0], run: runs[0] };
}
