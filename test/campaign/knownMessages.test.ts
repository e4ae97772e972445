import { endpoints } from '../../nodes/Prospector/transport/request/endpoints';
import type { ApiRequest, Failure } from '../../nodes/Prospector/transport/failure/failure';
import { describeFailure } from '../../nodes/Prospector/messages/failureMessages';
import { isTooFast, keyIn, messageName } from './knownMessages';

const KEY = `n8n-${'0a'.repeat(32)}`;
const CREATE: ApiRequest = { endpoint: endpoints.createWorkflow, body: {}, idempotencyKey: KEY };
const LOOK: ApiRequest = {
	endpoint: endpoints.getRun,
	ids: { run_id: 'run_0a1b' },
	startedRun: { id: 'run_0a1b', idempotencyKey: KEY },
};

/** As the node puts it under Continue. */
const asItem = ({ message, description }: { message: string; description: string }, item = ' [Item 3]') =>
	`${message}${item}. ${description.replace(/\.$/, '')}.`;

const expected: Array<[string, Failure]> = [
	...[429, 500, 502, 503, 504].map((status): [string, Failure] => [
		`status ${status}`,
		{
			kind: 'status',
			status,
			requestId: 'req_00ff',
			retryAfter: 2,
			serverMessage: 'Trouble (of a kind). [API key]',
		},
	]),
	['redirect', { kind: 'status', status: 302, location: 'https://elsewhere.example' }],
	['connection ended', { kind: 'network', code: 'ECONNRESET', requestSent: true }],
	['timeout', { kind: 'timeout' }],
	['cut off', { kind: 'truncatedResponse', code: 'ECONNRESET' }],
	['web page', { kind: 'unexpectedResponse', received: 'a web page' }],
	[
		'no envelope',
		{ kind: 'unexpectedResponse', received: "JSON without 'data' that is an object", requestId: 'req_00ff' },
	],
	['stopped', { kind: 'canceled' }],
];

describe.each(expected)('%s', (name, failure) => {
	test.each([
		['to a write', CREATE],
		['to a look at a run', LOOK],
	])('%s is known, as an exception and as an item', (_, call) => {
		const words = describeFailure(failure, call);
		expect(messageName(words.message)).toBe(name);
		expect(messageName(`${words.message} [Item 0]`)).toBe(name);
		expect(messageName(asItem(words))).toBe(name);
		expect(messageName(asItem(words, ''))).toBe(name);
	});
});

test.each([401, 403, 404, 409, 422])('status %i is not expected', (status) => {
	const words = describeFailure({ kind: 'status', status, requestId: 'req_00ff' }, CREATE);
	expect(messageName(words.message)).toBeUndefined();
	expect(messageName(asItem(words))).toBeUndefined();
});

test.each([
	'',
	'socket hang up',
	'The service did not answer in time, or so',
	'The service did not answer in time undefined',
	"Something. The API key's requests for this minute are used up",
	'The service had trouble with the request: status 501',
	"'Base URL' of the credential leads to a redirect to https://elsewhere.example/?key=1, which is not followed",
])('unknown: %j', (message) => expect(messageName(message)).toBeUndefined());

test('a request that was held back counts as one too many', () => {
	const message = "The API key's requests for this minute are used up, so this one was not sent [Item 1]";
	expect(messageName(message)).toBe('status 429');
	expect(isTooFast(message)).toBe(true);
	expect(isTooFast(describeFailure({ kind: 'timeout' }, CREATE).message)).toBe(false);
});

test('the key to repeat an item with is read from its message', () => {
	expect(keyIn(asItem(describeFailure({ kind: 'timeout' }, CREATE)))).toBe(KEY);
	expect(keyIn(asItem(describeFailure({ kind: 'status', status: 504 }, LOOK)))).toBe(KEY);
	expect(
		keyIn(asItem(describeFailure({ kind: 'status', status: 504 }, { ...CREATE, idempotencyKey: undefined }))),
	).toBe(undefined);
});
