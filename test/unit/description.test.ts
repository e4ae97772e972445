import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypes,
} from 'n8n-workflow';
import { Prospector } from '../../nodes/Prospector/Prospector.node';
import { NODE } from './helpers/support';

const node = new Prospector();
const { description, methods } = node;
const { properties } = description;
const namesOf = (all: Array<{ name: string }>) => all.map(({ name }) => name);
const optionsIn = ({ options }: INodeProperties) => options as INodeProperties[];

const isShown = (parameters: INodeParameters) => (property: INodeProperties) =>
	NodeHelpers.displayParameter(parameters, property, NODE, null);

/** The properties that belong to an operation, as `resource.operation`. */
const propertiesFor = (operation: string) =>
	properties.filter(
		({ displayOptions: { show } = {} }) =>
			show?.operation && `${String(show.resource)}.${String(show.operation)}` === operation,
	);
/** The entries of *Options*, which comes last. */
const collectionOf = (operation: string) => optionsIn(propertiesFor(operation).at(-1) as INodeProperties);

const resourceField = properties[0];
const operationLists = properties.filter(({ name }) => name === 'operation');
const operations = operationLists.flatMap((list) =>
	(list.options as INodePropertyOptions[]).map((option) => ({
		...option,
		id: `${String(list.displayOptions?.show?.resource)}.${String(option.value)}`,
	})),
);
const collections = properties.filter(({ type }) => type === 'collection');
const leaves = [...properties, ...collections.flatMap(optionsIn)].filter(
	({ name, type }) => !['resource', 'operation'].includes(name) && type !== 'collection',
);
const findLeaf = (wanted: string) => leaves.find(({ name }) => name === wanted) as INodeProperties;
const valuesIn = (wanted: string) => (findLeaf(wanted).options as INodePropertyCollection[])[0].values;
/** The type and the default of a field, and the values of its choices. */
const summaryOf = ({ type, default: value, options }: INodeProperties): unknown[] => [
	type,
	value,
	...(type === 'options' ? [(options as INodePropertyOptions[]).map((option) => option.value)] : []),
];
const byName = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));

const LIST = ['returnAll', 'limit', 'simplify', 'filters'];
const BODY = ['enterValues', 'fields', 'otherFields', 'jsonBody'];

const FIELDS = 'Fields to Return';
const CONCURRENT = 'Max Concurrent Requests';
const RETRY = 'Retry For (Seconds)';
const WRITE_OPTIONS = [FIELDS, 'Idempotency Key', 'Prevent Duplicates', RETRY];
const LIST_OPTIONS = [FIELDS, CONCURRENT, 'Page Size', RETRY, 'Return One Page', 'Start At', 'Start Cursor'];

/** Every operation in order: its action, its fields, and the labels of its options. */
const OPERATIONS: Array<[string, string, string[], string[]]> = [
	[
		'workflow.runAndGetResults',
		'Run Prospector workflow and get results',
		['workflowId', 'waitUpTo', 'simplify'],
		['Failed Statuses', FIELDS, 'Finished Statuses', 'Idempotency Key', 'Prevent Duplicates', RETRY],
	],
	['workflow.run', 'Run Prospector workflow', ['workflowId'], WRITE_OPTIONS],
	['workflow.create', 'Create Prospector workflow', BODY, WRITE_OPTIONS],
	['workflow.get', 'Get Prospector workflow', ['workflowId', 'simplify'], [FIELDS, CONCURRENT, RETRY]],
	['workflow.getAll', 'Get many Prospector workflows', LIST, LIST_OPTIONS],
	['workflow.update', 'Update Prospector workflow', ['workflowId', ...BODY], [FIELDS, RETRY]],
	['workflow.delete', 'Delete Prospector workflow', ['workflowId'], [RETRY]],
	[
		'run.get',
		'Get run',
		['runId', 'waitForCompletion', 'waitUpTo', 'returnResults', 'simplify'],
		['Failed Statuses', FIELDS, 'Finished Statuses', CONCURRENT, RETRY],
	],
	['run.getAll', 'Get many runs', ['workflowId', ...LIST], LIST_OPTIONS],
	['result.getAll', 'Get many results', ['runId', ...LIST], LIST_OPTIONS],
	['account.getIdentity', 'Get identity of API key', [], [FIELDS, RETRY]],
	['account.getSettings', 'Get prospecting settings', [], [FIELDS, RETRY]],
];

describe('the node', () => {
	test('has the names that workflows depend on', () => {
		expect(description).toMatchObject({ name: 'prospector', version: 1, usableAsTool: true });
		expect(description.description).toBe('Run Prospector workflows and get the leads they find');
		expect(description.credentials).toEqual([
			{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' },
		]);
		expect(resourceField).toMatchObject({ name: 'resource', default: 'workflow', noDataExpression: true });
	});

	test('has four resources in order of use, of which the first is the default', () => {
		expect(resourceField.options).toEqual([
			{
				name: 'Workflow',
				value: 'workflow',
				description: 'A Prospector workflow, which says what to look for',
			},
			{ name: 'Run', value: 'run', description: 'One run of a Prospector workflow' },
			{ name: 'Result', value: 'result', description: 'A company that a run found, with its lead' },
			{
				name: 'Account',
				value: 'account',
				description: 'The API key, its workspace and the prospecting settings',
			},
		]);
	});

	test('has the main job as the default operation, and for the other resources the first one', () => {
		expect(operationLists.map((list) => [list.displayOptions?.show?.resource, list.default])).toEqual([
			[['workflow'], 'runAndGetResults'],
			[['run'], 'get'],
			[['result'], 'getAll'],
			[['account'], 'getIdentity'],
		]);
	});

	test('has twelve operations, in order of use, with these names and descriptions', () => {
		expect(operations.map(({ id, name, description: text }) => [id, name, text])).toEqual([
			[
				'workflow.runAndGetResults',
				'Run and Get Results',
				'Start a run, wait until it has finished and return one item per company it found',
			],
			['workflow.run', 'Run', 'Start a run and go on at once, without waiting for its results'],
			['workflow.create', 'Create', 'Add a Prospector workflow to the workspace'],
			['workflow.get', 'Get', 'Read the name, status and other fields of one Prospector workflow'],
			['workflow.getAll', 'Get Many', 'List the Prospector workflows of the workspace'],
			['workflow.update', 'Update', 'Change some fields of a Prospector workflow and keep the others'],
			['workflow.delete', 'Delete', 'Remove a Prospector workflow from the workspace'],
			['run.get', 'Get', 'Read the status of a run, or wait for it and get its results'],
			['run.getAll', 'Get Many', 'List the runs of a Prospector workflow'],
			['result.getAll', 'Get Many', 'List the companies that a run found, each with its lead'],
			['account.getIdentity', 'Get Identity', 'Read who the API key belongs to and which workspace it opens'],
			[
				'account.getSettings',
				'Get Prospecting Settings',
				'Read the time zone and the states set for prospecting',
			],
		]);
		expect(OPERATIONS.map(([id]) => id)).toEqual(operations.map(({ id }) => id));
	});

	test.each(OPERATIONS)(
		'has for %s the action "%s", and exactly these fields and options',
		(id, action, fields, options) => {
			expect(operations.find((one) => one.id === id)?.action).toBe(action);
			expect(namesOf(propertiesFor(id))).toEqual([...fields, 'options']);
			const labels = collectionOf(id).map(({ displayName }) => displayName);
			expect(labels).toEqual(options);
			expect(labels.length).toBeLessThanOrEqual(7);
		},
	);

	test.each([
		['workflow.getAll', ['queryParameters']],
		['run.getAll', ['queryParameters', 'sort', 'status']],
		['result.getAll', ['queryParameters']],
	])('has for %s these filters', (operation, expected) => {
		const filters = propertiesFor(operation).find(({ name }) => name === 'filters') as INodeProperties;
		expect(namesOf(optionsIn(filters))).toEqual(expected);
	});

	test('has actions that tell its operations apart, also as the names of tools', () => {
		const actions = operations.map(({ action }) => action);
		expect(new Set(actions).size).toBe(actions.length);
		for (const action of actions) {
			expect(action).toMatch(/^[A-Z][a-z]+ ([a-z]+|API|Prospector| )+$/);
			// n8n derives the tool's name from it, adds ' in Prospector', and truncates that to 64 characters.
			expect(action?.length).toBeLessThan(50);
		}
	});

	test('describes every resource, operation and field', () => {
		const options = [...(resourceField.options as INodePropertyOptions[]), ...operations];
		for (const { description: text } of options) expect(text).toMatch(/^[A-Z].*[^.]$/);
		for (const { description: text, type } of [...leaves, ...valuesIn('otherFields')]) {
			expect(text).toMatch(type === 'boolean' ? /^Whether / : /^[A-Z].{10}/);
		}
		for (const leaf of leaves) {
			const { description: text = '', placeholder } = leaf;
			// One sentence without a full stop, or several with one.
			expect(text).toMatch(/^[^.]*(?:\.[^. ][^.]*)*$|\. .*\.$/);
			if (placeholder !== undefined && leaf.type === 'string') expect(placeholder).toMatch(/^e\.g\. \S/);
		}
	});

	test('has the documented types, choices and defaults', () => {
		const LOCATOR = ['resourceLocator', { mode: 'list', value: '' }];
		expect(Object.fromEntries(leaves.map((leaf) => [leaf.name, summaryOf(leaf)]))).toEqual({
			otherFields: ['fixedCollection', {}],
			failedStatuses: ['string', ''],
			fields: ['resourceMapper', { mappingMode: 'defineBelow', value: null }],
			finishedStatuses: ['string', ''],
			idempotencyKey: ['string', ''],
			preventDuplicates: ['options', 'execution', ['off', 'execution', 'key']],
			jsonBody: ['json', '{}'],
			limit: ['number', 50],
			maxConcurrentRequests: ['number', 5],
			retryFor: ['number', 300],
			fieldsToReturn: ['string', ''],
			pageSize: ['number', 50],
			queryParameters: ['fixedCollection', {}],
			returnAll: ['boolean', false],
			returnOnePage: ['boolean', false],
			returnResults: ['boolean', false],
			runId: LOCATOR,
			simplify: ['boolean', true],
			sort: ['options', 'newestFirst', ['newestFirst', 'oldestFirst']],
			enterValues: ['options', 'fields', ['fields', 'json']],
			startAt: ['number', 1],
			startCursor: ['string', ''],
			status: ['string', ''],
			waitForCompletion: ['boolean', false],
			waitUpTo: ['number', 3600],
			workflowId: LOCATOR,
		});
		for (const name of ['otherFields', 'queryParameters']) {
			expect(findLeaf(name).typeOptions).toEqual({ multipleValues: true });
		}
		expect(namesOf(findLeaf('otherFields').options as INodePropertyCollection[])).toEqual(['field']);
		expect(valuesIn('otherFields').map(summaryOf)).toEqual([
			['string', ''],
			['options', 'automatic', ['array', 'automatic', 'boolean', 'null', 'number', 'object', 'string']],
			['string', ''],
		]);
		expect(namesOf(findLeaf('queryParameters').options as INodePropertyCollection[])).toEqual(['parameter']);
		expect(valuesIn('queryParameters').map((one) => [one.name, ...summaryOf(one)])).toEqual([
			['name', 'string', ''],
			['value', 'string', ''],
		]);
		expect(findLeaf('fields').typeOptions?.resourceMapper).toMatchObject({
			mode: 'add',
			addAllFields: true,
			supportAutoMap: true,
		});
	});

	test('limits its numbers in the editor', () => {
		const numbers = leaves.filter(({ type }) => type === 'number');
		const limits = new Map(numbers.map(({ name, typeOptions }) => [name, typeOptions]));
		expect(Object.fromEntries(limits)).toEqual({
			limit: { minValue: 1 },
			pageSize: { minValue: 1 },
			startAt: { minValue: 1 },
			retryFor: { minValue: 0 },
			waitUpTo: { minValue: 1 },
			maxConcurrentRequests: { minValue: 1, maxValue: 100 },
		});
	});

	test('lists optional fields and choices by name, except resources and operations', () => {
		for (const collection of collections) {
			const names = optionsIn(collection).map(({ displayName }) => displayName);
			expect(names).toEqual(byName(names));
		}
		const lists = [...leaves, ...valuesIn('otherFields')].filter(({ type }) => type === 'options');
		expect(lists.length).toBeGreaterThan(5);
		for (const { options } of lists) {
			const names = (options as INodePropertyOptions[]).map(({ name }) => name);
			expect(names).toEqual(byName(names));
		}
	});

	test('has the methods that its fields name', () => {
		const text = JSON.stringify(properties);
		const named = [...text.matchAll(/"(?:searchListMethod|resourceMapperMethod)":"(\w+)"/g)];
		const { listSearch, resourceMapping, credentialTest } = methods ?? {};
		expect(new Set(named.map(([, name]) => name))).toEqual(
			new Set(Object.keys({ ...listSearch, ...resourceMapping })),
		);
		expect(Object.keys(credentialTest ?? {})).toEqual(['prospectorApiTest']);
	});
});

/** The labels and descriptions of all fields and options; each field has the same ones in every operation. */
const TEXTS: Record<string, [label: string, description: string]> = {
	waitUpTo: [
		'Wait Up To (Seconds)',
		'How long to wait for the run. If that is not enough, the run goes on and you can read it later.',
	],
	waitForCompletion: ['Wait for Completion', 'Whether to wait until the run has finished'],
	returnResults: ['Return Results', 'Whether to return one item per result instead of the run'],
	returnAll: ['Return All', 'Whether to return all results or only up to a given limit'],
	limit: ['Limit', 'Max number of results to return'],
	simplify: ['Simplify', 'Whether to return a simplified version of the response instead of the raw data'],
	enterValues: ['Enter Values', 'How to enter the values of the Prospector workflow'],
	fields: ['Fields', 'Fields found in your existing Prospector workflows. Empty ones are not sent.'],
	jsonBody: ['JSON', 'The values as a JSON object'],
	otherFields: [
		'Other Fields',
		'Fields that are not in the list above. They replace a field of the same name above.',
	],
	queryParameters: ['Query Parameters', 'Added to the request of each page. The service documents none.'],
	sort: ['Sort', 'Order by creation time. The whole list is read first, then Limit applies.'],
	status: [
		'Status',
		'Only runs with these statuses, separated by commas. The whole list is read first, then Limit applies.',
	],
	fieldsToReturn: [
		'Fields to Return',
		'Fields to keep, separated by commas. ID and request ID always stay. Replaces Simplify.',
	],
	maxConcurrentRequests: ['Max Concurrent Requests', 'Items processed in parallel. Output order is kept.'],
	retryFor: [
		'Retry For (Seconds)',
		'How long failed and rate-limited requests are tried again. Enter 0 to try once.',
	],
	preventDuplicates: ['Prevent Duplicates', 'How to keep a retry from doing the same thing twice'],
	idempotencyKey: [
		'Idempotency Key',
		"Text that names the job, such as today's date. With several input items, include something from the item.",
	],
	finishedStatuses: [
		'Finished Statuses',
		'More statuses that mean the run has finished, besides completed, done, success and the like. Separate them with commas.',
	],
	failedStatuses: [
		'Failed Statuses',
		'More statuses that mean the run has failed, besides failed, canceled, timed_out and the like. Separate them with commas.',
	],
	pageSize: ['Page Size', "Items per request. Leave it out to use the service's default."],
	returnOnePage: [
		'Return One Page',
		'Whether to return one page, to loop over a long list. Each item has a next_cursor, which is null on the last page.',
	],
	startAt: [
		'Start At',
		"Position of the first item to return. An AI agent's tool needs it for long lists: let the model define it.",
	],
	startCursor: ['Start Cursor', 'The next_cursor of the page before. Leave it empty for the first page.'],
};

describe('the texts', () => {
	const LOCATORS = ['workflowId', 'runId'];
	const textOf = ({ displayName, description: text }: INodeProperties) => [displayName, text];

	test('of each field are these, in every operation', () => {
		const others = leaves.filter(({ name }) => !LOCATORS.includes(name));
		expect(new Set(namesOf(others))).toEqual(new Set(Object.keys(TEXTS)));
		for (const leaf of others) expect([leaf.name, ...textOf(leaf)]).toEqual([leaf.name, ...TEXTS[leaf.name]]);
	});

	test.each([
		['workflow.runAndGetResults', 'Prospector Workflow', 'The Prospector workflow to run'],
		['workflow.run', 'Prospector Workflow', 'The Prospector workflow to run'],
		['workflow.get', 'Prospector Workflow', 'The Prospector workflow to get'],
		['workflow.update', 'Prospector Workflow', 'The Prospector workflow to update'],
		['workflow.delete', 'Prospector Workflow', 'The Prospector workflow to delete'],
		['run.get', 'Run', 'The run to get'],
		['run.getAll', 'Prospector Workflow', 'The Prospector workflow to list the runs of'],
		['result.getAll', 'Run', 'The run to list the results of'],
	])('of the resource that %s needs are "%s" and "%s"', (operation, ...texts) => {
		const [locator, ...others] = propertiesFor(operation).filter(({ name }) => LOCATORS.includes(name));
		expect(textOf(locator)).toEqual(texts);
		expect(others).toEqual([]);
	});

	test('of the choices are these', () => {
		const choicesOf = ({ options }: INodeProperties) =>
			(options as INodePropertyOptions[]).map(({ name, description: text }) => [name, text]);
		expect(choicesOf(findLeaf('preventDuplicates'))).toEqual([
			['Off', 'Every retry does it again'],
			['Once per Execution', 'Retrying the execution does not do it again'],
			['Once per Key', 'Requests with the same text are done once, for example once a day'],
		]);
		expect(choicesOf(findLeaf('enterValues')).map(([name]) => name)).toEqual([
			...['Using Fields Below', 'Using JSON'],
		]);
		expect(choicesOf(findLeaf('sort')).map(([name]) => name)).toEqual(['Newest First', 'Oldest First']);
		const [name, type, value] = valuesIn('otherFields');
		expect([name, type, value].map(textOf)).toEqual([
			['Name', 'Name of the field, spelled as in the service'],
			['Type', 'What kind of value to send'],
			['Value', 'The value to send. If an expression returns nothing, the field is left out.'],
		]);
		expect(choicesOf(type)).toEqual([
			['Array', 'A list, as JSON or an expression'],
			['Automatic', 'Typed values as text, expressions as what they return'],
			['Boolean', 'True or false'],
			['Empty (Null)', 'Clears the field'],
			['Number', 'A number'],
			['Object', 'A JSON object, typed or as an expression'],
			['String', 'Text, even if it looks like a number'],
		]);
	});

	test.each([
		['workflow.runAndGetResults', 'e.g. lead_id, company_name'],
		['workflow.run', 'e.g. status, workflow_id'],
		['run.getAll', 'e.g. status, created_at'],
		['result.getAll', 'e.g. lead_id, company_name'],
		['account.getIdentity', 'e.g. name, status'],
		['account.getSettings', 'e.g. timezone'],
	])('of %s have as example fields "%s"', (operation, placeholder) => {
		const option = collectionOf(operation).find(({ name }) => name === 'fieldsToReturn');
		expect(option?.placeholder).toBe(placeholder);
	});
});

describe('the subtitle', () => {
	const subtitle = String(description.subtitle);
	const nodeTypes = { getByNameAndVersion: () => node, getByName: () => node, getKnownTypes: () => ({}) };

	/** Evaluates the expression as n8n does. */
	function subtitleFor(parameters: INodeParameters): unknown {
		const shown: INode = { ...NODE, parameters };
		const workflow = new Workflow({
			nodes: [shown],
			connections: {},
			active: false,
			nodeTypes: nodeTypes as INodeTypes,
		});
		return workflow.expression.getSimpleParameterValue(shown, subtitle, 'internal', {});
	}

	test.each(OPERATIONS)('of %s is its action "%s" with a small first letter', (id, action) => {
		const [resource, operation] = id.split('.');
		expect(subtitleFor({ resource, operation })).toBe(action.charAt(0).toLowerCase() + action.slice(1));
	});

	test('of a new node is that of the default operation', () => {
		expect(subtitleFor({})).toBe('run Prospector workflow and get results');
	});

	test('has two closing braces only at its end, where n8n takes them for the end of the expression', () => {
		expect(subtitle).toMatch(/^=\{\{ .* \}\}$/);
		expect(subtitle.indexOf('}}')).toBe(subtitle.length - 2);
	});
});

describe('the editor', () => {
	test.each<[string, INodeParameters, string[]]>([
		['without Return All', {}, ['returnAll', 'limit']],
		['with Return All', { returnAll: true }, ['returnAll']],
		['with Return One Page', { options: { returnOnePage: true } }, []],
		['with both', { returnAll: true, options: { returnOnePage: true } }, []],
		['without Return One Page', { options: { returnOnePage: false } }, ['returnAll', 'limit']],
		['with an expression', { options: { returnOnePage: '={{ $json.a }}' } }, ['returnAll', 'limit']],
	])('shows the right fields of a list %s', (_, parameters, expected) => {
		const list = { resource: 'result', operation: 'getAll', returnAll: false, ...parameters };
		const fields = properties.filter(({ name }) => ['returnAll', 'limit'].includes(name));
		expect(namesOf(fields.filter(isShown(list)))).toEqual(expected);
	});

	test.each<[INodeParameters, string[]]>([
		[{}, ['waitForCompletion']],
		[{ waitForCompletion: false }, ['waitForCompletion']],
		[{ waitForCompletion: true }, ['waitForCompletion', 'waitUpTo', 'returnResults']],
		[{ waitForCompletion: '={{ $json.a }}' }, ['waitForCompletion', 'waitUpTo', 'returnResults']],
	])('shows for Run › Get with %j the fields %j of a wait', (parameters, expected) => {
		const run = { resource: 'run', operation: 'get', waitForCompletion: false, ...parameters };
		const names = ['waitForCompletion', 'waitUpTo', 'returnResults'];
		const fields = propertiesFor('run.get').filter(({ name }) => names.includes(name));
		expect(namesOf(fields.filter(isShown(run)))).toEqual(expected);
	});

	type Offer = [operation: string, option: string, parameters: INodeParameters, isOffered: boolean];
	const LISTS = ['workflow.getAll', 'run.getAll', 'result.getAll'];
	const KEYED = ['workflow.runAndGetResults', 'workflow.run', 'workflow.create'];
	test.each<Offer>([
		...['failedStatuses', 'finishedStatuses'].flatMap((option): Offer[] => [
			['run.get', option, { waitForCompletion: true }, true],
			['run.get', option, { waitForCompletion: false }, false],
			['workflow.runAndGetResults', option, {}, true],
		]),
		...LISTS.flatMap((operation): Offer[] => [
			[operation, 'startCursor', {}, false],
			[operation, 'startCursor', { options: { returnOnePage: false } }, false],
			[operation, 'startCursor', { options: { returnOnePage: true } }, true],
			[operation, 'startCursor', { options: { returnOnePage: '={{ $json.a }}' } }, true],
			[operation, 'returnOnePage', {}, true],
		]),
		...KEYED.flatMap((operation): Offer[] => [
			[operation, 'idempotencyKey', {}, false],
			[operation, 'idempotencyKey', { options: { preventDuplicates: 'execution' } }, false],
			[operation, 'idempotencyKey', { options: { preventDuplicates: 'off' } }, false],
			[operation, 'idempotencyKey', { options: { preventDuplicates: 'key' } }, true],
			[operation, 'idempotencyKey', { options: { preventDuplicates: '={{ $json.a }}' } }, true],
			[operation, 'preventDuplicates', {}, true],
		]),
	])('offers for %s the option %s with %j: %j', (operation, name, values, expected) => {
		const parameters = { options: {}, ...values };
		const option = collectionOf(operation).find((one) => one.name === name) as INodeProperties;
		expect(NodeHelpers.displayParameterPath(parameters, option, 'options', NODE, null)).toBe(expected);
	});

	test.each([
		['fields', ['fields', 'otherFields']],
		['json', ['jsonBody']],
	])('shows the fields of a body for %s', (enterValues, expected) => {
		for (const operation of ['create', 'update']) {
			const fields = propertiesFor(`workflow.${operation}`).filter(({ name }) =>
				BODY.slice(1).includes(name),
			);
			const parameters = { resource: 'workflow', operation, enterValues };
			expect(namesOf(fields.filter(isShown(parameters)))).toEqual(expected);
		}
	});

	test('shows no value for another field of the type Null', () => {
		const value = valuesIn('otherFields').find(({ name }) => name === 'value');
		expect(value?.displayOptions).toEqual({ hide: { type: ['null'] } });
	});
});
