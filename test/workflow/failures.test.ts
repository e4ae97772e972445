import type { IDataObject } from 'n8n-workflow';
import type { ErrorBody, ErrorRequestId } from '../../sandbox/settings';
import type { FaultRule, JournalEntry } from '../../sandbox/types';
import { byId } from '../nodes';
import { agentWithTool, startEnvironment, type Environment } from './environment';
import { findOperation, inputFor, operationsByTitle, parametersFor, type Row } from './everyOperation';
import { agent } from './fixtures';

let env: Environment;
beforeAll(async () => {
	env = await startEnvironment();
	env.nodeTypes.add('test.agent', agent);
	const { secret } = env.control.createKey({ name: 'without_scopes', scopes: [] });
	await env.addCredential('withoutScopes', { apiKey: secret });
	await env.addCredential('unknown', { apiKey: 'prospector_sandbox_full_000000000000000000000000' });
});
afterEach(() => env.control.patchSettings({ errorBody: 'object', errorRequestId: 'body', limit: 100_000 }));
afterAll(async () => await env.close());

interface Rejection {
	status: number;
	key?: string;
	fault?: FaultRule;
	/** ID in the request; by default one that exists. */
	id?: string;
	message: (row: Row, entry: JournalEntry) => string;
	description: (row: Row, entry: JournalEntry) => string;
}

const withStatus = (status: number, rest: Partial<FaultRule> = {}): Pick<Rejection, 'status' | 'fault'> => ({
	status,
	fault: { kind: 'status', status, ...rest },
});
const forbidden = (row: Row) => `This API key may not ${row.purpose}`;
const invalidKey = {
	status: 401,
	message: () => 'The API key was not accepted',
	description: () => "Put a current key into 'API Key' of the credential",
};

function adviceAfterUnknownOutcome({ method, keyed }: Row, { idempotencyKey }: JournalEntry): string {
	if (method === 'GET') return 'Nothing was changed, so it is safe to retry';
	if (keyed) return `set 'Idempotency Key' under Options to '${idempotencyKey}'`;
	return 'look at the Prospector workflow before you retry';
}

const rejections: Record<string, Rejection> = {
	'a revoked API key': { ...invalidKey, key: 'revoked' },
	'an expired API key': { ...invalidKey, key: 'expired' },
	'an unknown API key': { ...invalidKey, key: 'unknown' },
	'an API key without the scope': {
		status: 403,
		key: 'withoutScopes',
		message: forbidden,
		description: ({ scope }) => `the scope '${scope}'`,
	},
	'a conflict': {
		...withStatus(409),
		message: ({ keyed }, { idempotencyKey }) =>
			keyed
				? `The idempotency key '${idempotencyKey}' was already used with a different payload`
				: 'The service reported a conflict with its present state',
		description: () => '',
	},
	'the rate limit': {
		...withStatus(429),
		message: () => "The API key's requests for this minute are used up",
		description: () => 'Wait a minute and retry',
	},
	'an internal error': {
		...withStatus(500),
		message: () => 'The service had trouble with the request: status 500',
		description: adviceAfterUnknownOutcome,
	},
	'a redirect': {
		status: 307,
		fault: { kind: 'redirect', status: 307, location: 'https://sso.example/login?ticket=secret' },
		message: () =>
			"'Base URL' of the credential leads to a redirect to https://sso.example, which is not followed",
		description: () => '',
	},
};

/** Executes an operation whose only request is rejected. */
async function reject(row: Row, { status, key = 'full', fault, id, message, description }: Rejection) {
	const [input] = inputFor(env, row, 1);
	env.resetService(...(fault ? [fault] : []));
	const error = await env.getError(parametersFor(row), [{ ...input, ...(id && { id }) }], key);
	const journal = env.journal();
	expect(journal).toEqual([expect.objectContaining({ operation: row.calls, status, committed: false })]);
	expect(error.httpCode).toBe(String(status));
	expect(error.context.itemIndex).toBe(0);
	expect(error.messages).toEqual([]);
	const [entry] = journal;
	const end = fault?.kind === 'redirect' ? '' : ` (request ${entry.requestId})`;
	expect(error.message).toBe(message(row, entry) + end);
	expect(error.description).toContain(description(row, entry));
	expect(error.description).not.toContain('ticket');
}

describe.each(operationsByTitle)('%s', (_, row) => {
	test.each(Object.keys(rejections))('explains a rejection because of %s', async (title) => {
		await reject(row, rejections[title]);
	});

	test('explains that the ID, or the address if there is no ID, was not found', async () => {
		const thing = row.id === 'runId' ? 'run' : 'Prospector workflow';
		await reject(row, {
			...(row.id ? { status: 404, id: 'missing' } : withStatus(404)),
			message: () =>
				row.id
					? `The ${thing} 'missing' was not found`
					: `Nothing was found below 'Base URL' at '/api/public/v1${row.path}'`,
			description: () => (row.id ? '' : "'Base URL' of the credential"),
		});
	});

	test('is allowed for a read-only membership exactly if it changes nothing', async () => {
		const key = 'readOnlyMembership';
		if (row.method === 'GET') {
			const items = await env.getItems(parametersFor(row), inputFor(env, row, 1), {}, key);
			expect(items.length).toBeGreaterThan(0);
		} else {
			const description = () => 'the membership that issued it must not be read-only';
			await reject(row, { status: 403, key, message: forbidden, description });
		}
	});
});

async function failWith(row: Row, fault: FaultRule, options: IDataObject = {}) {
	const input = inputFor(env, row, 1);
	env.resetService({ times: 0, ...fault });
	const { message, description } = await env.getError(parametersFor(row, undefined, { options }), input);
	return { message: message.replace(/ \(request \S+\)$/, ''), description, entry: env.journal()[0] };
}

const noResponse = 'The connection ended before the service answered';
const instead = (received: string) => `The address answered with ${received} instead of Prospector data`;

describe('A failure that n8n’s HTTP helper reports', () => {
	test.each<[string, FaultRule, string]>([
		['a connection that is closed before the operation', { kind: 'drop', when: 'before' }, noResponse],
		['a connection that is closed after the operation', { kind: 'drop', when: 'after' }, noResponse],
		['a reset connection', { kind: 'reset' }, noResponse],
		['a truncated response', { kind: 'cutBody' }, "The service's answer broke off half-way"],
		['a web page', { kind: 'notJson' }, instead('a web page')],
		['plain text', { kind: 'notJson', body: 'OK' }, instead('plain text')],
		['an empty body', { kind: 'notJson', body: '' }, instead('nothing')],
		[
			'malformed JSON',
			{ kind: 'notEnvelope', body: '{"data":{"id":"wf_' },
			instead('JSON that breaks off or is malformed'),
		],
		['JSON without data', { kind: 'notEnvelope' }, instead("JSON without 'data' that is an object")],
		['a JSON list', { kind: 'notEnvelope', body: [] }, instead('a JSON list')],
		[
			'JSON without a request ID',
			{ kind: 'notEnvelope', body: { data: {} } },
			instead("JSON without a 'request_id'"),
		],
	])('is explained, and retrying a read is called safe: %s', async (_, fault, expected) => {
		const { message, description } = await failWith(findOperation('Workflow › get'), fault);
		expect(message).toBe(expected);
		expect(description).toContain('Nothing was changed, so it is safe to retry');
	});

	test('is explained after Request Timeout when the service never responds', async () => {
		const fault: FaultRule = { kind: 'hang' };
		const options = { requestTimeout: 1 };
		const { message, description } = await failWith(findOperation('Workflow › get'), fault, options);
		expect(message).toBe('The service did not answer in time');
		expect(description).toContain("raise 'Request Timeout'");
	});

	test('is reported as an unreachable service when nothing listens on the port', async () => {
		const closed = await startEnvironment();
		await closed.close();
		const error = await closed.getError(parametersFor(findOperation('Workflow › run'), 'wf_1'));
		expect(error.message).toBe('The service could not be reached');
		expect(error.description).toMatch(/^Nothing was sent \(ECONNREFUSED\)\. Check 'Base URL'/);
	});
});

const shapes = (['object', 'text', 'empty'] as ErrorBody[]).flatMap((errorBody) =>
	(['body', 'header', 'none'] as ErrorRequestId[]).map((errorRequestId) => ({ errorBody, errorRequestId })),
);

test.each(shapes)(
	'the message has the request ID of an error with the body $errorBody if it was sent: $errorRequestId',
	async ({ errorBody, errorRequestId }) => {
		env.control.patchSettings({ errorBody, errorRequestId });
		const isSent = errorRequestId === 'header' || (errorBody === 'object' && errorRequestId === 'body');
		for (const status of [404, 500]) {
			env.resetService({ kind: 'status', status });
			const { message, description } = await env.getError(
				parametersFor(findOperation('Workflow › get'), 'wf_1'),
			);
			const [{ requestId }] = env.journal();
			expect(message.endsWith(`(request ${requestId})`)).toBe(isSent);
			expect(message.includes('(request')).toBe(isSent);
			expect(description?.includes('The service said: "')).toBe(errorBody !== 'empty');
		}
	},
);

test('a 400 quotes the service and points to the fields', async () => {
	env.resetService();
	const parameters = {
		resource: 'workflow',
		operation: 'create',
		enterValues: 'json',
		jsonBody: '{"name":7}',
	};
	const error = await env.getError(parameters);
	expect(error.message).toMatch(/^The service did not accept the request: status 400 \(request req_\w+\)$/);
	expect(error.description).toContain("Check the values in 'Fields' or 'JSON'");
	expect(error.description).toContain('The service said: "');
});

test.each(['EPERM', 'ECONNREFUSED', 'ETIMEDOUT', '404'])(
	'n8n does not replace the message when the ID %s looks like an error code',
	async (id) => {
		const { message } = await env.getError(parametersFor(findOperation('Run › get'), id));
		expect(message).toMatch(new RegExp(`^The run '${id}' was not found \\(request req_\\w+\\)$`));
	},
);

test('n8n shows a failed execution, not a stopped one, when the ID contains "canceled"', async () => {
	const ended = await env.runNode(parametersFor(findOperation('Run › get'), 'canceled'));
	expect(ended.data.resultData.error?.message).toContain('was not found');
	expect(ended.status).toBe('error');
});

/** AI Agent nodes before version 3 call their tools themselves and show the message of what these throw. */
test('an agent that calls its tools itself gets the advice once', async () => {
	const parameters = { resource: 'workflow', operation: 'get', workflowId: byId('Freight') };
	const ended = await env.run(agentWithTool(env.prospector(parameters)));
	const { message = '' } = ended.data.resultData.error ?? {};
	expect(message).toContain("The Prospector workflow 'Freight' was not found (request req_");
	expect(message.split('Workflow › Get Many returns')).toHaveLength(2);
});

const workflow = { resource: 'workflow' };
const create = (rest: IDataObject) => ({ ...workflow, operation: 'create', ...rest });
const json = (jsonBody: unknown) => create({ enterValues: 'json', jsonBody } as IDataObject);
const start = (rest: IDataObject, id: unknown = 'wf_1') => ({
	...{ ...workflow, operation: 'run', workflowId: byId(id) },
	...rest,
});
const wait = (options: IDataObject) => ({ waitForCompletion: true, options });
const waitForRun = (options: IDataObject) => ({
	...{ resource: 'run', operation: 'get', runId: byId('run_1') },
	...wait(options),
});
const list = (rest: IDataObject) => ({ ...workflow, operation: 'getAll', returnAll: false, ...rest });
const key = (idempotencyKey: string) => start({ options: { preventDuplicates: 'key', idempotencyKey } });

test.each<[string, IDataObject, string]>([
	['Limit', list({ limit: '={{ "many" }}' }), "'Limit' must be a whole number"],
	['Page Size', list({ options: { pageSize: 0 } }), "'Page Size' must be a whole number"],
	[
		'Start Cursor',
		list({ options: { startCursor: '={{ ({ next: 1 }) }}' } }),
		"'Start Cursor' is not a cursor",
	],
	[
		'Max Concurrent Requests',
		list({ options: { maxConcurrentRequests: 101 } }),
		"'Max Concurrent Requests' must be a whole number",
	],
	['Max Wait of Workflow › Run', start(wait({ retryFor: 0 })), "'Retry For (Seconds)'"],
	['Max Wait of Run › Get', waitForRun({ retryFor: 'soon' }), "'Retry For (Seconds)'"],
	['Finished Statuses', waitForRun({ finishedStatuses: [' '] }), "'Finished Statuses' is empty"],
	['Simplify', start({ simplify: 'maybe' }), "'Simplify' is neither true nor false"],
	[
		'Fields to Return',
		start({ options: { outputFields: { name: true } } }),
		"'Fields to Return' is not a list of words",
	],
	['an empty Idempotency Key', key('   '), "'Idempotency Key' is empty"],
	['an Idempotency Key that no header can hold', key('line\nbreak'), "'Idempotency Key'"],
	[
		'an ID that is a web address',
		start({}, "={{ 'https://x.example/wf_1' }}"),
		'got a web address instead of an ID',
	],
	['an ID that is undefined', start({}, '={{ $json.gone }}'), "'Workflow' is empty"],
	['an ID that is an object', start({}, '={{ { id: 1, name: 2 } }}'), 'got an object instead of an ID'],
	['an ID that leaves its path segment', start({}, '..'), 'holds something that is not an ID'],
	['a JSON list', json('={{ [$json] }}'), "'JSON' holds a list where an object is expected"],
	['JSON that is null', json('={{ null }}'), "'JSON' holds nothing where an object is expected"],
	['malformed JSON', json('{ "name": "x", }'), "'JSON' is not valid JSON"],
	[
		'an additional field without a name',
		create({ otherFields: { field: [{ value: 'x' }] } }),
		"A field in 'Other Fields' has no name",
	],
	['Fields that are text', create({ fields: 'name' }), "'Fields' is not valid JSON"],
])('an invalid value fails before anything is sent: %s', async (_, parameters, message) => {
	env.resetService();
	const error = await env.getError(parameters);
	expect(error.message).toContain(message);
	expect(error.description).toBeTruthy();
	expect(env.journal()).toEqual([]);
});
