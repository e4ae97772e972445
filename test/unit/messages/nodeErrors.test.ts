import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import {
	addCatchUpNote,
	retryLine,
	toNodeError,
	toSingleMessage,
} from '../../../nodes/Prospector/messages/nodeErrors';
import { registerApiKey } from '../../../nodes/Prospector/messages/redact';
import { UserError } from '../../../nodes/Prospector/messages/userMessage';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import { RequestError } from '../../../nodes/Prospector/api/failure/requestError';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { requests, status } from '../helpers/everyFailure';
import { KEY, NODE } from '../helpers/support';

const OTHER_KEY = 'pk_live_another.key-2';
const context = { getNode: () => NODE };
registerApiKey(context, KEY);
registerApiKey(context, OTHER_KEY);

const errorOf = (failure: Failure, request = requests.GET) =>
	toNodeError(context, new RequestError(failure, request), 'node');
const userError = (message: string, options = {}) =>
	toNodeError(context, new UserError({ message, description: `Use ${message}` }, options), 'node');
const getRun = (id: string) => ({ endpoint: endpoints.getRun, ids: { run_id: id } });

test('a failed request becomes a NodeApiError with its status and only our texts when the service answers 503', () => {
	const error = errorOf(status(503));
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({
		httpCode: '503',
		message: 'The service answered with status 503',
		description: 'Nothing was changed. Try again in a few minutes.',
		messages: [],
	});
	expect(errorOf({ kind: 'timeout' })).toMatchObject({ httpCode: null });
});

test.each(['EPERM-1', 'ENOENT', 'lead-ECONNREFUSED', 'getaddrinfo'])(
	'an error keeps its texts when an ID contains the code %s, for which n8n has its own text',
	(id) => {
		expect(errorOf(status(404), getRun(id)).message).toBe(`Run '${id}' was not found`);
		expect(userError(id)).toBeInstanceOf(NodeOperationError);
		expect(userError(id)).toMatchObject({ message: id, description: `Use ${id}.`, messages: [] });
	},
);

test('an error has the word "canceled", which n8n looks for, only when the execution was canceled', () => {
	expect(errorOf(status(404), getRun('canceled-canceled')).message).toBe(
		"Run 'CANCELED-CANCELED' was not found",
	);
	expect(errorOf({ kind: 'canceled' }).message).toContain('canceled');
	expect(userError('canceled, canceled').message).toBe('CANCELED, CANCELED');
	expect(userError('canceled', { isCanceled: true }).message).toBe('canceled');
});

test('an error shows no API key of the execution when the service or the user quotes it', () => {
	const failure = status(404, { serverMessage: `Key ${KEY} is unknown`, requestId: OTHER_KEY });
	const error = errorOf(failure, getRun(`${KEY}-${KEY}`));
	expect(error.message).toBe("Run '[API key]-[API key]' was not found (request [API key])");
	expect(error.description).toMatch(/\. The service said: "Key \[API key\] is unknown"\.$/);
	expect(JSON.stringify(error)).not.toContain(KEY);
	expect(errorOf(status(302, { location: `https://${KEY}.example` })).message).toBe(
		"'Base URL' redirects to https://[API key].example",
	);
	expect(userError(`a\n${KEY}`)).toMatchObject({ message: 'a [API key]', description: 'Use a [API key].' });
});

test('an error has at most 2,000 characters when its texts are longer', () => {
	const long = 'x'.repeat(1_000_000);
	const { message, description } = userError(long);
	expect([message.length, description?.length]).toEqual([700, 1300]);
});

test.each([new NodeOperationError(NODE, 'a'), new NodeApiError(NODE, { message: 'a' })])(
	'an error stays as it is when it is one of n8n (%#)',
	(thrown) => expect(toNodeError(context, thrown, 'node')).toBe(thrown),
);

test('an error keeps its message when it is a bug', () => {
	const error = toNodeError(context, new TypeError('Out of paper'), 'node');
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.message).toBe('Out of paper');
});

test.each([
	['', 'Not found.'],
	[null, 'Not found.'],
	['Check the ID.', 'Not found. Check the ID.'],
])('an item under Continue shows one text when the description is %j', (description, text) =>
	expect(toSingleMessage({ message: 'Not found', description })).toBe(text),
);

test.each([
	[1234, 'in 1.2 s'],
	[0, 'as soon as the limit allows'],
])('the log says when the next attempt starts after a delay of %i ms', (delayMs, when) => {
	const failed = new RequestError(status(503, { requestId: `canceled-${KEY}` }), requests.GET);
	expect(retryLine(context, failed, delayMs)).toBe(
		`Prospector: The service answered with status 503 (request CANCELED-[API key]). Trying again ${when}`,
	);
});

test.each([
	[undefined, 'Nothing is lost: the next poll catches up.'],
	['Ask an admin.', 'Ask an admin. Nothing is lost: the next poll catches up.'],
])('the error of a poll says that nothing is lost when its description is %j', (description, expected) => {
	const error = Object.assign(errorOf(status(401)), { description });
	expect(addCatchUpNote(error).description).toBe(expected);
});
