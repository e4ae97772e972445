import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { Prospector } from '../../nodes/Prospector/Prospector.node';
import { NODE } from './helpers/support';

const { description, methods } = new Prospector();
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
/** The type and the default of a field, and the values of its choices. */
const summaryOf = ({ type, default: value, options }: INodeProperties): unknown[] => [
	type,
	value,
	...(type === 'options' ? [(options as INodePropertyOptions[]).map((option) => option.value)] : []),
];
const byName = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));

const LIST = ['returnAll', 'limit', 'simplify'];
const LIST_OPTIONS = ['pageSize', 'returnOnePage', 'startCursor'];
const BODY = ['enterValues', 'fields', 'otherFields', 'jsonBody'];
const KEY_OPTIONS = ['idempotencyKey', 'preventDuplicates', 'saveRequestId'];
const WAIT_OPTIONS = ['failedStatuses', 'finishedStatuses', 'returnResults'];
const READ = ['maxConcurrentRequests'];

describe('the node', () => {
	test('has the names that workflows depend on', () => {
		expect(description).toMatchObject({ name: 'prospector', version: 1, usableAsTool: true });
		expect(description.credentials).toEqual([
			{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' },
		]);
		expect(resourceField).toMatchObject({ name: 'resource', default: 'workflow', noDataExpression: true });
		expect((resourceField.options as INodePropertyOptions[]).map(({ value }) => value)).toEqual([
			...['config', 'identity', 'result', 'run', 'workflow'],
		]);
		expect(operationLists.map((list) => [list.displayOptions?.show?.resource, list.default])).toEqual([
			[['config'], 'get'],
			[['identity'], 'get'],
			[['result'], 'getAll'],
			[['run'], 'getAll'],
			[['workflow'], 'getAll'],
		]);
	});

	test.each<[string, string[], string[]]>([
		['config.get', ['simplify'], READ],
		['identity.get', [], READ],
		['result.getAll', ['runId', ...LIST], [...READ, ...LIST_OPTIONS, 'finishedStatuses', 'warnIfUnfinished']],
		['run.get', ['runId', 'waitForCompletion', 'simplify'], [...READ, ...WAIT_OPTIONS]],
		['run.getAll', ['workflowId', ...LIST], [...READ, ...LIST_OPTIONS]],
		['workflow.create', BODY, KEY_OPTIONS],
		['workflow.delete', ['workflowId'], []],
		['workflow.get', ['workflowId', 'simplify'], READ],
		['workflow.getAll', LIST, [...READ, ...LIST_OPTIONS]],
		['workflow.run', ['workflowId', 'waitForCompletion', 'simplify'], [...KEY_OPTIONS, ...WAIT_OPTIONS]],
		['workflow.update', ['workflowId', ...BODY], []],
	])('has for %s exactly these fields and options', (operation, fields, options) => {
		expect(namesOf(operations.map(({ id }) => ({ name: id })))).toContain(operation);
		expect(namesOf(propertiesFor(operation))).toEqual([...fields, 'options']);
		const all = [...options, 'retryFor', 'outputFields', 'requestTimeout'];
		expect(namesOf(collectionOf(operation)).sort()).toEqual(all.sort());
		const isWaiting = options.includes('returnResults');
		const retryFor = collectionOf(operation).find(({ name }) => name === 'retryFor');
		expect(retryFor?.default).toBe(isWaiting ? 3600 : 300);
	});

	test('has eleven operations, which their actions tell apart', () => {
		expect(operations).toHaveLength(11);
		const actions = operations.map(({ action }) => action);
		expect(new Set(actions).size).toBe(actions.length);
		for (const action of actions) {
			expect(action).toMatch(/^[A-Z][a-z]+ ([a-z]+|API|Prospector| )+$/);
			// n8n derives the tool's name from it, adds ' in Prospector', and truncates that to 64 characters.
			expect(action?.length).toBeLessThan(50);
		}
	});

	test('describes every resource, operation and field', () => {
		for (const { description: text } of [
			...(resourceField.options as INodePropertyOptions[]),
			...operations,
		]) {
			expect(text).toMatch(/^[A-Z].*[^.]$/);
		}
		for (const { description: text, type } of leaves) {
			expect(text).toMatch(type === 'boolean' ? /^Whether / : /^[A-Z].{10}/);
		}
		for (const { description: text } of leaves.filter(({ name }) =>
			/^(failed|finished)Statuses$/.test(name),
		)) {
			expect(text).toContain("this list is this node's guess");
		}
	});

	test('has the documented types, choices and defaults', () => {
		const LOCATOR = ['resourceLocator', { mode: 'list', value: '' }];
		expect(Object.fromEntries(leaves.map((leaf) => [leaf.name, summaryOf(leaf)]))).toEqual({
			otherFields: ['fixedCollection', {}],
			failedStatuses: ['string', expect.stringMatching(/^aborted, canceled, /)],
			fields: ['resourceMapper', { mappingMode: 'defineBelow', value: null }],
			finishedStatuses: ['string', expect.stringMatching(/^aborted, canceled, /)],
			idempotencyKey: ['string', ''],
			preventDuplicates: ['options', 'automatic', ['automatic', 'custom', 'none']],
			jsonBody: ['json', '{}'],
			limit: ['number', 50],
			maxConcurrentRequests: ['number', 5],
			// Its default depends on the operation.
			retryFor: ['number', expect.any(Number)],
			outputFields: ['string', ''],
			pageSize: ['number', 50],
			requestTimeout: ['number', 60],
			returnAll: ['boolean', false],
			returnOnePage: ['boolean', false],
			returnResults: ['boolean', false],
			runId: LOCATOR,
			saveRequestId: ['boolean', true],
			simplify: ['boolean', false],
			enterValues: ['options', 'fields', ['fields', 'json']],
			startCursor: ['string', ''],
			waitForCompletion: ['boolean', false],
			warnIfUnfinished: ['boolean', true],
			workflowId: LOCATOR,
		});
		const { typeOptions, options } = findLeaf('otherFields');
		expect(typeOptions).toEqual({ multipleValues: true });
		expect(
			(options as INodePropertyCollection[]).map(({ name, values }) => [name, values.map(summaryOf)]),
		).toEqual([
			[
				'field',
				[
					['string', ''],
					['options', 'asGiven', ['array', 'asGiven', 'boolean', 'null', 'number', 'object', 'string']],
					['string', ''],
				],
			],
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
			retryFor: { minValue: 0 },
			maxConcurrentRequests: { minValue: 1, maxValue: 100 },
			requestTimeout: { minValue: 1, maxValue: 3600 },
		});
	});

	test('lists optional fields and choices by name', () => {
		for (const collection of collections) {
			const names = optionsIn(collection).map(({ displayName }) => displayName);
			expect(names).toEqual(byName(names));
		}
		const [{ values }] = findLeaf('otherFields').options as INodePropertyCollection[];
		const lists = [...properties, ...collections.flatMap(optionsIn), ...values].filter(
			({ type }) => type === 'options',
		);
		expect(lists.length).toBeGreaterThan(8);
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

	test.each<[string, string, INodeParameters, boolean]>([
		['result.getAll', 'finishedStatuses', {}, true],
		['result.getAll', 'finishedStatuses', { options: { warnIfUnfinished: true } }, true],
		['result.getAll', 'finishedStatuses', { options: { warnIfUnfinished: false } }, false],
		...['run.get', 'workflow.run'].flatMap((operation) =>
			WAIT_OPTIONS.flatMap((option): Array<[string, string, INodeParameters, boolean]> => [
				[operation, option, { waitForCompletion: true }, true],
				[operation, option, { waitForCompletion: false }, false],
			]),
		),
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

	test('shows no value for an additional field of the type Null', () => {
		const [{ values }] = findLeaf('otherFields').options as INodePropertyCollection[];
		expect(values.find(({ name }) => name === 'value')?.displayOptions).toEqual({ hide: { type: ['null'] } });
	});
});
