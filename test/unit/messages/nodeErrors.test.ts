import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { apiError, inputError } from '../../../nodes/Prospector/messages/nodeErrors';
import { endpoints } from '../../../nodes/Prospector/transport/request/endpoints';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import { isFailure, parseResponse } from '../../../nodes/Prospector/transport/request/response';
import { calls, everyFailure, status } from '../helpers/everyFailure';
import { CONNECTION, httpResponse, KEY, NODE } from '../helpers/support';

const { redact } = CONNECTION;
const READ = calls['a read'];

describe('the exception for a request', () => {
	test.each(everyFailure.map((failure) => [JSON.stringify(failure), failure] as const))(
		'that ended in %s has our words and no other',
		(_, failure) => {
			const error = apiError(NODE, failure, READ, redact);
			expect(error).toBeInstanceOf(NodeApiError);
			expect({ message: error.message, description: error.description }).toEqual(
				describeFailure(failure, READ),
			);
			expect(error.messages).toEqual([]);
		},
	);

	test.each([401, 404, 409, 429, 503])('that was refused with %i has that httpCode', (code) => {
		expect(apiError(NODE, status(code), READ, redact).httpCode).toBe(String(code));
	});

	test('that got no answer has no httpCode', () => {
		expect(apiError(NODE, { kind: 'timeout' }, READ, redact).httpCode).toBeNull();
	});

	test.each(['EPERM-1', 'ENOENT', 'lead-ECONNREFUSED', 'getaddrinfo', 'EACCES'])(
		'keeps its message although the id %s looks like a code that n8n explains',
		(id) => {
			const call = { endpoint: endpoints.getRun, ids: { run_id: id } };
			expect(apiError(NODE, status(404), call, redact).message).toBe(`The run '${id}' was not found`);
		},
	);

	test.each(['canceled', 'leads-canceled-2025'])(
		'does not make n8n take the execution for a stopped one because of the id %s',
		(id) => {
			const call = { endpoint: endpoints.getRun, ids: { run_id: id } };
			expect(apiError(NODE, status(404), call, redact).message).not.toContain('canceled');
		},
	);

	test('never shows the API key, whoever quoted it', () => {
		const call = { endpoint: endpoints.getRun, ids: { run_id: `${KEY}-${KEY}` } };
		const failure = status(404, { serverMessage: `Key ${KEY} is unknown`, requestId: KEY });
		const { message, description, ...rest } = apiError(NODE, failure, call, redact);
		expect(message).toBe("The run '[API key]-[API key]' was not found (request [API key])");
		expect(description).toContain('The service said: "Key [API key] is unknown"');
		expect(JSON.stringify(rest)).not.toContain(KEY);
	});

	test.each([
		['on one line', ' No\r\n\tsuch\u0000run ', 'No such run'],
		['without markup', '<p class="a">No such <b>run</b></p>', 'No such run'],
		['up to 300 characters', 'x'.repeat(900), `${'x'.repeat(299)}…`],
	])('quotes the service %s', (_, said, quoted) => {
		const { description } = apiError(NODE, status(422, { serverMessage: said }), READ, redact);
		expect(description).toContain(` The service said: "${quoted}"`);
	});

	test('has at most 2,000 characters whatever the service sends', () => {
		const long = 'x'.repeat(5_000_000);
		const call = { ...READ, ids: { run_id: long } };
		const failure = status(404, { serverMessage: long, requestId: long, location: `https://${long}` });
		const { message, description } = apiError(NODE, failure, call, redact);
		expect(message.length + String(description).length).toBeLessThanOrEqual(2000);
	});

	test.each([
		['at the end of a long text', 'x'.repeat(295) + KEY],
		['after a flood of control characters', '\n'.repeat(1995) + KEY],
	])('shows no part of an API key that the service quotes %s', (_, said) => {
		const failure = parseResponse(READ.endpoint, httpResponse(400, said));
		if (!isFailure(failure)) throw new Error('A refusal was expected');
		const { description } = apiError(NODE, failure, READ, redact);
		expect(description).not.toContain(KEY.slice(0, 5));
	});
});

describe('the exception for something to mend', () => {
	test.each(['EPERM', 'ENOENT-1', 'plain'])('keeps its words with %s in them', (word) => {
		const problem = { message: `'Workflow' got ${word}`, description: `Use ${word}` };
		const error = inputError(NODE, problem);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect({ message: error.message, description: error.description }).toEqual(problem);
		expect(error.messages).toEqual([]);
	});

	test('keeps a description that equals its message', () => {
		expect(inputError(NODE, { message: 'Same', description: 'Same' }).description).toBe('Same');
	});
});
