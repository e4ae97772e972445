import type { IDataObject, INode } from 'n8n-workflow';
import { byId } from '../nodes';
import { startEnvironment, type Environment } from './environment';
import {
	fetchDirectly,
	findOperation,
	inputFor,
	operationsByTitle,
	parametersFor,
	type Row,
} from './everyOperation';

let env: Environment;
beforeAll(async () => (env = await startEnvironment()));
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

const DERIVED_KEY = expect.stringMatching(/^n8n-[0-9a-f]{32}$/) as string;
const itemIndexOf = ({ pairedItem }: { pairedItem?: unknown }) => (pairedItem as { item: number }).item;
const keysOf = (json: IDataObject) => Object.keys(json).sort();

/** The resources that an operation must return, read from the service itself. */
async function expectedResources(row: Row, id: string, items: IDataObject[]) {
	const created = row.operation === 'run' ? '/prospector/runs/' : '/prospector/workflows/';
	const path = row.keyed ? created + String(items[0]?.id) : row.path.replace('ID', id);
	return [(await fetchDirectly(env, path)).data].flat();
}

describe.each(operationsByTitle)('%s', (_, row) => {
	test('sends one documented request and returns its resources with the request ID', async () => {
		const [input] = inputFor(env, row, 1);
		const isDeletion = row.operation === 'delete';
		const before = isDeletion ? await expectedResources(row, input.id, []) : [];
		env.resetService();
		const items = await env.getItems(parametersFor(row), [input]);
		const journal = env.journal();
		expect(journal).toEqual([
			expect.objectContaining({
				method: row.method,
				path: `/api/public/v1${row.path.replace('ID', input.id)}`,
				operation: row.calls,
				query: {},
				keyName: 'full',
				body: row.body ? { name: 'Name 1' } : null,
				contentType: row.body ? 'application/json' : null,
				idempotencyKey: row.keyed ? DERIVED_KEY : null,
				status: 200,
			}),
		]);
		const returned = items.map(({ json }) => json);
		const resources = isDeletion ? before : await expectedResources(row, input.id, returned);
		expect(resources.length).toBeGreaterThan(0);
		expect(items).toEqual(
			resources.map((resource) => ({
				json: {
					...resource,
					...(row.keyed && { idempotency_key: DERIVED_KEY }),
					...(isDeletion && { deleted: true, updated_at: expect.any(String) }),
					request_id: journal[0].requestId,
				},
				pairedItem: { item: 0 },
			})),
		);
	});

	test('sends the values of each input item and returns items in input order', async () => {
		const input = inputFor(env, row, 3);
		env.resetService();
		const items = await env.getItems(parametersFor(row), input);
		const journal = env.journal();
		const paths = input.map(({ id }) => `/api/public/v1${row.path.replace('ID', id)}`);
		expect(journal.map(({ path }) => path)).toEqual(paths);
		if (row.body) expect(journal.map(({ body }) => body)).toEqual(input.map(({ name }) => ({ name })));
		if (row.keyed) expect(new Set(journal.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);

		const order = journal.map(({ requestId }) => requestId);
		const origins = items.map(({ json }) => order.indexOf(json.request_id as string));
		expect(items.map(itemIndexOf)).toEqual(origins);
		expect([...new Set(origins)]).toEqual([0, 1, 2]);
		expect(origins).toEqual([...origins].sort());
	});

	test('returns a field named error as error_details, because n8n reads error as a failed item', async () => {
		const failed = { error: { code: 'out_of_credits' } };
		const extraFields = { config: failed, workflow: failed, run: failed, result: failed, me: failed };
		env.control.patchSettings({ extraFields });
		const input = inputFor(env, row, 1);
		const ended = await env.runNode(parametersFor(row), input, { onError: 'continueErrorOutput' });
		env.control.patchSettings({ extraFields: {} });
		const [regular, errors] = ended.data.resultData.runData.Prospector[0].data?.main ?? [];
		expect(errors).toEqual([]);
		expect(regular?.length).toBeGreaterThan(0);
		for (const { json } of regular ?? []) {
			expect(json).toMatchObject({ error_details: { code: 'out_of_credits' } });
			expect(json).not.toHaveProperty('error');
		}
	});

	/** Executes three input items while the service rejects the second with a status that is never retried. */
	async function failSecond(onError: INode['onError']) {
		const input = inputFor(env, row, 3);
		env.resetService({ kind: 'status', status: 404, skip: 1 });
		// Sequential, so that the second request belongs to the second item.
		const options = row.method === 'GET' ? { maxConcurrentRequests: 1 } : {};
		const ended = await env.runNode(parametersFor(row, undefined, { options }), input, { onError });
		const [regular, errors] = ended.data.resultData.runData.Prospector[0].data?.main ?? [];
		return { ended, journal: env.journal(), regular: regular ?? [], errors: errors ?? [] };
	}

	test('returns the error in place of a failed item and continues when On Error is Continue', async () => {
		const { journal, regular, errors } = await failSecond('continueRegularOutput');
		expect(journal).toHaveLength(3);
		expect(errors).toEqual([]);
		expect(regular.map(itemIndexOf)).toEqual(regular.map(itemIndexOf).sort());
		const ofItem = (index: number) => regular.filter((item) => itemIndexOf(item) === index);
		const error = expect.stringContaining(`(request ${journal[1].requestId})`) as string;
		expect(ofItem(1)).toEqual([{ json: { error }, pairedItem: { item: 1 } }]);
		for (const index of [0, 2]) {
			expect(ofItem(index).length).toBeGreaterThan(0);
			for (const { json } of ofItem(index)) expect(json.request_id).toBe(journal[index].requestId);
		}
	});

	test('sends failed items to the error output when On Error is Continue (using error output)', async () => {
		const { journal, regular, errors } = await failSecond('continueErrorOutput');
		const requestIds = new Set(regular.map(({ json }) => json.request_id));
		expect([...requestIds]).toEqual([journal[0].requestId, journal[2].requestId]);
		expect([...new Set(regular.map(itemIndexOf))]).toEqual([0, 2]);
		expect(errors.map(({ json }) => json)).toEqual([{ error: expect.any(String) }]);
		expect(itemIndexOf(errors[0])).toBe(1);
	});

	test('sends no request after a failed item when On Error is Stop Workflow', async () => {
		const { ended, journal } = await failSecond('stopWorkflow');
		expect(journal).toHaveLength(2);
		expect(ended.status).toBe('error');
		expect(ended.data.resultData.error?.message).toMatch(/ \[Item 1\]$/);
		expect(ended.data.resultData.error).toHaveProperty('context.itemIndex', 1);
	});
});

test('an invalid credential fails each item and sends nothing', async () => {
	await env.addCredential('without key', { apiKey: ' ' });
	const parameters = { resource: 'config', operation: 'get' };
	const ended = await env.runNode(parameters, [{}, {}], { onError: 'continueErrorOutput' }, 'without key');
	const error = expect.stringMatching(/^The credential has no 'API Key' \[Item \d\]\. Paste/) as string;
	expect(ended.data.resultData.runData.Prospector[0].data?.main).toEqual([
		[],
		[0, 1].map((item) => ({ json: { error }, pairedItem: { item } })),
	]);
	expect(env.journal()).toEqual([]);
});

test('no input items lead to no requests and no error', async () => {
	const ended = await env.runNode({ resource: 'config', operation: 'get' }, []);
	expect(ended.data.resultData.error).toBeUndefined();
	expect(env.journal()).toEqual([]);
});

describe('Simplify', () => {
	const SIMPLIFIED: Record<string, string[]> = {
		config: ['id', 'request_id', 'states', 'timezone'],
		workflow: ['id', 'name', 'request_id', 'status'],
		run: ['created_at', 'id', 'request_id', 'status', 'workflow_id'],
		result: ['company_name', 'id', 'lead_id', 'request_id'],
	};
	const reads = operationsByTitle.filter(([, row]) => row.method === 'GET' && row.resource !== 'identity');

	test.each(reads)('%s returns the documented fields and the request ID', async (_, row) => {
		const input = inputFor(env, row, 2);
		const items = await env.getItems(parametersFor(row, undefined, { simplify: true }), input);
		expect(items.length).toBeGreaterThan(0);
		for (const { json } of items) expect(keysOf(json)).toEqual(SIMPLIFIED[row.resource]);
		const full = await env.getItems(parametersFor(row), input);
		expect(items.map(itemIndexOf)).toEqual(full.map(itemIndexOf));
	});

	test('returns results with the fields of their run when Workflow › Run waits for them', async () => {
		const parameters = {
			...{ resource: 'workflow', operation: 'run', workflowId: byId('={{ $json.id }}'), simplify: true },
			...{ waitForCompletion: true, options: { returnResults: true } },
		};
		const [{ json }] = await env.getItems(parameters, inputFor(env, findOperation('Workflow › run'), 1));
		const ofRun = ['idempotency_key', 'run_id', 'run_request_id', 'run_status'];
		expect(keysOf(json)).toEqual([...SIMPLIFIED.result, ...ofRun].sort());
	});

	test('leaves a failed item unchanged', async () => {
		const row = findOperation('Run › get');
		const input = [{ id: 'nope' }, ...inputFor(env, row, 1)];
		const parameters = parametersFor(row, undefined, { simplify: true });
		const items = await env.getItems(parameters, input, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => keysOf(json))).toEqual([['error'], SIMPLIFIED.run]);
	});
});

describe('n8n’s HTTP helper', () => {
	const identity = parametersFor(findOperation('Identity › get'));

	test.each(['https://evil.example/?a=1&b=2#c', '//evil.example', 'ü & x=1+2%20'])(
		'sends the cursor %j as a query value and never as an address',
		async (startCursor) => {
			const parameters = parametersFor(findOperation('Workflow › getAll'), '', { options: { startCursor } });
			// The sandbox rejects a cursor that it never returned.
			expect((await env.getError(parameters)).httpCode).toBe('400');
			expect(env.journal().map(({ query }) => query)).toEqual([{ cursor: startCursor }]);
		},
	);

	test('returns data that has another content type than JSON', async () => {
		const body = JSON.stringify({ data: { id: 'me_1' }, request_id: 'req_1' });
		env.resetService({ kind: 'notJson', body });
		const items = await env.getItems(identity);
		expect(items.map(({ json }) => json)).toEqual([{ id: 'me_1', request_id: 'req_1' }]);
	});

	test.each(['', '/', '//', '/api/public/v1/', '/api/public/v1/me'])(
		'reaches the service when the Base URL ends with %j and the credential has white space',
		async (end) => {
			const { baseUrl, keys } = env.sandbox;
			await env.addCredential('pasted', { baseUrl: ` ${baseUrl}${end} `, apiKey: `\n ${keys.full}\t` });
			expect(await env.getItems(identity, [{}], {}, 'pasted')).toHaveLength(1);
			expect(env.journal()).toMatchObject([{ path: '/api/public/v1/me', keyName: 'full', status: 200 }]);
		},
	);
});

describe('The request body', () => {
	const create = (rest: IDataObject) => ({ resource: 'workflow', operation: 'create', ...rest });
	const fields = (value: unknown, mappingMode = 'defineBelow') =>
		create({ enterValues: 'fields', fields: { mappingMode, value } as IDataObject });
	const withAdded = (field: IDataObject[], rest: IDataObject) => ({ ...rest, otherFields: { field } });
	const json = (jsonBody: unknown) => create({ enterValues: 'json', jsonBody } as IDataObject);

	const object = { name: 'Textiles, Lyon', depth: { pages: 2 } };
	const typedFields = [
		{ name: 'tags', type: 'asGiven', value: '={{ $json.tags }}' },
		{ name: 'zip', type: 'string', value: '={{ $json.zip }}' },
		{ name: 'max', type: 'number', value: '20' },
		{ name: 'live', type: 'boolean', value: 'true' },
		{ name: 'depth', type: 'object', value: '{ "pages": 2 }' },
		{ name: 'note', type: 'null' },
		{ name: 'gone', type: 'asGiven', value: '={{ $json.gone }}' },
	];
	const outputOfThisNode = {
		...{ id: 'wf_1', object: 'x', created_at: 'x', updated_at: 'x', request_id: 'x' },
		...{ idempotency_key: 'x', deleted: true, name: 'Copy', note: null },
	};

	test.each<[string, IDataObject, IDataObject, IDataObject]>([
		[
			'fields with expressions',
			fields({ name: '={{ $json.title }}', tags: '={{ $json.tags }}', priority: 3, status: null }),
			{ title: 'Fair', tags: ['a'] },
			{ name: 'Fair', tags: ['a'], priority: 3 },
		],
		['fields that were never edited', create({}), { name: 'ignored' }, {}],
		[
			'an item of this node, mapped automatically',
			fields(null, 'autoMapInputData'),
			outputOfThisNode,
			{ name: 'Copy' },
		],
		[
			'additional fields of every type',
			withAdded(typedFields, fields({ name: 'Fair' })),
			{ tags: ['a'], zip: 8010 },
			{ name: 'Fair', tags: ['a'], zip: '8010', max: 20, live: true, depth: { pages: 2 }, note: null },
		],
		[
			'JSON text with an expression',
			json('={ "name": "{{ $json.title }}" }'),
			{ title: 'Fair' },
			{ name: 'Fair' },
		],
		['an expression that returns an object', json('={{ $json }}'), object, object],
		['an expression that returns JSON text', json('={{ JSON.stringify($json) }}'), object, object],
		// n8n's HTTP helper would send no body.
		['an expression that returns an empty object', json('={{ {} }}'), {}, {}],
		['characters beyond ASCII', json('{ "name": "Zürich – 東京 🏔" }'), {}, { name: 'Zürich – 東京 🏔' }],
	])('of Create is a JSON object when it is built from %s', async (_, parameters, input, body) => {
		const [item] = await env.getItems(parameters, [input]);
		expect(env.journal()).toEqual([
			expect.objectContaining({ body, contentType: 'application/json', status: 200, committed: true }),
		]);
		const { data } = await fetchDirectly(env, `/prospector/workflows/${String(item.json.id)}`);
		expect(data).toMatchObject({ name: 'Untitled workflow', ...body });
	});

	test.each<[IDataObject, IDataObject]>([
		[
			{ fields: { mappingMode: 'defineBelow', value: { status: 'paused', name: null } } },
			{ status: 'paused' },
		],
		[{ enterValues: 'json', jsonBody: '{ "note": null }' }, { note: null }],
		[{ enterValues: 'json', jsonBody: '{}' }, {}],
	])('of Update has only the fields that are set: %j', async (rest, body) => {
		const row = findOperation('Workflow › update');
		const [{ id }] = inputFor(env, row, 1);
		const { data: before } = await fetchDirectly(env, `/prospector/workflows/${id}`);
		env.resetService();
		const parameters = { resource: 'workflow', operation: 'update', workflowId: byId(id), ...rest };
		const [item] = await env.getItems(parameters);
		expect(env.journal()).toMatchObject([{ body, contentType: 'application/json', idempotencyKey: null }]);
		expect(item.json).toMatchObject({ ...before, ...body, updated_at: expect.any(String) });
	});
});
