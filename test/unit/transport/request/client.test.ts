import type { IHttpRequestOptions } from 'n8n-workflow';
import { createClient, toHttpOptions } from '../../../../nodes/Prospector/transport/request/client';
import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import type { ApiRequest } from '../../../../nodes/Prospector/transport/failure/failure';
import type { HttpResponse } from '../../../../nodes/Prospector/transport/request/response';
import { callsByEndpoint } from '../../helpers/everyFailure';
import { CONNECTION, httpResponse, KEY, NODE, itemResponse, expectError } from '../../helpers/support';

const request = (call: Partial<ApiRequest>) =>
	toHttpOptions(CONNECTION, { endpoint: endpoints.createWorkflow, ...call }, 5000);

describe('a request', () => {
	test.each(callsByEndpoint)('to %s follows no redirect and leaves every status to us', (_, call) => {
		expect(toHttpOptions(CONNECTION, call, 5000)).toMatchObject({
			method: call.endpoint.method,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			json: true,
			timeout: 5000,
		});
	});

	test.each(callsByEndpoint)('to %s does not hold the API key, which n8n adds', (_, call) => {
		expect(JSON.stringify(toHttpOptions(CONNECTION, call, 5000))).not.toContain(KEY);
	});

	test('goes to the path below the base URL', () => {
		const connection = { ...CONNECTION, baseUrl: 'https://app.example.com/tenant' };
		const call = { endpoint: endpoints.getRun, ids: { run_id: 'run/1' } };
		const expected = 'https://app.example.com/tenant/api/public/v1/prospector/runs/run%2F1';
		expect(toHttpOptions(connection, call, 1).url).toBe(expected);
	});

	test.each([
		[{}, '{}'],
		[{ name: 'a', tags: [1, null] }, '{"name":"a","tags":[1,null]}'],
		[JSON.parse('{"__proto__":{"a":1}}') as object, '{"__proto__":{"a":1}}'],
	])('sends the body %j as JSON text with its content type', (body, text) => {
		const { body: sent, headers } = request({ body });
		expect(sent).toBe(text);
		expect(headers).toEqual({ 'Content-Type': 'application/json' });
	});

	test('without a body has no content type', () => {
		const options = request({ endpoint: endpoints.runWorkflow, ids: { workflow_id: 'wf_1' } });
		expect(options).not.toHaveProperty('body');
		expect(options.headers).toEqual({});
	});

	test.each([
		[{ cursor: undefined, limit: undefined }, {}],
		[{ cursor: 'a&b=c', limit: undefined }, { cursor: 'a&b=c' }],
		[
			{ cursor: '', limit: 0 },
			{ cursor: '', limit: 0 },
		],
		[undefined, {}],
	])('with the query %j sends %j', (query, qs) => {
		const sent = request({ endpoint: endpoints.listWorkflows, query }).qs;
		expect(sent).toEqual(qs);
		expect(Object.keys(sent as object)).toEqual(Object.keys(qs));
	});

	test.each(callsByEndpoint)('to %s sends an idempotency key only where it is taken', (name, call) => {
		const { headers } = toHttpOptions(CONNECTION, { ...call, idempotencyKey: 'key-1' }, 1);
		const takes = name === 'createWorkflow' || name === 'runWorkflow';
		expect(headers?.['Idempotency-Key']).toBe(takes ? 'key-1' : undefined);
		expect(Object.keys(headers ?? {}).includes('Idempotency-Key')).toBe(takes);
	});

	test.each([undefined, ''])('leaves out the idempotency key %j', (idempotencyKey) => {
		expect(request({ idempotencyKey }).headers).toEqual({});
	});
});

describe('a client', () => {
	const clientThat = (send: () => Promise<HttpResponse>) =>
		createClient({ node: NODE, connection: CONNECTION, send, timeout: 1, maxWait: 0 });
	const call = { endpoint: endpoints.getRun, ids: { run_id: 'run_1' } };

	test('gives what the envelope holds', async () => {
		expect(await clientThat(async () => itemResponse({ id: 'run_1' })).request(call)).toEqual({
			data: [{ id: 'run_1' }],
			requestId: 'req_1',
		});
	});

	test.each<[string, () => Promise<HttpResponse>, string]>([
		['a refusal', async () => httpResponse(404, ''), "The run 'run_1' was not found"],
		['no envelope', async () => httpResponse(200, ''), 'The address answered with nothing'],
		[
			'no answer',
			async () => await Promise.reject({ code: 'EPIPE' }),
			'The connection ended before the service answered',
		],
	])('explains %s', async (_, send, words) => {
		expect((await expectError(async () => await clientThat(send).request(call))).message).toContain(words);
	});

	test.each([
		[undefined, 1000],
		[400, 400],
		[5000, 1000],
	])('with 1000 ms per request, and a call of %j ms, waits %i ms', async (ofCall, expected) => {
		const given: unknown[] = [];
		const send = async ({ timeout }: IHttpRequestOptions) => {
			given.push(timeout);
			return itemResponse({ id: 'run_1' });
		};
		const client = createClient({ node: NODE, connection: CONNECTION, send, timeout: 1000, maxWait: 0 });
		await client.request({ ...call, timeout: ofCall });
		expect(given).toEqual([expected]);
	});

	test('keeps the API key out of what it throws', async () => {
		const send = async () => httpResponse(400, { message: `Bad key ${KEY}` }, { 'x-request-id': KEY });
		const error = await expectError(async () => await clientThat(send).request(call));
		expect(error.message + error.description).not.toContain(KEY);
		expect(error.description).toContain('Bad key [API key]');
	});
});
