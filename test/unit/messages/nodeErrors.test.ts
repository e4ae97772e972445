import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import {
	addCatchUpNote,
	connectedMessage,
	retryLine,
	toNodeError,
	toSingleMessage,
} from '../../../nodes/Prospector/messages/nodeErrors';
import { UserError } from '../../../nodes/Prospector/messages/userMessage';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import { RequestError } from '../../../nodes/Prospector/api/failure/requestError';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { clientScenario } from '../helpers/clientScenario';
import { everyFailure, requests, status } from '../helpers/everyFailure';
import { CONNECTION, httpResponse, KEY, NODE } from '../helpers/support';

const { redact } = CONNECTION;
const { GET } = requests;

const requestError = (failure: Failure, request = GET) => new RequestError(failure, request, redact);
const errorOf = (failure: Failure, request = GET) =>
	toNodeError(NODE, requestError(failure, request), 'node');
const getRun = (id: string) => ({ endpoint: endpoints.getRun, ids: { run_id: id } });

describe('the error for a failed request', () => {
	test.each(everyFailure.map((failure) => [JSON.stringify(failure), failure] as const))(
		'has our own message and no other text after %s',
		(_, failure) => {
			const error = errorOf(failure);
			const { message, description, messages } = error;
			expect(error).toBeInstanceOf(NodeApiError);
			const described = describeFailure(failure, GET);
			expect({ message, description }).toEqual({ ...described, description: `${described.description}.` });
			expect(messages).toEqual([]);
		},
	);

	test('depends on its place', () => {
		const thrown = requestError(status(401));
		expect(toNodeError(NODE, thrown, 'node').description).toMatch(/, then try again\.$/);
		expect(toNodeError(NODE, thrown, 'poll').description).toMatch(/ of the credential\.$/);
	});

	test.each([
		[status(404), '404'],
		[status(503), '503'],
		[{ kind: 'timeout' } as const, null],
	])('has the status as httpCode after %j', (failure, httpCode) => {
		expect(errorOf(failure)).toMatchObject({ httpCode });
	});

	test.each(['EPERM-1', 'ENOENT', 'lead-ECONNREFUSED', 'getaddrinfo', 'EACCES'])(
		'keeps its message although n8n has its own for a code such as %s',
		(id) => expect(errorOf(status(404), getRun(id)).message).toBe(`Run '${id}' was not found`),
	);

	test('is not taken for a canceled execution because of an ID', () => {
		expect(errorOf(status(404), getRun('canceled-canceled')).message).toBe(
			"Run 'CANCELED-CANCELED' was not found",
		);
		expect(errorOf({ kind: 'canceled' }).message).toContain('canceled');
	});

	test('does not show the API key wherever it is quoted', () => {
		const failure = status(404, { serverMessage: `Key ${KEY} is unknown`, requestId: KEY });
		const { message, description, ...rest } = errorOf(failure, getRun(`${KEY}-${KEY}`));
		expect(message).toBe("Run '[API key]-[API key]' was not found (request [API key])");
		expect(description).toMatch(/\. The service said: "Key \[API key\] is unknown"\.$/);
		expect(JSON.stringify(rest)).not.toContain(KEY);
		const redirect = errorOf(status(302, { location: `https://${KEY}.example` }));
		expect(redirect.message).toBe("'Base URL' leads on to https://[API key].example");
	});

	test.each<Failure>([
		{ kind: 'unexpectedResponse', received: 'html', requestId: `a\n${KEY}` },
		{ kind: 'invalidPagination', reason: 'cursorLoop', requestId: `a\n${KEY}` },
		status(500, { requestId: `a\n${KEY}` }),
	])('shows a request ID on one line and without the API key (%#)', (failure) => {
		expect(errorOf(failure).message).toMatch(/ \(request a \[API key\]\)$/);
	});

	test.each([
		['on one line', ' No\r\n\tsuch\u0000run ', 'No such run'],
		['without markup', '<p class="a">No such <b>run</b></p>', 'No such run'],
		['in full up to 300 characters', 'x'.repeat(300), 'x'.repeat(300)],
		['up to 300 characters', 'x'.repeat(301), `${'x'.repeat(299)}…`],
	])('quotes the service %s', (_, serverMessage, quoted) => {
		expect(errorOf(status(422, { serverMessage })).description).toMatch(
			new RegExp(`\\. The service said: "${quoted}"\\.$`),
		);
	});

	test('has at most 2,000 characters', () => {
		const long = 'x'.repeat(1_000_000);
		const failure = status(404, { serverMessage: long, requestId: long, location: `https://${long}` });
		const { message, description } = errorOf(failure, {
			...getRun(long),
			startedRun: { id: long, idempotencyKey: long },
		} as never);
		expect([message.length, description?.length]).toEqual([700, 1300]);
	});

	test.each([
		['at the end of a long text', 'x'.repeat(295) + KEY],
		['after many control characters', '\n'.repeat(1995) + KEY],
	])('shows no part of an API key that the service quotes %s', async (_, text) => {
		const { client } = clientScenario({ respond: () => httpResponse(400, text) });
		const thrown: unknown = await client.request(GET).catch((error: unknown) => error);
		expect(toNodeError(NODE, thrown, 'node').description).not.toContain(KEY.slice(0, 5));
	});
});

describe('the error for a user’s input', () => {
	const userError = (message: string, options = {}) =>
		toNodeError(NODE, new UserError({ message, description: `Use ${message}` }, options), 'node');

	test.each(['EPERM', 'ENOENT-1', 'plain'])('keeps its texts with %s in them', (word) => {
		const { message, description, messages } = userError(`got ${word}`);
		expect({ message, description, messages }).toEqual({
			message: `got ${word}`,
			description: `Use got ${word}.`,
			messages: [],
		});
		expect(userError(word)).toBeInstanceOf(NodeOperationError);
	});

	test('has the word "canceled" only if the execution was canceled', () => {
		expect(userError('canceled, canceled').message).toBe('CANCELED, CANCELED');
		expect(userError('canceled', { isCanceled: true }).message).toBe('canceled');
	});

	test('is redacted, on one line and bounded', () => {
		const { message, description } = userError(`${'a\n'.repeat(700)}${KEY}`, { redact });
		expect([message, message.length]).toEqual([expect.stringMatching(/^a a a .*…$/), 700]);
		expect(description).toHaveLength(1300);
		expect(userError(`a ${KEY}`, { redact })).toMatchObject({
			message: 'a [API key]',
			description: 'Use a [API key].',
		});
		expect(userError(`a ${KEY}`).message).toBe(`a ${KEY}`);
	});

	test('keeps a description that equals its message', () => {
		const thrown = new UserError({ message: 'Same', description: 'Same' });
		expect(toNodeError(NODE, thrown, 'node').description).toBe('Same.');
	});
});

describe('the error for anything else', () => {
	test.each([new NodeOperationError(NODE, 'a'), new NodeApiError(NODE, { message: 'a' })])(
		'is the same if it is one of n8n (%#)',
		(thrown) => expect(toNodeError(NODE, thrown, 'node')).toBe(thrown),
	);

	test('has the same message', () => {
		const error = toNodeError(NODE, new TypeError('Out of paper'), 'node');
		expect(error).toBeInstanceOf(NodeOperationError);
		expect([error.message, error.node]).toEqual(['Out of paper', NODE]);
	});
});

test.each([
	['Not found', 'Check the ID.', 'Not found. Check the ID.'],
	['Not found', '', 'Not found.'],
	['Not found', undefined, 'Not found.'],
	['Not found', null, 'Not found.'],
])('toSingleMessage joins %j and %j', (message, description, text) => {
	expect(toSingleMessage({ message, description })).toBe(text);
});

describe('the log line of a retry', () => {
	test.each([
		[500, 'in 0.5 s'],
		[1234, 'in 1.2 s'],
		[1, 'in 0.0 s'],
		[0, 'as soon as the limit allows'],
	])('says what happened and when the next attempt starts (%i ms)', (delayMs, when) => {
		expect(retryLine(requestError(status(503, { requestId: 'req_1' })), delayMs)).toBe(
			`The service answered with status 503 (request req_1). Trying again ${when}`,
		);
	});

	test('contains neither the API key nor the word "canceled"', () => {
		expect(retryLine(requestError(status(429, { requestId: `canceled-${KEY}` })), 0)).toContain(
			'(request CANCELED-[API key]). Trying again',
		);
	});
});

test.each([
	['', 'Nothing is lost: the next poll catches up.'],
	['Ask an admin.', 'Ask an admin. Nothing is lost: the next poll catches up.'],
])('the error of a poll says after the description %j that nothing is lost', (description, expected) => {
	const error = errorOf(status(401));
	error.description = description;
	addCatchUpNote(error);
	expect(error.description).toBe(expected);
});

const READ_SCOPE =
	"Connected. This API key can't read Prospector workflows, runs and results: it lacks the scope 'prospector.read'";
const NO_WRITES = "Connected. This API key can't start runs or change Prospector workflows: it";
test.each([
	[undefined, 'Connected'],
	[{ canRead: true, canRun: true, isReadOnly: false }, 'Connected'],
	[{ canRead: false, canRun: true, isReadOnly: false }, READ_SCOPE],
	[{ canRead: false, canRun: false, isReadOnly: true }, READ_SCOPE],
	[{ canRead: true, canRun: false, isReadOnly: false }, `${NO_WRITES} lacks the scope 'prospector.run'`],
	[{ canRead: true, canRun: false, isReadOnly: true }, `${NO_WRITES} belongs to a read-only member`],
])('the message of a successful test says what the API key lacks: %j', (access, message) => {
	expect(connectedMessage(access)).toBe(message);
});
