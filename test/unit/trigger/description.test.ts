import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { fakeEditor, listResponse, NODE } from '../helpers/support';

const { description, methods } = new ProspectorTrigger();
const named = (name: string) => description.properties.find((property) => property.name === name);
const options = named('options')?.options as INodeProperties[];

test('has the names and values that n8n workflows depend on', () => {
	expect(description).toMatchObject({
		displayName: 'Prospector Trigger',
		name: 'prospectorTrigger',
		description: 'Run Prospector workflows, get the leads they find, or start when new leads arrive',
		version: 1,
		polling: true,
		group: ['trigger'],
		inputs: [],
		credentials: [{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' }],
	});
	const values = (name: string) =>
		(named(name)?.options as Array<{ value: string }>).map(({ value }) => value);
	expect(values('event')).toEqual(['newResult', 'newRun', 'runFailed', 'runStatusChanged']);
	expect(values('watch')).toEqual(['all', 'one', 'several']);
});

test('has the parameters, defaults and conditions that n8n workflows depend on, in the order of the editor', () => {
	const fields = [...description.properties, ...options];
	expect(fields.map(({ name, type, default: value }) => [name, type, value])).toEqual([
		['event', 'options', 'newResult'],
		['watch', 'options', 'one'],
		['workflowId', 'resourceLocator', { mode: 'list', value: '' }],
		['workflowIds', 'multiOptions', []],
		['simplify', 'boolean', true],
		['options', 'collection', {}],
		['fieldsToReturn', 'string', ''],
		['includeExisting', 'boolean', false],
		['maxItems', 'number', 1000],
		['maxRequests', 'number', 30],
		['pageSize', 'number', 50],
		['runStatuses', 'string', ''],
	]);
	const limits = Object.fromEntries(fields.map(({ name, typeOptions }) => [name, typeOptions]));
	expect(limits).toMatchObject({
		maxItems: { minValue: 1, maxValue: 10_000 },
		maxRequests: { minValue: 5, maxValue: 1000 },
	});
	expect(description.usableAsTool).toBeUndefined();
	expect(named('workflowId')?.displayOptions).toEqual({ show: { watch: ['one'] } });
	expect(named('workflowIds')?.displayOptions).toEqual({ show: { watch: ['several'] } });
});

test.each([
	['newResult', true],
	['newRun', false],
	['runFailed', true],
	['runStatusChanged', true],
])('offers Run Statuses for the event %s: %j', (event, expected) => {
	const runStatuses = options.find(({ name }) => name === 'runStatuses') as INodeProperties;
	const parameters = { event, options: {} };
	expect(NodeHelpers.displayParameterPath(parameters, runStatuses, 'options', NODE, null)).toBe(expected);
});

test('getWorkflows returns all pages and adds the ID to equal names', async () => {
	const workflow = (id: string, name?: string) => ({ id, name, status: 'active' });
	const first = [workflow('wf_1', 'Logistics'), workflow('wf_2', 'Clinics')];
	const { context } = fakeEditor([
		listResponse(first, { has_more: true, next_cursor: 'c' }),
		listResponse([workflow('wf_3', 'Logistics'), workflow('..')]),
	]);
	expect(await methods.loadOptions.getWorkflows.call(context)).toEqual([
		{ name: 'Logistics (active) · wf_1', value: 'wf_1' },
		{ name: 'Clinics (active)', value: 'wf_2' },
		{ name: 'Logistics (active) · wf_3', value: 'wf_3' },
	]);
});

test("getWorkflows throws a message when the list can't be read", async () => {
	const { context } = fakeEditor([{ statusCode: 403, headers: {}, body: {} }]);
	await expect(methods.loadOptions.getWorkflows.call(context)).rejects.toMatchObject({
		message: expect.stringMatching(/^This API key is not allowed to list Prospector workflows$/),
	});
});
