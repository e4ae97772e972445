import type { IDataObject } from 'n8n-workflow';
import { ask, find, inputFor } from './everyOperation';
import { byId, startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
beforeEach(() => bench.prepare());
afterAll(async () => await bench.close());

const create = (rest: IDataObject) => ({ resource: 'workflow', operation: 'create', ...rest });
const fields = (value: unknown, mappingMode = 'defineBelow') =>
	create({ specifyBody: 'fields', fields: { mappingMode, value } as IDataObject });
const added = (field: IDataObject[], rest: IDataObject) => ({ ...rest, additionalFields: { field } });
const json = (jsonBody: unknown) => create({ specifyBody: 'json', jsonBody } as IDataObject);
const journal = () => bench.sandbox.control.journal();

const text = '{ "name": "Textiles, Lyon", "depth": { "pages": 2 } }';
const object = { name: 'Textiles, Lyon', depth: { pages: 2 } };

it.each<[string, IDataObject, IDataObject, unknown]>([
	[
		'fields with values',
		fields({ name: 'Fair', priority: 3, live: false }),
		{},
		{ name: 'Fair', priority: 3, live: false },
	],
	[
		'fields with expressions',
		fields({ name: '={{ $json.title }}', tags: '={{ $json.tags }}' }),
		{ title: 'Fair', tags: ['a'] },
		{ name: 'Fair', tags: ['a'] },
	],
	['fields that were left empty', fields({ name: 'Fair', status: null }), {}, { name: 'Fair' }],
	['a field with empty text', fields({ name: '' }), {}, { name: '' }],
	['no fields', fields({}), {}, {}],
	['fields that were never touched', create({}), { name: 'not meant' }, {}],
	['fields without a value', fields(null), {}, {}],
	[
		'mapped automatically',
		fields(null, 'autoMapInputData'),
		{ name: 'Fair', tags: ['a'], note: null },
		{ name: 'Fair', tags: ['a'] },
	],
	[
		'mapped automatically from an item of this node',
		fields(null, 'autoMapInputData'),
		{
			...{
				id: 'wf_1',
				object: 'x',
				created_at: 'x',
				updated_at: 'x',
				request_id: 'x',
				idempotency_key: 'x',
				deleted: true,
			},
			name: 'Copy',
		},
		{ name: 'Copy' },
	],
	[
		'fields that were added by hand, of every type',
		added(
			[
				{ name: 'industry', value: 'Logistics' },
				{ name: 'tags', type: 'asGiven', value: '={{ $json.tags }}' },
				{ name: 'zip', type: 'string', value: '={{ $json.zip }}' },
				{ name: 'max', type: 'number', value: '20' },
				{ name: 'live', type: 'boolean', value: 'true' },
				{ name: 'depth', type: 'object', value: '{ "pages": 2 }' },
				{ name: 'places', type: 'array', value: '["Graz"]' },
				{ name: 'note', type: 'null' },
				{ name: 'gone', type: 'asGiven', value: '={{ $json.gone }}' },
				{ name: 'empty', value: '' },
			],
			fields({ name: 'Fair' }),
		),
		{ tags: ['a'], zip: 8010 },
		{
			...{ name: 'Fair', industry: 'Logistics', tags: ['a'], zip: '8010', max: 20, live: true },
			...{ depth: { pages: 2 }, places: ['Graz'], note: null, empty: '' },
		},
	],
	[
		'a field that was added by hand to the mapped item',
		added([{ name: 'note', value: 'by hand' }], fields(null, 'autoMapInputData')),
		{ name: 'Fair', note: 'from the item' },
		{ name: 'Fair', note: 'by hand' },
	],
	['JSON as text', json(text), {}, object],
	[
		'JSON as text with an expression in it',
		json('={ "name": "{{ $json.title }}" }'),
		{ title: 'Fair' },
		{ name: 'Fair' },
	],
	['JSON as an expression that gives an object', json('={{ $json }}'), object, object],
	['JSON as an expression that gives text', json('={{ JSON.stringify($json) }}'), object, object],
	['JSON as an object', json(object), {}, object],
	['an empty JSON object', json('{}'), {}, {}],
	['an expression that gives an empty object', json('={{ {} }}'), {}, {}],
	['values beyond ASCII', json('{ "name": "Zürich – 東京 🏔" }'), {}, { name: 'Zürich – 東京 🏔' }],
])('Create sends %s as a JSON object', async (_, parameters, input, body) => {
	const [item] = await bench.items(parameters, [input]);
	expect(journal()).toEqual([
		expect.objectContaining({ body, contentType: 'application/json', status: 200, committed: true }),
	]);
	const { data } = await ask(bench, `/prospector/workflows/${String(item.json.id)}`);
	expect(data).toMatchObject({
		...(body as IDataObject),
		name: (body as IDataObject).name ?? 'Untitled workflow',
	});
});

it.each<[string, IDataObject, string]>([
	['a list', json('[{ "name": "x" }]'), "'JSON' holds a list where an object is expected"],
	['a list from an expression', json('={{ [$json] }}'), "'JSON' holds a list where an object is expected"],
	['null', json('null'), "'JSON' holds nothing where an object is expected"],
	['null from an expression', json('={{ null }}'), "'JSON' holds nothing where an object is expected"],
	['a number', json('7'), "'JSON' holds a number where an object is expected"],
	['a JSON string', json('"name"'), "'JSON' holds text where an object is expected"],
	['plain text', json('name = x'), "'JSON' is not valid JSON"],
	['nothing', json(''), "'JSON' is not valid JSON"],
	['broken JSON', json('{ "name": "x", }'), "'JSON' is not valid JSON"],
	[
		'an added field without a name',
		added([{ value: 'x' }], fields({})),
		"A field in 'Additional Fields' has no name",
	],
	['fields that are a list', fields(['x']), "'Fields' holds a list where an object is expected"],
	['fields that are text', create({ fields: 'name' }), "'Fields' is not valid JSON"],
])('Create refuses %s before anything is sent', async (_, parameters, message) => {
	const error = await bench.failure(parameters);
	expect(error.message).toBe(message);
	expect(error.description).toBeTruthy();
	expect(journal()).toEqual([]);
});

it.each<[string, IDataObject, IDataObject]>([
	[
		'fields',
		{
			specifyBody: 'fields',
			fields: { mappingMode: 'defineBelow', value: { status: 'paused', name: null } },
		},
		{ status: 'paused' },
	],
	['JSON', { specifyBody: 'json', jsonBody: '{ "status": "paused" }' }, { status: 'paused' }],
	[
		'JSON with a null, which may be meant',
		{ specifyBody: 'json', jsonBody: '{ "note": null }' },
		{ note: null },
	],
	['nothing', { specifyBody: 'json', jsonBody: '{}' }, {}],
])('Update sends what was set and nothing else: %s', async (_, rest, body) => {
	const [{ id }] = inputFor(bench, find('Workflow › update'), 1);
	const { data: before } = await ask(bench, `/prospector/workflows/${id}`);
	bench.prepare();
	const [{ json: item }] = await bench.items({
		resource: 'workflow',
		operation: 'update',
		workflowId: byId(id),
		...rest,
	});
	expect(journal()).toEqual([
		expect.objectContaining({ body, contentType: 'application/json', idempotencyKey: null }),
	]);
	expect(item).toMatchObject({ ...before, ...body, updated_at: expect.any(String) });
});

it('A value that the service refuses is blamed on the fields, with the request that was refused', async () => {
	const error = await bench.failure(json('{ "name": 7 }'));
	expect(error.message).toBe(
		`The service did not accept the request: status 400 (request ${journal()[0].requestId})`,
	);
	expect(error.description).toContain("Check the values in 'Fields' or 'JSON'");
});
