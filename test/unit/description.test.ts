import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypes,
} from 'n8n-workflow';
import { ProspectorApi } from '../../credentials/ProspectorApi.credentials';
import { Prospector } from '../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../nodes/Prospector/ProspectorTrigger.node';
import { NODE } from './helpers/support';

const node = new Prospector();
const trigger = new ProspectorTrigger();
const credential = new ProspectorApi();
const { properties, subtitle } = node.description;

/** What the editor shows. To approve a change, run this test with APPROVE=1, and commit the file after a review. */
const APPROVED = join(__dirname, 'approved/descriptions.json');

test.each(['prospector', 'prospectorTrigger', 'prospectorApi'] as const)(
	'the description of %s is the approved one unless APPROVE=1 is set',
	(name) => {
		const descriptions = {
			prospector: node.description,
			prospectorTrigger: trigger.description,
			prospectorApi: credential,
		};
		if (process.env.APPROVE === '1') {
			writeFileSync(APPROVED, `${JSON.stringify(descriptions, undefined, '\t')}\n`);
		}
		const approved = JSON.parse(readFileSync(APPROVED, 'utf8')) as typeof descriptions;
		expect(JSON.parse(JSON.stringify(descriptions[name]))).toEqual(approved[name]);
	},
);

const namesOf = (all: Array<{ name: string }>) => all.map(({ name }) => name);
const optionsIn = ({ options }: INodeProperties) => options as INodeProperties[];
const valuesOf = ({ options }: INodeProperties) =>
	(options as INodePropertyOptions[]).map(({ value }) => String(value));

/** The parameters that an operation shows, with those in its collections, or with the values of a choice. */
function parametersOf(operation: string): string[] {
	const shown = properties.filter(({ displayOptions: { show } = {} }) => {
		return show?.operation && `${String(show.resource)}.${String(show.operation)}` === operation;
	});
	return describeAll(shown);
}
const describeAll = (all: INodeProperties[]) =>
	all
		.flatMap((one) => (one.type === 'collection' ? optionsIn(one) : [one]))
		.map((one) => (one.type === 'options' ? `${one.name} (${valuesOf(one).join(', ')})` : one.name));

const FIELDS = 'fieldsToReturn';
const KEY = 'idempotencyKey, preventDuplicates (off, execution, key), retryFor';
const BODY = 'enterValues (fields, json), fields, otherFields, jsonBody';
const STATUSES = 'failedStatuses, fieldsToReturn, finishedStatuses';
const LIST = 'returnAll, limit, simplify, queryParameters';
const LIST_OPTIONS =
	'fieldsToReturn, maxConcurrentRequests, pageSize, retryFor, returnOnePage, startAt, startCursor';
const SORTED = 'sort (newestFirst, oldestFirst), status';

/** Workflows of users depend on these names: after the first release, they never change. */
const NAMES: Array<[string, string]> = [
	['workflow.runAndGetResults', `workflowId, waitUpTo, simplify, ${STATUSES}, ${KEY}`],
	['workflow.run', `workflowId, ${FIELDS}, ${KEY}`],
	['workflow.create', `${BODY}, ${FIELDS}, ${KEY}`],
	['workflow.get', `workflowId, simplify, ${FIELDS}, maxConcurrentRequests, retryFor`],
	['workflow.getAll', `${LIST}, ${LIST_OPTIONS}`],
	['workflow.update', `workflowId, ${BODY}, ${FIELDS}, retryFor`],
	['workflow.delete', 'workflowId, retryFor'],
	[
		'run.get',
		`runId, waitForCompletion, waitUpTo, returnResults, simplify, ${STATUSES}, maxConcurrentRequests, retryFor`,
	],
	['run.getAll', `workflowId, ${LIST}, ${SORTED}, ${LIST_OPTIONS}`],
	['result.getAll', `runId, ${LIST}, ${LIST_OPTIONS}`],
	['account.getIdentity', `${FIELDS}, retryFor`],
	['account.getSettings', `${FIELDS}, retryFor`],
];

test.each(NAMES)('%s keeps the names of its parameters when the package is updated', (operation, names) => {
	expect(parametersOf(operation).join(', ')).toBe(names);
});

test('node, trigger and credential keep their names when the package is updated', () => {
	const lists = properties.filter(({ name }) => name === 'operation');
	const operations = lists.flatMap((list) =>
		valuesOf(list).map((value) => `${String(list.displayOptions?.show?.resource)}.${value}`),
	);
	expect(operations).toEqual(NAMES.map(([operation]) => operation));
	expect(lists.map((list) => list.default)).toEqual(['runAndGetResults', 'get', 'getAll', 'getIdentity']);
	expect([properties[0].name, properties[0].default]).toEqual(['resource', 'workflow']);
	expect(namesOf([node.description, trigger.description, credential])).toEqual([
		...['prospector', 'prospectorTrigger', 'prospectorApi'],
	]);
	for (const { description } of [node, trigger]) {
		expect([description.version, namesOf(description.credentials ?? [])]).toEqual([1, ['prospectorApi']]);
	}
	expect(describeAll(trigger.description.properties)).toEqual([
		'event (newResult, newRun, runFailed, runStatusChanged)',
		'watch (all, one, several)',
		...['workflowId', 'workflowIds', 'simplify', 'fieldsToReturn', 'includeExisting', 'maxItems'],
		...['maxRequests', 'pageSize', 'runStatuses'],
	]);
	expect(namesOf(credential.properties)).toEqual([
		...['apiKey', 'baseUrl', 'showAdvanced', 'allowHttp', 'cursorParameter', 'pageSizeParameter'],
		'requestTimeout',
	]);
});

test('node and trigger have every method that their fields name', () => {
	for (const { description, methods } of [node, trigger]) {
		const text = JSON.stringify(description.properties);
		const named = text.matchAll(/"(?:searchListMethod|resourceMapperMethod|loadOptionsMethod)":"(\w+)"/g);
		const { credentialTest, ...lists } = methods;
		const existing = Object.values(lists).flatMap((group) => Object.keys(group));
		expect([...new Set([...named].map(([, name]) => name))].sort()).toEqual(existing.sort());
		expect(Object.keys(credentialTest)).toEqual(description.credentials?.map(({ testedBy }) => testedBy));
	}
});

/** Evaluates the subtitle as n8n does. */
function subtitleFor(parameters: INodeParameters): unknown {
	const shown: INode = { ...NODE, parameters };
	const nodeTypes = { getByNameAndVersion: () => node, getByName: () => node, getKnownTypes: () => ({}) };
	const connected = { connections: {}, active: false, nodeTypes: nodeTypes as INodeTypes };
	const workflow = new Workflow({ nodes: [shown], ...connected });
	return workflow.expression.getSimpleParameterValue(shown, String(subtitle), 'internal', {});
}

test.each([
	[{}, 'run Prospector workflow and get results'],
	[{ resource: 'workflow', operation: 'delete' }, 'delete Prospector workflow'],
	[{ resource: 'account', operation: 'getIdentity' }, 'get identity of API key'],
])(
	'n8n shows for the parameters %j the subtitle "%s" when it evaluates the expression',
	(parameters, text) => {
		expect(subtitleFor(parameters)).toBe(text);
	},
);
