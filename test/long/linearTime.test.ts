/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { Readable } from 'node:stream';
import { UserError } from '../../nodes/Prospector/messages/userMessage';
import { runListEntry } from '../../nodes/Prospector/methods/listSearch';
import { namesAnother, findIdFlaw } from '../../nodes/Prospector/model/resource';
import { matchesStatus, withOutcome } from '../../nodes/Prospector/model/runStatus';
import { parseConnection } from '../../nodes/Prospector/parameters/parseConnection';
import { runListFilters } from '../../nodes/Prospector/parameters/getManyOptions';
import { preventDuplicates } from '../../nodes/Prospector/parameters/preventDuplicates';
import { parseId } from '../../nodes/Prospector/parameters/locators';
import { toFieldJson } from '../../nodes/Prospector/parameters/body';
import { parseJsonText } from '../../nodes/Prospector/parameters/exactJson';
import { integer, stringList, toggle } from '../../nodes/Prospector/parameters/parse';
import { fromAiName } from '../../nodes/Prospector/parameters/parameterReader';
import { endpoints } from '../../nodes/Prospector/api/endpoints';
import { replaceIfTooLarge } from '../../nodes/Prospector/actions/toolAnswer';
import { parseHelperError } from '../../nodes/Prospector/api/failure/evidence';
import { RequestError } from '../../nodes/Prospector/api/failure/requestError';
import { toNodeError } from '../../nodes/Prospector/messages/nodeErrors';
import { redactAndTruncate, Redactor } from '../../nodes/Prospector/messages/redact';
import { HintCollector } from '../../nodes/Prospector/messages/hintCollector';
import { readResponse } from '../../nodes/Prospector/transport/request/readResponse';
import { isFailure, parseResponse } from '../../nodes/Prospector/api/response';
import { minimumProcessorTime } from '../processorTime';
import { BASE, CREDENTIAL_DATA, NODE, readParameter, TURNS } from '../unit/helpers/support';

const MAX_MS = 50;
const LENGTH = 1_000_000;

const ADVANCED = { ...CREDENTIAL_DATA, showAdvanced: true };

const KEY = `pk_live_${'k'.repeat(2000)}`;
const redactor = new Redactor();
redactor.addApiKey(KEY);
const call = { context: { getNode: () => NODE }, redactor };

/** A response of the service whose body contains the text, or whose headers do. */
type Answer = { statusCode?: number; headers?: Record<string, unknown>; body?: unknown };
const listOf = (item: object) => ({ data: [item], pagination: { has_more: false }, request_id: 'req_1' });

const RESPONSES: Array<[string, (text: string) => Answer]> = [
	['the body of an error response', (body) => ({ statusCode: 500, body })],
	['the body of a successful response', (body) => ({ body })],
	['a response body that is a list', (text) => ({ body: `[${text}` })],
	['the message of an error response', (message) => ({ statusCode: 400, body: { error: { message } } })],
	['another field of an error response', (other) => ({ statusCode: 400, body: { other } })],
	['the name of a field of an error response', (text) => ({ statusCode: 400, body: { [text]: 1 } })],
	['the name of a company', (name) => ({ body: listOf({ company: { name } }) })],
	['the ID of an item', (id) => ({ body: listOf({ id }) })],
	['the request ID', (request_id) => ({ body: { ...listOf({}), request_id } })],
	['the cursor', (text) => ({ body: { ...listOf({}), pagination: { has_more: true, next_cursor: text } } })],
	['the header of the request ID', (text) => ({ statusCode: 400, headers: { 'x-request-id': text } })],
	['the header Location', (location) => ({ statusCode: 302, headers: { location } })],
	['the header Date', (date) => ({ headers: { date }, body: listOf({}) })],
	['the header Retry-After', (text) => ({ statusCode: 429, headers: { 'retry-after': text } })],
];

/** Reads a response as the node does: a page of a list, which becomes a tool's answer, or a message. */
async function read({ statusCode, headers }: Required<Answer>, body: Buffer): Promise<void> {
	const stream = Readable.from([body]);
	const { signal } = new AbortController();
	const options = { signal, maxBytes: 2 * LENGTH, turns: TURNS };
	const received = await readResponse({ statusCode, headers, body: stream }, options);
	const result = isFailure(received)
		? received
		: parseResponse(endpoints.listResults, received, 'https://a.example/', 0);
	if (isFailure(result)) {
		const failed = new RequestError(result, { endpoint: endpoints.listResults, ids: { run_id: 'run_1' } });
		return void toNodeError(call, failed, 'node');
	}
	await TURNS.map(result.data, replaceIfTooLarge);
	result.data.map(({ id }) => namesAnother(id, 'run_1'));
}

const PARSERS: Array<[string, (text: string) => unknown]> = [
	['the API key', (apiKey) => parseConnection({ ...CREDENTIAL_DATA, apiKey })],
	['the base URL', (text) => parseConnection({ ...CREDENTIAL_DATA, baseUrl: text })],
	['the path of the base URL', (text) => parseConnection({ ...CREDENTIAL_DATA, baseUrl: `${BASE}/${text}` })],
	['the cursor parameter', (text) => parseConnection({ ...ADVANCED, cursorParameter: text })],
	['a boolean parameter', (text) => toggle.parse(text, 'Simplify')],
	['a number parameter', (text) => integer(1, 10).parse(text, 'Limit')],
	['a list of words', (text) => stringList('a').parse(text, 'Statuses')],
	['the status of a run', (status) => withOutcome({ status })],
	['a status of the user', (text) => matchesStatus('done', stringList('a').parse(text, 'Statuses'))],
	['a JSON object', (text) => parseJsonText(text, 'JSON', TURNS)],
	['an unfinished code fence', (text) => parseJsonText(`\`\`\`${text}`, 'JSON', TURNS)],
	['a code fence', (text) => parseJsonText(`\`\`\`json${text}\`\`\``, 'JSON', TURNS)],
	['a typed field', (text) => toFieldJson({ value: text, type: 'boolean' }, 'active', TURNS)],
	['an ID', (text) => [findIdFlaw(text), parseId(text, 'Workflow')]],
	['an idempotency key', (text) => readKey({ preventDuplicates: 'key', idempotencyKey: text })],
	['an option of Prevent Duplicates', (text) => readKey({ preventDuplicates: text })],
	['a filter', (text) => readParameter(runListFilters, { options: { status: text } })],
	['a query parameter', (text) => readParameter(runListFilters, { options: { queryParameters: text } })],
	['a parameter that the model defines', fromAiName],
	[
		'an error message',
		(text) => toNodeError(call, new UserError({ message: text, description: text }), 'node'),
	],
	[
		'a name in a hint',
		(text) => {
			const hints = new HintCollector();
			hints.add('unknownFields', '', { names: ['a'], knownNames: [text] });
			hints.build(redactor);
		},
	],
	['a log line', (text) => redactAndTruncate(text, redactor.redact, 1000)],
	['the message of an exception', (message) => parseHelperError({ message, code: message })],
	[
		'the time of a run',
		(created_at) => runListEntry({ id: 'run_1', created_at }, { label: 'Austria' }, { format: String }),
	],
];

const readKey = (options: object) => readParameter(preventDuplicates, { options });

const PIECES = [
	...[' ', '\t', '\n', '\u00a0', '/', '`', '```', '<', '<a', ',', '=', '-', '_', '"', "'", '\\', 'a', '1'],
	...['{', '{a', '{}', '}', '[', '[1,', '{"a":', '://', 'a://', '@', '?', '#', '.', '+'],
	...['true', ':00', ':00.', '1 '],
	...['$fromAI(', '$fromAI( ', '$fromAI("a', '/api/public/v1', '\ud83d', '😀', '\u200b'],
	...['\\u003c/span\\u003e', '<b>', 'p<', '%', '%25', '&#x', '&#0', '&amp;', 'pk_live_', KEY.slice(0, -1)],
];

/** Each piece repeated, alone and before an end that does not fit. */
const HOSTILE_TEXTS = PIECES.flatMap((piece) => {
	// n8n and the service send JSON.
	const text = piece.repeat(LENGTH / (Buffer.byteLength(JSON.stringify(piece)) - 2));
	return [text, `p${text}\n/ x`];
});

/** Returns the beginnings of the texts for which the task takes too long. */
async function slowTexts(prepare: (text: string) => () => unknown): Promise<string[]> {
	const slow: string[] = [];
	for (const text of HOSTILE_TEXTS) {
		if ((await minimumProcessorTime(prepare(text), MAX_MS)) >= MAX_MS) slow.push(text.slice(0, 12));
	}
	return slow;
}

test.each(PARSERS)('n8n is blocked for less than 50 ms when %s contains 1 MB of text', async (_, parse) => {
	const parseOrReject = (text: string) => async () => {
		try {
			await parse(text);
		} catch (thrown) {
			// How long a rejection takes matters as well.
			if (!(thrown instanceof UserError)) throw thrown;
		}
	};
	expect(await slowTexts(parseOrReject)).toEqual([]);
});

test.each(RESPONSES)(
	'n8n is blocked for less than 50 ms when 1 MB of text arrives in %s',
	async (_, respond) => {
		const readJson = (text: string) => {
			const answer = { statusCode: 200, headers: {}, body: '', ...respond(text) };
			const body = Buffer.from(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
			return async () => await read(answer, body);
		};
		expect(await slowTexts(readJson)).toEqual([]);
	},
);
