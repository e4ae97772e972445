import { endpoints } from '../../../nodes/Prospector/transport/request/endpoints';
import type { Failure } from '../../../nodes/Prospector/transport/failure/failure';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import { calls, callsByEndpoint, everyFailure, status } from '../helpers/everyFailure';

const READ = calls['a read'];
const writes = callsByEndpoint.filter(([, { endpoint }]) => endpoint.method !== 'GET');
const reads = callsByEndpoint.filter(([, { endpoint }]) => endpoint.method === 'GET');

describe('the words for a refusal', () => {
	test.each(callsByEndpoint)('with 401 to %s tell to put a current key into the credential', (_, call) => {
		const { message, description } = describeFailure(status(401), call);
		expect(message).toBe('The API key was not accepted');
		expect(description).toMatch(/missing, malformed, revoked or expired.*'API Key' of the credential/);
	});

	test.each(callsByEndpoint)('with 403 to %s name what may not be done and the scope for it', (_, call) => {
		const { message, description } = describeFailure(status(403), call);
		expect(message).toBe(`This API key may not ${call.endpoint.purpose}`);
		expect(description).toContain(`the scope '${call.endpoint.scope}'`);
	});

	test.each(writes)('with 403 to the write %s mention a read-only membership', (_, call) => {
		expect(describeFailure(status(403), call).description).toContain('must not be read-only');
	});

	test.each(reads)('with 403 to the read %s do not mention a read-only membership', (_, call) => {
		const { description } = describeFailure(status(403), call);
		expect(description).not.toContain('read-only');
		expect(description).toContain('membership');
	});

	test.each([
		['getWorkflow', { workflow_id: 'wf_9' }, "The Prospector workflow 'wf_9' was not found"],
		['updateWorkflow', { workflow_id: 'wf_9' }, "The Prospector workflow 'wf_9' was not found"],
		['deleteWorkflow', { workflow_id: 'wf_9' }, "The Prospector workflow 'wf_9' was not found"],
		['runWorkflow', { workflow_id: 'wf_9' }, "The Prospector workflow 'wf_9' was not found"],
		['listRuns', { workflow_id: 'wf_9' }, "The Prospector workflow 'wf_9' was not found"],
		['getRun', { run_id: 'run_9' }, "The run 'run_9' was not found"],
		['listResults', { run_id: 'run_9' }, "The run 'run_9' was not found"],
	] as const)('with 404 to %s name kind and id', (name, ids, message) => {
		expect(describeFailure(status(404), { endpoint: endpoints[name], ids }).message).toBe(message);
	});

	test.each(['getIdentity', 'getConfig', 'listWorkflows', 'createWorkflow'] as const)(
		'with 404 to %s, which names no id, point to the base URL',
		(name) => {
			expect(describeFailure(status(404), { endpoint: endpoints[name] }).description).toContain("'Base URL'");
		},
	);

	test('with 409 name the key and what to do with it', () => {
		const { message, description } = describeFailure(status(409), calls['a POST with a key']);
		expect(message).toBe("The idempotency key 'key-1' was already used with a different payload");
		expect(description).toMatch(/Nothing was done this time.*start a new execution or give another key/);
	});

	test('with 409 do not mention a key where none was sent', () => {
		const { message, description } = describeFailure(status(409), calls['a PATCH']);
		expect(message + description).not.toContain('key');
	});

	test('with 429 say that nothing was done and to wait', () => {
		const { message, description } = describeFailure(status(429), calls['a POST without a key']);
		expect(message).toContain('requests for this minute are used up');
		expect(description).toMatch(/Nothing was done.*Wait a minute/);
	});

	test.each([500, 502, 503, 504, 599])('with %i name the status', (code) => {
		expect(describeFailure(status(code), READ).message).toBe(
			`The service had trouble with the request: status ${code}`,
		);
	});

	test.each([301, 302, 307, 308])('with %i say where it leads and that it is not followed', (code) => {
		const location = 'https://other.example';
		expect(describeFailure(status(code, { location }), READ).message).toContain(
			`to ${location}, which is not followed`,
		);
		expect(describeFailure(status(code), READ).message).toContain('a redirect, which is not followed');
	});

	test.each([400, 402, 405, 413, 422])('with %i point to where the values come from', (code) => {
		expect(describeFailure(status(code), READ).description).toContain('the fields of this node');
		expect(describeFailure(status(code), calls['a PATCH']).description).toContain("'Fields' or 'JSON'");
	});

	test('quote the service where it said something', () => {
		const { message, description } = describeFailure(
			status(422, { serverMessage: 'name is too long' }),
			READ,
		);
		expect(message).not.toContain('name is too long');
		expect(description).toMatch(/\. The service said: "name is too long"$/);
	});
});

const unknownOutcome: Failure[] = [
	{ kind: 'network', code: 'ECONNRESET', requestSent: true },
	{ kind: 'timeout' },
	{ kind: 'truncatedResponse', code: 'ECONNRESET' },
	{ kind: 'unexpectedResponse', received: 'a web page' },
	{ kind: 'canceled' },
	status(503) as Failure,
];

describe.each([
	['a read', 'Nothing was changed, so it is safe to retry'],
	['a POST with a key', "set 'Idempotency Key' under Options to 'key-1'"],
	['a POST without a key', 'no idempotency key was sent: look in the workspace before you retry'],
	['a PATCH', 'look at the Prospector workflow before you retry'],
	['a DELETE', 'look at the Prospector workflow before you retry'],
] as const)('the words for an unknown outcome of %s', (name, advice) => {
	test.each(unknownOutcome)('($kind) say whether to retry', (failure) => {
		expect(describeFailure(failure, calls[name]).description).toContain(advice);
	});

	test('do not speak of a stop while it waited to be sent', () => {
		const { message, description } = describeFailure({ kind: 'canceled', beforeSend: true }, calls[name]);
		expect(message).toBe('The execution was canceled while a request waited to be sent');
		expect(description).toMatch(/^Nothing was done by it\./);
	});

	test('say that nothing was sent where that is certain', () => {
		const { description } = describeFailure(
			{ kind: 'network', code: 'ENOTFOUND', requestSent: false },
			calls[name],
		);
		expect(description).toMatch(/^Nothing was sent \(ENOTFOUND\)/);
		// An earlier execution of the node may have sent it all the same, so the key is named.
		if (name !== 'a POST with a key') expect(description).not.toContain(advice);
	});
});

test.each(everyFailure)('the words for %j name the key of a start or creation, once', (failure) => {
	const { message, description } = describeFailure(failure, calls['a POST with a key']);
	expect(`${message} ${description}`.split("'key-1'")).toHaveLength(2);
});

test.each<[Failure, string]>([
	[{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, 'CERT_HAS_EXPIRED'],
	[{ kind: 'ssrfBlocked' }, 'ask whoever runs this n8n'],
	[{ kind: 'timeout' }, "raise 'Request Timeout' under the node's Options"],
	[{ kind: 'unexpectedResponse', received: 'a web page' }, 'no login page or proxy'],
	[status(429, { retryAfter: 7 }), 'Wait 7 s and retry'],
	[{ kind: 'throttled', throttledMs: 61_000 }, 'come in 1 min 1 s at the earliest'],
	[{ kind: 'throttled', throttledMs: 61_000 }, "raise 'Max Wait'"],
	[
		status(429, { throttledMs: 61_000 }),
		"come in 1 min 1 s at the earliest, which is longer than 'Max Wait'",
	],
	[status(429, { throttledMs: 61_000, retryAfter: 7 }), "raise 'Max Wait'"],
	[{ kind: 'throttled', throttledMs: 61_000 }, 'let fewer executions use the same API key'],
])('the words for %j say what to do', (failure, words) => {
	expect(describeFailure(failure, READ).description).toContain(words);
});

test.each(callsByEndpoint)('a request to %s that was held back is said not to have been sent', (_, call) => {
	expect(describeFailure({ kind: 'throttled', throttledMs: 1 }, call).message).toBe(
		"The API key's requests for this minute are used up, so this one was not sent",
	);
});
