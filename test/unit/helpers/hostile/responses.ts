import { httpResponse, KEY, listResponse, itemResponse } from '../support';
import { API, type HostileCase, type Outcome } from './attempt';

const insteadOfData = (found: string, after = ''): Outcome => ({
	message: `The address answered with ${found} instead of Prospector data${after}`,
	urls: [`${API}/runs/run_1`],
});
const REDIRECT = "'Base URL' of the credential leads to a redirect";
const NO_DATA = "JSON without 'data' that is an object";
const item = (json: object): Outcome => ({ message: undefined, items: [json] });
const polluting = (text: string) => JSON.parse(text) as object;

const single: Array<[string, unknown, Outcome]> = [
	['a web page', httpResponse(200, '<!DOCTYPE html><script>x</script>'), insteadOfData('a web page')],
	['nothing', httpResponse(200, ''), insteadOfData('nothing')],
	['null', httpResponse(200, null), insteadOfData('nothing')],
	[
		'half an envelope',
		httpResponse(200, '{"data":{"id":"r'),
		insteadOfData('JSON that breaks off or is malformed'),
	],
	['ten million letters', httpResponse(200, 'x'.repeat(1e7)), insteadOfData('plain text')],
	['a list', httpResponse(200, [{ id: 'run_1' }]), insteadOfData('a JSON list')],
	['a number', httpResponse(200, 200), insteadOfData('a JSON number')],
	['no data', httpResponse(200, { request_id: 'req_1' }), insteadOfData(NO_DATA, ' (request req_1)')],
	['data of null', itemResponse(null), insteadOfData(NO_DATA, ' (request req_1)')],
	['data that is a list', itemResponse([{ id: 'run_1' }]), insteadOfData(NO_DATA, ' (request req_1)')],
	['data that is text', itemResponse('run_1'), insteadOfData(NO_DATA, ' (request req_1)')],
	['an error with status 200', httpResponse(200, { error: 'no' }), insteadOfData(NO_DATA)],
	['no request id', httpResponse(200, { data: {} }), insteadOfData("JSON without a 'request_id'")],
	['a request id of {}', itemResponse({}, { request_id: {} }), insteadOfData("JSON without a 'request_id'")],
	['a request id of 0', itemResponse({}, { request_id: 0 }), insteadOfData("JSON without a 'request_id'")],
	[
		'a polluting __proto__',
		itemResponse(polluting('{"id":"r","__proto__":{"polluted":1}}')),
		item({ id: 'r', request_id: 'req_1' }),
	],
	[
		'a field that n8n takes for a failure',
		itemResponse({ error: 'x' }),
		item({ error_details: 'x', request_id: 'req_1' }),
	],
	['fields that pass for ours', itemResponse({ request_id: 'evil' }), item({ request_id: 'req_1' })],
	[
		'a redirect to another host',
		httpResponse(302, '', { location: `https://evil.example/?key=${KEY}` }),
		{ message: `${REDIRECT} to https://evil.example, which is not followed` },
	],
	[
		'a redirect with a user name',
		httpResponse(307, '', { location: `https://${KEY}@evil.example/` }),
		{ message: `${REDIRECT} to https://evil.example, which is not followed` },
	],
	[
		'a redirect to a script',
		httpResponse(301, '', { location: 'javascript:alert(1)' }),
		{ message: `${REDIRECT}, which is not followed` },
	],
	[
		'a redirect to nowhere',
		httpResponse(302, '', { location: ['https://evil.example'] }),
		{ message: `${REDIRECT}, which is not followed` },
	],
	[
		'a refusal that quotes the API key',
		httpResponse(401, { message: `Key ${KEY} is revoked` }, { 'x-request-id': KEY }),
		{ message: 'The API key was not accepted (request [API key])' },
	],
	[
		'a refusal that quotes the API key at its 300th letter',
		httpResponse(400, 'y'.repeat(290) + KEY),
		{ message: 'The service did not accept the request: status 400' },
	],
	[
		'a refusal whose request id breaks the line',
		httpResponse(404, { request_id: 'req\r\n[fake log line]' }),
		{ message: "The run 'run_1' was not found" },
	],
	[
		'a refusal whose request id is a document',
		httpResponse(404, { request_id: 'r'.repeat(100_000) }),
		{ message: "The run 'run_1' was not found" },
	],
	[
		'a refusal in many lines',
		httpResponse(503, 'busy\r\n\u0000\u001b[31mretry'),
		{ description: expect.stringMatching(/The service said: "busy \[31mretry"$/) as string },
	],
	[
		'a refusal in markup',
		httpResponse(500, { message: '<img src=x onerror=alert(1)>' }),
		{ description: 'Nothing was changed, so it is safe to retry.' },
	],
	[
		'a status that nobody knows',
		httpResponse(999, ''),
		{ message: 'The service had trouble with the request: status 999' },
	],
	['the status 0', httpResponse(0, ''), { message: 'The service did not accept the request: status 0' }],
];

const NO_MORE =
	"The address answered with a list without 'pagination.has_more' instead of Prospector data (request req_1)";
const NO_LIST =
	"The address answered with JSON without 'data' that is a list of objects instead of Prospector data (request req_1)";
const NOWHERE = 'The service says that the list goes on, but not where (request req_1)';
const CIRCLE = 'The list leads back to a page that was already read (request req_1)';

const lists: Array<[string, unknown, string]> = [
	['has_more as text', listResponse([], { has_more: 'true', next_cursor: 'c2' }), NO_MORE],
	['has_more as a number', listResponse([], { has_more: 1 }), NO_MORE],
	['pagination as a list', listResponse([], [true]), NO_MORE],
	['no pagination', listResponse([], null), NO_MORE],
	['a cursor that is an object', listResponse([], { has_more: true, next_cursor: { id: 1 } }), NOWHERE],
	['a cursor that is a number', listResponse([], { has_more: true, next_cursor: 2 }), NOWHERE],
	['a cursor that is empty', listResponse([], { has_more: true, next_cursor: '' }), NOWHERE],
	['the same cursor for ever', listResponse([{ id: 'a' }], { has_more: true, next_cursor: 'c' }), CIRCLE],
	['data that is an object', listResponse({ 0: { id: 'a' }, length: 1 }), NO_LIST],
	['data of texts', listResponse(['a']), NO_LIST],
	['data of lists', listResponse([[{ id: 'a' }]]), NO_LIST],
	['a hole in its data', listResponse([{ id: 'a' }, null]), NO_LIST],
];

export const replies: HostileCase[] = [
	...single.map(([what, answer, expected]) => ({
		what: `an answer with ${what}`,
		given: { operation: 'run.get', parameters: { runId: 'run_1' }, answers: [answer] },
		expected,
	})),
	...lists.map(([what, answer, message]) => ({
		what: `a list with ${what}`,
		given: { operation: 'workflow.getAll', parameters: { returnAll: true }, answers: [answer] },
		expected: { message, items: [] },
	})),
	...['req\r\n[fake log line]', KEY].map((id) => ({
		what: `a list that goes nowhere with the request id ${JSON.stringify(id)}`,
		given: {
			operation: 'workflow.getAll',
			parameters: { returnAll: true },
			answers: [listResponse([], { has_more: true }, id)],
		},
		expected: { message: expect.stringContaining('not where') as string, items: [] },
	})),
	{
		what: 'a started run whose id leads upwards',
		given: {
			operation: 'workflow.run',
			parameters: { workflowId: 'wf_1', waitForCompletion: true },
			answers: [itemResponse({ id: '../../me' }), itemResponse({ id: 'r', status: 'done' })],
		},
		expected: { message: undefined, urls: [`${API}/workflows/wf_1/run`, `${API}/runs/..%2F..%2Fme`] },
	},
];
