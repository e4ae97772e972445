import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import {
	callerOf,
	retryLogLine,
	toNodeError,
	toSingleMessage,
} from '../../../nodes/Prospector/messages/nodeErrors';
import { Redactor } from '../../../nodes/Prospector/messages/redact';
import { type Caller, UserError } from '../../../nodes/Prospector/messages/userMessage';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import { RequestError } from '../../../nodes/Prospector/api/failure/requestError';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { requests, status } from '../helpers/everyFailure';
import { KEY, NODE, TOOL } from '../helpers/support';

const OTHER_KEY = 'pk_live_another.key-2'; // eslint-disable-line @n8n/community-nodes/no-hardcoded-secrets -- not published
const redactor = new Redactor();
redactor.addApiKey(KEY);
redactor.addApiKey(OTHER_KEY);
const call = { context: { getNode: () => NODE }, redactor };

const errorOf = (failure: Failure, request = requests.GET) =>
	toNodeError(call, new RequestError(failure, request), 'node');
const userError = (message: string, isCanceled = false) =>
	toNodeError(call, new UserError({ message, description: `Use ${message}` }, isCanceled), 'node');
const getRun = (id: string) => ({ endpoint: endpoints.getRun, ids: { run_id: id } });

test("a 503 response becomes a NodeApiError that has the status code and only the node's own texts", () => {
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

test('an error says in the time zone of the n8n workflow when the next request can be sent', () => {
	const failure = status(429, { retryAfterMs: 3_120_000, retryAtMs: 1_798_052_670_000 });
	const context = { ...call.context, getTimezone: () => 'Asia/Tokyo' };
	const { description } = toNodeError({ ...call, context }, new RequestError(failure, requests.GET), 'node');
	expect(description).toContain('at 04:05 (in 52 min)');
});

test('only the message for a canceled execution contains the word canceled, even if a model gets the description in the message', () => {
	const shown = (caller: Caller, isCanceled: boolean) => {
		const text = { message: "Run 'canceled'", description: "Add 'canceled'" };
		return toNodeError(call, new UserError(text, isCanceled), caller, { isMessageOnly: caller === 'tool' })
			.message;
	};
	expect(shown('node', false)).toBe("Run 'CANCELED'");
	expect(shown('tool', false)).toBe("Run 'CANCELED'. Add 'CANCELED'.");
	expect(shown('tool', true)).toBe("Run 'canceled'. Add 'canceled'.");
});

test.each(['EPERM-1', 'ENOENT', 'lead-ECONNREFUSED', 'getaddrinfo'])(
	'an error keeps its own texts even if an ID such as %s contains an error code that n8n recognizes',
	(id) => {
		expect(errorOf(status(404), getRun(id)).message).toBe(`Run '${id}' was not found`);
		expect(userError(id)).toBeInstanceOf(NodeOperationError);
		expect(userError(id)).toMatchObject({ message: id, description: `Use ${id}.`, messages: [] });
	},
);

test("an error contains no API key even if the service's text or the user's input contains an API key", () => {
	const failure = status(404, { serverMessage: `Key ${KEY} is unknown`, requestId: OTHER_KEY });
	const error = errorOf(failure, getRun(`${KEY}-${KEY}`));
	expect(error.message).toBe("Run '[API key]-[API key]' was not found (request [API key])");
	expect(error.description).toMatch(/\. The service said: "Key \[API key\] is unknown"\.$/);
	expect(JSON.stringify(error)).not.toContain(KEY);
	expect(errorOf(status(302, { redirectTarget: `https://${KEY}.example` })).message).toBe(
		"'Base URL' redirects to https://[API key].example",
	);
	expect(userError(`a\n \u2028${KEY}`)).toMatchObject({
		message: 'a [API key]',
		description: 'Use a [API key].',
	});
});

test('a message for a model names tools instead of operations, and contains no expression and no error code', () => {
	const description =
		'Use Run › Get, {{ $json.id }}, Run › Get Many, Workflow › Get Many or Result › Get Many';
	const text = { message: 'Lost (ECONNRESET)', description };
	expect(toNodeError(call, new UserError(text), 'tool')).toMatchObject({
		message: 'Lost',
		description:
			'Use a tool that gets a run, id, a tool that gets many runs, a tool that gets many Prospector workflows or a tool that gets many results.',
	});
});

const UNSAVED = { saveManualExecutions: false, saveDataErrorExecution: 'none' };
test.each<[string, object, boolean, string]>([
	['retry', {}, false, 'node'],
	['manual', { ...UNSAVED, saveManualExecutions: undefined }, false, 'node'],
	['trigger', { ...UNSAVED, saveDataErrorExecution: 'all' }, false, 'node'],
	['manual', UNSAVED, false, 'nodeWithoutRetry'],
	['webhook', UNSAVED, false, 'nodeWithoutRetry'],
	['webhook', {}, true, 'nodeWithoutRetry'],
	['integrated', {}, false, 'nodeWithoutRetry'],
])(
	'messages in the mode %s with the workflow settings %j and continueOnFail %s are written for the caller "%s"',
	(mode, settings, canContinue, expected) => {
		const caller = (type: string) =>
			callerOf({
				...{ getNode: () => ({ ...NODE, type }), getMode: () => mode, continueOnFail: () => canContinue },
				getWorkflowSettings: () => settings,
			} as unknown as IExecuteFunctions);
		expect([caller(NODE.type), caller(TOOL.type)]).toEqual([expected, 'tool']);
	},
);

test('the message and the description of an error have at most 2,000 characters together', () => {
	const long = 'x'.repeat(1_000_000);
	const { message, description } = userError(long);
	expect([message.length, description?.length]).toEqual([700, 1300]);
});

test.each([new NodeOperationError(NODE, 'a'), new NodeApiError(NODE, { message: 'a' })])(
	'toNodeError returns an error unchanged if it is already a NodeOperationError or NodeApiError of n8n (case %#)',
	(thrown) => expect(toNodeError(call, thrown, 'node')).toBe(thrown),
);

test.each([
	[null, 'Not found.'],
	['Check the ID.', 'Not found. Check the ID.'],
])(
	'toSingleMessage joins the message "Not found" and the description %j into the text "%s"',
	(description, text) => expect(toSingleMessage({ message: 'Not found', description })).toBe(text),
);

test.each([
	[1234, 'in 1.2 s'],
	[0, 'as soon as the limit allows'],
])('the log describes a delay of %i ms before the next attempt as "%s"', (delayMs, when) => {
	const failed = new RequestError(status(503, { requestId: `canceled-canceled-${KEY}` }), requests.GET);
	expect(retryLogLine(call, failed, delayMs)).toBe(
		`Prospector: The service answered with status 503 (request CANCELED-CANCELED-[API key]). Trying again ${when}`,
	);
});

test.each([
	['', 'A note.'],
	['Ask an admin', 'Ask an admin. A note.'],
])('toNodeError appends a note to the description %j, which becomes "%s"', (description, expected) => {
	const thrown = new UserError({ message: 'Not found', description });
	expect(toNodeError(call, thrown, 'poll', { note: 'A note.' }).description).toBe(expected);
});
