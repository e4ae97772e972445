import { type Endpoint, endpoints } from '../../../nodes/Prospector/api/endpoints';
import type { StatusFailure } from '../../../nodes/Prospector/api/failure/failure';
import * as response from '../../../nodes/Prospector/api/response';
import { API, BASE, httpResponse, listResponse } from '../helpers/support';

const { getRun, listRuns } = endpoints;
const NOW_MS = Date.parse('2025-03-01T12:00:00Z');
const parseResponse = (endpoint: Endpoint, received: response.HttpResponse) =>
	response.parseResponse(endpoint, received, `${API}/runs/run_1`, NOW_MS);

test.each([200, 299])(
	'parseResponse returns the resource and up to 200 characters of the request ID if the status is %i',
	(status) => {
		const body = { data: { id: 'run_1' }, request_id: 'req_1' };
		const reply = parseResponse(getRun, httpResponse(status, body, { 'content-type': 'text/html' }));
		expect(reply).toEqual({ data: [{ id: 'run_1' }], requestId: 'req_1' });
		expect(response.isFailure(reply)).toBe(false);
		const withLongId = parseResponse(getRun, httpResponse(status, { ...body, request_id: 'x'.repeat(201) }));
		expect(withLongId).toMatchObject({ requestId: `${'x'.repeat(199)}…` });
		const withSpaces = parseResponse(getRun, httpResponse(status, { ...body, request_id: ' r ' }));
		expect(withSpaces).toMatchObject({ requestId: ' r ' });
	},
);

test.each([
	['more pages', { has_more: true, next_cursor: 'c2' }, { hasMore: true, nextCursor: 'c2' }],
	['a cursor with spaces', { has_more: true, next_cursor: ' c ' }, { hasMore: true, nextCursor: ' c ' }],
	['a cursor of null', { has_more: false, next_cursor: null }, { hasMore: false }],
	['a cursor on the last page', { has_more: false, next_cursor: 'c3' }, { hasMore: false }],
	['an empty cursor', { has_more: true, next_cursor: '' }, { hasMore: true }],
	['a cursor that is not text', { has_more: true, next_cursor: 2 }, { hasMore: true }],
])('parseResponse returns a page of a list if the response has %s', (_, pagination, expected) => {
	expect(parseResponse(listRuns, listResponse([{ id: 'a' }, { id: 'b' }], pagination))).toEqual({
		data: [{ id: 'a' }, { id: 'b' }],
		requestId: 'req_1',
		nextCursor: undefined,
		...expected,
	});
});

const id = { request_id: 'req_1' };
test.each<[unknown, Endpoint, string, string?]>([
	['', getRun, 'nothing'],
	[undefined, getRun, 'nothing'],
	['OK', getRun, 'text'],
	['{"data": {"id": "ru', getRun, 'invalidJson'],
	[[], getRun, 'missingData'],
	[42, getRun, 'missingData'],
	[{ data: null, ...id }, getRun, 'missingData'],
	[{ data: [], ...id }, getRun, 'missingData'],
	[{ data: [{}, null], ...id }, listRuns, 'missingData'],
	[{ error: { message: 'Archived' }, ...id }, getRun, 'missingData', 'Archived'],
	[{ data: {}, message: 'Archived' }, getRun, 'missingRequestId', 'Archived'],
	[{ errors: [{ message: 'Archived' }] }, getRun, 'missingData', 'Archived'],
	[{ data: {}, request_id: '' }, getRun, 'missingRequestId'],
	[{ data: {}, request_id: 7 }, getRun, 'missingRequestId'],
	[{ data: [], ...id }, listRuns, 'missingHasMore'],
	[{ data: [], pagination: { has_more: 'false' }, ...id }, listRuns, 'missingHasMore'],
])('parseResponse reports an unexpected response if the body is %j (row %#)', (...row) => {
	const [body, endpoint, bodyFlaw, serverMessage] = row;
	const reply = parseResponse(endpoint, httpResponse(200, body));
	expect(reply).toMatchObject({ kind: 'unexpectedResponse', bodyFlaw, serverMessage });
});

const refusal = (body: unknown, headers: Record<string, unknown> = {}, status = 404) =>
	parseResponse(endpoints.getRun, httpResponse(status, body, headers));

test.each([0, 199, 300, 404, 503])('parseResponse returns a failure if the status is %i', (status) => {
	const reply = refusal({ request_id: 'req_1' }, {}, status);
	expect(response.isFailure(reply)).toBe(true);
	expect(reply).toEqual({ kind: 'status', status, requestId: 'req_1' });
});

test.each([
	['from the header request-id', '', { 'request-id': 'req_4' }, 'req_4'],
	['from the body rather than its error', { request_id: 'a', error: { request_id: 'b' } }, {}, 'a'],
	['from an error rather than a header', { error: { request_id: 'a' } }, { 'x-request-id': 'b' }, 'a'],
	["from a header if the body's ID is a number", { request_id: 5 }, { 'x-request-id': 'req_3' }, 'req_3'],
	["from a header if the body's ID has line breaks", { request_id: 'a\nb' }, { 'request-id': 'r' }, 'r'],
	['from the body if the ID has 200 characters', { request_id: 'x'.repeat(200) }, {}, 'x'.repeat(200)],
	['only if the ID has at most 200 characters', { request_id: 'x'.repeat(201) }, {}, undefined],
	['only if the ID has no spaces', { request_id: 'r1. Nothing was changed' }, {}, undefined],
	['only if the ID is ASCII', { request_id: 'ä' }, {}, undefined],
	['from x-request-id rather than request-id', '', { 'request-id': 'b', 'x-request-id': 'a' }, 'a'],
	['only if the header is not repeated', '', { 'x-request-id': ['a', 'b'] }, undefined],
])('parseResponse reads the request ID of a failure %s', (_, body, headers, requestId) => {
	expect(refusal(body, headers)).toMatchObject({ kind: 'status', requestId });
	expect(refusal(body, headers, 204)).toMatchObject({ kind: 'unexpectedResponse', requestId });
});

test('parseResponse reads the request ID of a success from a header if the body has none', () => {
	const reply = refusal({ data: { id: 'run_1' } }, { 'x-request-id': 'req_9' }, 200);
	expect(reply).toMatchObject({ requestId: 'req_9', data: [{ id: 'run_1' }] });
});

test.each([
	['error.message', { error: { message: 'No such run' } }, 'No such run'],
	['error', { error: 'No such run' }, 'No such run'],
	['message', { message: 'No such run' }, 'No such run'],
	['detail', { detail: 'No such run' }, 'No such run'],
	['errors[0].message', { errors: [{ message: 'No such run' }, { message: 'x' }] }, 'No such run'],
	['plain text', 'No such run', 'No such run'],
	['message if error has none', { error: { code: 4 }, message: 'No such run' }, 'No such run'],
	['a long text', 'x'.repeat(9000), 'x'.repeat(9000)],
	['a list', [{ message: 'No such run' }], 'No such run'],
	['an OAuth refusal', { error_description: 'No such run' }, 'No such run'],
	['detail.0.msg', { detail: [{ loc: ['id'], msg: 'No such run' }] }, 'No such run'],
	['JSON without a message', { code: 4, request_id: 'req_1' }, '{"code":4}'],
	['three levels of errors', { error: { error: { error: { message: 'a' } } } }, 'a'],
	['msg', { msg: 'No such run' }, 'No such run'],
	['reason', { reason: 'No such run' }, 'No such run'],
	['a title', { type: 'about:blank', title: 'No such run' }, 'No such run'],
	['message rather than other fields', { reason: 'b', error: 'a', message: 'No such run' }, 'No such run'],
	['a description beside a code', { error: 'invalid', error_description: 'No such run' }, 'No such run'],
	['details', { error: 'Conflict', details: ['a'] }, '{"error":"Conflict","details":["a"]}'],
	['fields', { message: 'a', errors: { b: ['c'] } }, '{"message":"a","errors":{"b":["c"]}}'],
	[
		'details in an error',
		{ error: { message: 'a', details: ['b'] } },
		'{"error":{"message":"a","details":["b"]}}',
	],
	['a meaning of the status', { error: { message: '404 Not Found' } }, undefined],
	['text with the meaning of a status', 'Not found: wf_1', 'Not found: wf_1'],
	['text with an angle bracket', 'a < b', 'a < b'],
	['a number', 7, undefined],
	['blank text', { message: '  ' }, '{"message":"  "}'],
	['null', null, undefined],
])(
	'parseResponse extracts the text to show to the user, if any, from the body of a failure (body: %s)',
	(_, body, serverMessage) => {
		expect(refusal(body)).toMatchObject({ serverMessage });
	},
);

test.each<[unknown, number | undefined]>([
	[' 120 ', 120_000],
	['1.5', 1500],
	[7, 7000],
	['Sat, 01 Mar 2025 12:00:30 GMT', 30_000],
	['2025-03-01T12:01:00Z', 60_000],
	['Saturday, 01-Mar-25 12:00:05 GMT', 5000],
	['2678400', 2_678_400_000],
])('parseResponse converts the Retry-After header %j to %j ms', (value, retryAfterMs) =>
	expect(refusal('', { 'retry-after': value }, 429)).toMatchObject({ retryAfterMs }),
);

test.each([
	...['-1', '+5', '1e3', '0x10', '5s', 'soon', 'Infinity', '2678401', '9'.repeat(40), '.5'],
	'Wed, 21 Oct 2099 07:28:00 GMT',
	...[undefined, [], {}, true],
	// Date.parse accepts these as dates.
	...['in 5', 'later 5', 'max 1'],
])(
	'parseResponse ignores the Retry-After header %j because it is neither a valid number of seconds nor a valid date',
	(value) => expect(refusal('', { 'retry-after': value }, 429)).toMatchObject({ retryAfterMs: undefined }),
);

test.each([
	[30_000, 'an hour ahead of n8n', 'Sat, 01 Mar 2025 13:00:00 GMT', 'Sat, 01 Mar 2025 13:00:30 GMT'],
	[0, 'past the Retry-After date', 'Sat, 01 Mar 2025 13:00:00 GMT', 'Sat, 01 Mar 2025 12:30:00 GMT'],
	[30_000, 'unknown', 'today', 'Sat, 01 Mar 2025 12:00:30 GMT'],
])(
	'parseResponse returns a delay of %i ms if the clock of the service is %s (Date: %j, Retry-After: %j)',
	(retryAfterMs, _, date, value) =>
		expect(refusal('', { date, 'retry-after': value }, 429)).toMatchObject({ retryAfterMs }),
);

test.each([
	['https://other.example/login?session=secret', 'https://other.example', false],
	['//other.example:8080/', 'https://other.example:8080', false],
	[`${BASE.replace('https', 'http')}/`, 'http://app.example.com', false],
	[`${BASE}/login?session=secret#top`, '/login', false],
	['../runs/', '/api/public/v1/prospector/runs/', false],
	['https://other.example/v2/api/public/v1/prospector/runs/run_1?a=b', 'https://other.example', true],
	[`${BASE}/api/public/v1/prospector/runs/run_1/`, '/api/public/v1/prospector/runs/run_1/', true],
	[['https://a.example'], undefined],
	['file:///etc/hosts', undefined],
	['http://[', undefined],
])('parseResponse keeps only the origin or path of a redirect to %j', (...row: unknown[]) => {
	const [location, redirectTarget, isSame] = row;
	const kind = isSame === false ? 'intermediary' : 'status';
	const reply = refusal('', { location }, 302) as StatusFailure;
	expect([reply.kind, reply.redirectTarget, reply.isSameResource]).toEqual([kind, redirectTarget, isSame]);
	expect(refusal('', { location }, 400)).not.toHaveProperty('redirectTarget');
});
