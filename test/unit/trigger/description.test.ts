import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { fakeEditor, listResponse, NODE } from '../helpers/support';

const { description, methods } = new ProspectorTrigger();
const named = (name: string) => description.properties.find((property) => property.name === name);
const options = named('options')?.options as INodeProperties[];
const names = (properties: Array<{ name: string }> = []) => properties.map(({ name }) => name);

test('has the parameter names that n8n workflows depend on, in the order of the editor', () => {
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
	const parameters = ['event', 'watch', 'workflowId', 'workflowIds', 'simplify', 'options'];
	expect(names(description.properties)).toEqual(parameters);
	const values = (name: string) =>
		(named(name)?.options as Array<{ value: string }>).map(({ value }) => value);
	expect(values('event')).toEqual(['newResult', 'newRun', 'runFailed', 'runStatusChanged']);
	expect(values('watch')).toEqual(['all', 'one', 'several']);
	expect(names(options)).toEqual([
		'fieldsToReturn',
		'includeExisting',
		'maxItems',
		'maxRequests',
		'pageSize',
		'runStatuses',
	]);
});

test('has the defaults and conditions that n8n workflows depend on', () => {
	const fields = [...description.properties, ...options];
	expect(Object.fromEntries(fields.map(({ name, type, default: value }) => [name, [type, value]]))).toEqual({
		event: ['options', 'newResult'],
		watch: ['options', 'one'],
		workflowId: ['resourceLocator', { mode: 'list', value: '' }],
		workflowIds: ['multiOptions', []],
		simplify: ['boolean', true],
		options: ['collection', {}],
		fieldsToReturn: ['string', ''],
		includeExisting: ['boolean', false],
		maxItems: ['number', 1000],
		maxRequests: ['number', 30],
		pageSize: ['number', 50],
		runStatuses: ['string', ''],
	});
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

test('has these labels and descriptions', () => {
	const fields = [...description.properties.filter(({ type }) => type !== 'collection'), ...options];
	expect(fields.map((one) => [one.displayName, one.description])).toEqual([
		['Trigger On', undefined],
		['Watch', 'Which Prospector workflows to watch. Each poll sends one request per Prospector workflow.'],
		['Prospector Workflow', 'The Prospector workflow to watch'],
		[
			'Prospector Workflow Names or IDs',
			'The Prospector workflows to watch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		],
		['Simplify', 'Whether to return a simplified version of the response instead of the raw data'],
		[
			'Fields to Return',
			'Fields to keep, separated by commas. ID and request ID always stay. Replaces Simplify.',
		],
		[
			'Include Existing',
			'Whether to also return what is there already when the workflow is activated for the first time',
		],
		['Max Items per Poll', 'Most items to return at once, oldest first. The next poll returns the rest.'],
		[
			'Max Requests per Poll',
			'Most requests to send in one poll. The next poll continues with the Prospector workflows and runs that have waited longest.',
		],
		['Page Size', "Items per request. Leave it out to use the service's default."],
		[
			'Run Statuses',
			'Only runs with these statuses, separated by commas. With New Result, results are returned once their run has one of them. With Run Failed, they replace the built-in words for a failed run.',
		],
	]);
	const choices = [named('event'), named('watch')].map((field) =>
		(field?.options as INodePropertyOptions[]).map((one) => [one.name, one.description]),
	);
	expect(choices).toEqual([
		[
			['New Result', 'When a run has found a company'],
			['New Run', 'When a run was started, in n8n or elsewhere'],
			['Run Failed', 'When a run has ended without success'],
			['Run Status Changed', 'When a run is new or its status has changed'],
		],
		[
			['All Prospector Workflows', undefined],
			['One Prospector Workflow', undefined],
			['Several Prospector Workflows', undefined],
		],
	]);
	expect(options.map(({ placeholder }) => placeholder).filter(Boolean)).toEqual([
		'e.g. lead_id, company_name',
		'e.g. completed, failed',
	]);
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
