import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import { isFailure, parseResponse } from '../../../../nodes/Prospector/transport/request/response';
import { httpResponse, listResponse, itemResponse } from '../../helpers/support';

const { getRun, listRuns } = endpoints;

describe('an answer that is the contract’s envelope', () => {
	test('of one resource gives it and the request id', () => {
		const reply = parseResponse(getRun, itemResponse({ id: 'run_1' }));
		expect(reply).toEqual({ data: [{ id: 'run_1' }], requestId: 'req_1' });
		expect(isFailure(reply)).toBe(false);
	});

	test.each([
		['more pages', { has_more: true, next_cursor: 'c2' }, { hasMore: true, nextCursor: 'c2' }],
		['no cursor', { has_more: false }, { hasMore: false }],
		['a cursor of null', { has_more: false, next_cursor: null }, { hasMore: false }],
		['an empty cursor', { has_more: true, next_cursor: '' }, { hasMore: true }],
		['a cursor that is not text', { has_more: true, next_cursor: 2 }, { hasMore: true }],
	])('of a list with %s gives its pagination', (_, pagination, expected) => {
		expect(parseResponse(listRuns, listResponse([{ id: 'a' }, { id: 'b' }], pagination))).toEqual({
			data: [{ id: 'a' }, { id: 'b' }],
			requestId: 'req_1',
			pagination: { nextCursor: undefined, ...expected },
		});
	});

	test('of an empty list gives no resources', () => {
		expect(parseResponse(listRuns, listResponse([]))).toMatchObject({ data: [], requestId: 'req_1' });
	});
});

describe('an answer with another 2xx status', () => {
	test.each([201, 202, 203, 299])('such as %i is a success where it is the envelope', (status) => {
		const body = { data: { id: 'run_1' }, request_id: 'req_1' };
		expect(parseResponse(getRun, httpResponse(status, body))).toEqual({
			data: [{ id: 'run_1' }],
			requestId: 'req_1',
		});
	});

	test('and nothing in it is no envelope', () => {
		const reply = parseResponse(getRun, httpResponse(204, '', { 'x-request-id': 'req_9' }));
		expect(reply).toEqual({ kind: 'unexpectedResponse', received: 'nothing', requestId: 'req_9' });
	});
});

describe('an answer with status 200', () => {
	const id = { request_id: 'req_1' };
	test.each([
		['', getRun, 'nothing'],
		[undefined, getRun, 'nothing'],
		[null, getRun, 'nothing'],
		['<!DOCTYPE html><html></html>', getRun, 'a web page'],
		['\n <HTML lang="en">', getRun, 'a web page'],
		['OK', getRun, 'plain text'],
		['{"data": {"id": "ru', getRun, 'JSON that breaks off or is malformed'],
		['[{]', listRuns, 'JSON that breaks off or is malformed'],
		[[], getRun, 'a JSON list'],
		[[{ id: 'run_1' }], listRuns, 'a JSON list'],
		[42, getRun, 'a JSON number'],
		[true, getRun, 'a JSON boolean'],
		[{}, getRun, "JSON without 'data' that is an object"],
		[{ data: null, ...id }, getRun, "JSON without 'data' that is an object"],
		[{ data: [], ...id }, getRun, "JSON without 'data' that is an object"],
		[{ data: 'run_1', ...id }, getRun, "JSON without 'data' that is an object"],
		[{ data: {}, ...id }, listRuns, "JSON without 'data' that is a list of objects"],
		[{ data: ['run_1'], ...id }, listRuns, "JSON without 'data' that is a list of objects"],
		[{ data: [{}, null], ...id }, listRuns, "JSON without 'data' that is a list of objects"],
		[{ data: [[]], ...id }, listRuns, "JSON without 'data' that is a list of objects"],
		[{ data: {} }, getRun, "JSON without a 'request_id'"],
		[{ data: {}, request_id: '' }, getRun, "JSON without a 'request_id'"],
		[{ data: {}, request_id: 7 }, getRun, "JSON without a 'request_id'"],
		[{ data: [], ...id }, listRuns, "a list without 'pagination.has_more'"],
		[{ data: [], pagination: [], ...id }, listRuns, "a list without 'pagination.has_more'"],
		[{ data: [], pagination: {}, ...id }, listRuns, "a list without 'pagination.has_more'"],
		[
			{ data: [], pagination: { has_more: 'false' }, ...id },
			listRuns,
			"a list without 'pagination.has_more'",
		],
	])('and the body %j is no envelope', (body, endpoint, received) => {
		const reply = parseResponse(endpoint, httpResponse(200, body));
		expect(reply).toMatchObject({ kind: 'unexpectedResponse', received });
	});

	test('that is no envelope keeps the request id of its headers', () => {
		const reply = parseResponse(getRun, httpResponse(200, '<html>', { 'x-request-id': 'req_9' }));
		expect(reply).toMatchObject({ kind: 'unexpectedResponse', requestId: 'req_9' });
	});
});
