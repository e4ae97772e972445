import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { findOperation, nodeProperties, resources } from '../../nodes/Prospector/actions/resources';
import { Prospector } from '../../nodes/Prospector/Prospector.node';

const node = new Prospector();
const top = nodeProperties();
const collections = top.filter(({ type }) => type === 'collection');
const inside = collections.flatMap(({ options }) => options as INodeProperties[]);
const leaves = [
	...top.filter(({ name, type }) => name !== 'resource' && type !== 'collection'),
	...inside,
].filter(({ name }) => name !== 'operation');
const lists = [...top, ...inside].filter(({ type }) => type === 'options' || type === 'multiOptions');
const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource: resource.option.value, ...operation })),
);
const fieldsOf = (resource: string, operation: string) =>
	top
		.filter(({ displayOptions: { show } = {} }) => {
			return show?.resource?.includes(resource) && show.operation?.includes(operation);
		})
		.map(({ name }) => name);
const optionsOf = (resource: string, operation: string) =>
	(findOperation(resource, operation)?.properties.at(-1)?.options as INodeProperties[]).map(
		({ name }) => name,
	);

/** Optional fields of every operation whose items are worked on side by side. */
const ofReads = ['maxConcurrentRequests', 'maxWait'];

const alphabetical = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));

describe('the node', () => {
	test('has the names that workflows depend on', () => {
		expect(node.description).toMatchObject({ name: 'prospector', version: 1, usableAsTool: true });
		expect(node.description.credentials).toEqual([
			{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' },
		]);
		expect(operations.map(({ resource, option }) => `${resource}.${option.value}`).sort()).toEqual([
			'config.get',
			'identity.get',
			'result.getAll',
			'run.get',
			'run.getAll',
			'workflow.create',
			'workflow.delete',
			'workflow.get',
			'workflow.getAll',
			'workflow.run',
			'workflow.update',
		]);
	});

	test.each([
		['config', 'get', ['simplify'], [...ofReads, 'outputFields', 'requestTimeout']],
		['identity', 'get', [], [...ofReads, 'outputFields', 'requestTimeout']],
		[
			'result',
			'getAll',
			['runId', 'returnAll', 'limit', 'simplify'],
			[
				'finishedStatuses',
				...ofReads,
				'outputFields',
				'pageSize',
				'requestTimeout',
				'returnOnePage',
				'startCursor',
				'warnIfUnfinished',
			],
		],
		[
			'run',
			'get',
			['runId', 'waitForCompletion', 'simplify'],
			['failedStatuses', 'finishedStatuses', ...ofReads, 'outputFields', 'requestTimeout', 'returnResults'],
		],
		[
			'run',
			'getAll',
			['workflowId', 'returnAll', 'limit', 'simplify'],
			[...ofReads, 'outputFields', 'pageSize', 'requestTimeout', 'returnOnePage', 'startCursor'],
		],
		[
			'workflow',
			'create',
			['specifyBody', 'fields', 'additionalFields', 'jsonBody'],
			['idempotencyKey', 'idempotencyKeyMode', 'maxWait', 'outputFields', 'requestTimeout', 'saveRequestId'],
		],
		['workflow', 'delete', ['workflowId'], ['maxWait', 'outputFields', 'requestTimeout']],
		['workflow', 'get', ['workflowId', 'simplify'], [...ofReads, 'outputFields', 'requestTimeout']],
		[
			'workflow',
			'getAll',
			['returnAll', 'limit', 'simplify'],
			[...ofReads, 'outputFields', 'pageSize', 'requestTimeout', 'returnOnePage', 'startCursor'],
		],
		[
			'workflow',
			'run',
			['workflowId', 'waitForCompletion', 'simplify'],
			[
				'failedStatuses',
				'finishedStatuses',
				'idempotencyKey',
				'idempotencyKeyMode',
				'maxWait',
				'outputFields',
				'requestTimeout',
				'returnResults',
				'saveRequestId',
			],
		],
		[
			'workflow',
			'update',
			['workflowId', 'specifyBody', 'fields', 'additionalFields', 'jsonBody'],
			['maxWait', 'outputFields', 'requestTimeout'],
		],
	])('asks for %s.%s exactly these fields', (resource, operation, fields, options) => {
		expect(fieldsOf(resource, operation)).toEqual([...fields, 'options']);
		expect(optionsOf(resource, operation).sort()).toEqual([...options].sort());
	});

	test('can be told apart by action, which is how a tool or the search shows it', () => {
		const actions = operations.map(({ option }) => option.action);
		expect(new Set(actions).size).toBe(actions.length);
		for (const action of actions) {
			expect(action).toMatch(/^[A-Z][a-z]+ ([a-z]+|API|Prospector| )+$/);
			// n8n makes the tool's name of it, ' in Prospector' added, and cuts that off at 64 characters.
			expect(action?.length).toBeLessThan(50);
		}
	});

	test('describes every resource and operation', () => {
		for (const { option } of [...resources, ...operations]) {
			expect(option.description).toMatch(/^[A-Z].*[^.]$/);
		}
	});

	test.each(leaves.map((leaf) => [leaf.name, leaf] as const))('describes %s', (_, { description, type }) => {
		expect(description).toMatch(type === 'boolean' ? /^Whether / : /^[A-Z].{10}/);
	});

	test.each(['finishedStatuses', 'failedStatuses'])('says that the %s are its own guess', (field) => {
		const found = inside.find(({ name }) => name === field);
		expect(found?.description).toContain("this node's guess");
	});

	test('has the defaults that are documented', () => {
		const byName = Object.fromEntries([...top, ...inside].map(({ name, default: value }) => [name, value]));
		expect(byName).toMatchObject({
			resource: 'workflow',
			returnAll: false,
			limit: 50,
			specifyBody: 'fields',
			jsonBody: '{}',
			waitForCompletion: false,
			idempotencyKeyMode: 'automatic',
			requestTimeout: 60,
			maxConcurrentRequests: 5,
		});
	});

	test.each([
		['workflow', 'run', 3600],
		['run', 'get', 3600],
		['workflow', 'create', 300],
		['result', 'getAll', 300],
	])('offers for %s.%s a Max Wait of %i s', (resource, operation, seconds) => {
		const found = findOperation(resource, operation)?.properties.at(-1)?.options as INodeProperties[];
		expect(found.find(({ name }) => name === 'maxWait')?.default).toBe(seconds);
	});

	test('works side by side on what only reads', () => {
		const atOnce = operations.filter(({ concurrent: sideBySide }) => sideBySide).map(({ option }) => option.value);
		expect([...new Set(atOnce)].sort()).toEqual(['get', 'getAll']);
		expect(operations.filter(({ concurrent: sideBySide }) => !sideBySide).map(({ option }) => option.value)).toEqual([
			'create',
			'delete',
			'run',
			'update',
		]);
	});

	test.each(collections.map(({ options }, i) => [i, options as INodeProperties[]] as const))(
		'lists optional fields by name (collection %i)',
		(_, options) => {
			const names = options.map(({ displayName }) => displayName);
			expect(names).toEqual(alphabetical(names));
			expect(names.length).toBeGreaterThan(0);
		},
	);

	test.each(lists.map(({ options }, i) => [i, options as INodePropertyOptions[]] as const))(
		'lists choices by name (list %i)',
		(_, options) => {
			const names = options.map(({ name }) => name);
			expect(names).toEqual(alphabetical(names));
			expect(names.length).toBeGreaterThan(0);
		},
	);

	test('starts every list of operations with one of its own', () => {
		for (const list of top.filter(({ name }) => name === 'operation')) {
			const [resource] = list.displayOptions?.show?.resource as string[];
			expect(findOperation(resource, String(list.default))).toBeDefined();
		}
	});

	test.each([
		['workflow', 'fly'],
		['lead', 'get'],
		['__proto__', 'constructor'],
		['config', 'toString'],
	])('knows no operation %s.%s', (resource, operation) => {
		expect(findOperation(resource, operation)).toBeUndefined();
	});

	test('has the methods that its fields name', () => {
		const text = JSON.stringify(top);
		const named = [...text.matchAll(/"(?:searchListMethod|resourceMapperMethod)":"(\w+)"/g)].map(
			([, n]) => n,
		);
		const methods = { ...node.methods.listSearch, ...node.methods.resourceMapping };
		expect([...new Set(named)].sort()).toEqual(Object.keys(methods).sort());
		expect(Object.keys(node.methods.credentialTest)).toEqual(['prospectorApiTest']);
	});
});
