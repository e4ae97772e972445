import { Agent, request } from 'undici';
import { startSandbox } from '../../sandbox/sandbox';
import type { OperationName, ReadyMadeKeys, Sandbox, SandboxOptions } from '../../sandbox/types';

export const API = '/api/public/v1';
export const UNKNOWN = 'unknown_id';
export const JSON_HEADER = { 'content-type': 'application/json' };

// Tests reach into answers of every shape, and a wrong reach fails the test.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Reply {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	/** Parsed where it parses. */
	json: Json;
}

export interface CallOptions {
	/** A secret; default the full key; null for no header. */
	key?: string | null;
	/** Sent as JSON. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Sent as it is. */
	raw?: string;
}

export interface Bench extends Sandbox {
	/** Path below /api/public/v1. */
	call(method: string, path: string, options?: CallOptions): Promise<Reply>;
	/** Path below /_control. */
	controlCall(method: string, path: string, body?: unknown): Promise<Reply>;
	/** Moves the fake clock. */
	pass(ms: number): void;
	key: ReadyMadeKeys;
}

const opened: Array<() => Promise<void>> = [];
export const START = Date.parse('2025-03-01T12:00:00.000Z');

/** A sandbox on a fake clock, empty unless told, and a client for it. Call closeAll after each test. */
export async function startTestSandbox(options: SandboxOptions = {}): Promise<Bench> {
	let now = START;
	const sandbox = await startSandbox({ seed: false, clock: () => now, ...options });
	const agent = new Agent();
	opened.push(async () => {
		await sandbox.close();
		await agent.destroy();
	});
	const send = async (method: string, url: string, headers: Record<string, string>, body?: string) => {
		const answer = await request(url, { dispatcher: agent, method: method as 'GET', headers, body });
		const text = await answer.body.text();
		return { status: answer.statusCode, headers: answer.headers, text, json: parse(text) };
	};
	return {
		...sandbox,
		key: sandbox.keys,
		pass: (ms) => void (now += ms),
		call(method, path, { key = sandbox.keys.full, body, headers = {}, raw } = {}) {
			const all: Record<string, string> = { ...headers };
			if (key !== null) all.authorization ??= `Bearer ${key}`;
			if (body !== undefined) all['content-type'] ??= 'application/json';
			const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
			return send(method, sandbox.baseUrl + API + path, all, text);
		},
		controlCall: (method, path, body) =>
			body === undefined
				? send(method, sandbox.controlUrl + path, {})
				: send(method, sandbox.controlUrl + path, JSON_HEADER, JSON.stringify(body)),
	};
}

export async function closeAll(): Promise<void> {
	await Promise.all(opened.splice(0).map((close) => close()));
}

function parse(text: string): Json {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export interface Case {
	operation: OperationName;
	number: string;
	method: string;
	path: (ids: Ids) => string;
	scope: 'prospector.read' | 'prospector.run' | 'me.read';
	object: string;
	list?: true;
	body?: true;
	keyed?: true;
}

export interface Ids {
	workflow: string;
	run: string;
}

/** The table of contract 4, stated once more for the tests, and the identity check of 5.1. */
export const OPERATION_CASES: Case[] = [
	row('1', 'getConfig', 'GET', () => '/prospector/config', 'prospector.read', 'prospector_config'),
	row('2', 'listWorkflows', 'GET', () => '/prospector/workflows', 'prospector.read', 'prospector_workflow', {
		list: true,
	}),
	row('3', 'createWorkflow', 'POST', () => '/prospector/workflows', 'prospector.run', 'prospector_workflow', {
		body: true,
		keyed: true,
	}),
	row('4', 'getWorkflow', 'GET', workflowPath(), 'prospector.read', 'prospector_workflow'),
	row('5', 'updateWorkflow', 'PATCH', workflowPath(), 'prospector.run', 'prospector_workflow', {
		body: true,
	}),
	row('6', 'deleteWorkflow', 'DELETE', workflowPath(), 'prospector.run', 'prospector_workflow'),
	row('7', 'runWorkflow', 'POST', workflowPath('/run'), 'prospector.run', 'prospector_run', { keyed: true }),
	row('8', 'listRuns', 'GET', workflowPath('/runs'), 'prospector.read', 'prospector_run', { list: true }),
	row('9', 'getRun', 'GET', ({ run }) => `/prospector/runs/${run}`, 'prospector.read', 'prospector_run'),
	row(
		'10',
		'listResults',
		'GET',
		({ run }) => `/prospector/runs/${run}/results`,
		'prospector.read',
		'prospector_result',
		{ list: true },
	),
	row('me', 'getMe', 'GET', () => '/me', 'me.read', 'api_key'),
];

export const WRITES = OPERATION_CASES.filter((item) => item.scope === 'prospector.run');
export const READS = OPERATION_CASES.filter((item) => item.scope === 'prospector.read');
export const CASES_WITH_ID = OPERATION_CASES.filter(
	(item) => item.path(ids('w', 'r')) !== item.path(ids('x', 'y')),
);

/** One workflow with one finished run of three results. */
export function oneOfEach(sandbox: Sandbox): Ids {
	const made = sandbox.control.seed({ workflows: [{ name: 'First', runs: [{ results: 3 }] }] });
	return ids(made.workflows[0], made.runs[0]);
}

/** Sends the request of a case, with a body where it needs one. */
export function sendCase(bench: Bench, item: Case, where: Ids, options: CallOptions = {}): Promise<Reply> {
	return bench.call(item.method, item.path(where), {
		...(item.body ? { body: { name: 'N' } } : {}),
		...options,
	});
}

export function ids(workflow: string, run: string): Ids {
	return { workflow, run };
}

function workflowPath(tail = '') {
	return ({ workflow }: Ids) => `/prospector/workflows/${workflow}${tail}`;
}

function row(
	number: string,
	operation: OperationName,
	method: string,
	path: Case['path'],
	scope: Case['scope'],
	object: string,
	more: Partial<Case> = {},
): Case {
	return { number, operation, method, path, scope, object, ...more };
}
