import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { fakeEditor, listResponse } from '../helpers/support';

const { description, methods } = new ProspectorTrigger();
const named = (name: string) => description.properties.find((property) => property.name === name);
const names = (properties: Array<{ name: string }> = []) => properties.map(({ name }) => name);

test('has the parameter names that n8n workflows depend on', () => {
	expect(description).toMatchObject({
		displayName: 'Prospector Trigger',
		name: 'prospectorTrigger',
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
	expect(names(named('options')?.options as INodePropertyCollection[])).toEqual([
		'fieldsToReturn',
		'includeExisting',
		'maxItems',
		'maxRequests',
		'pageSize',
		'requestTimeout',
		'runStatuses',
	]);
});

test('has the defaults and conditions that n8n workflows depend on', () => {
	const fields = [...description.properties, ...(named('options')?.options as INodeProperties[])];
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
		requestTimeout: ['number', 60],
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
	const options = named('options')?.options as INodeProperties[];
	expect(options.find(({ name }) => name === 'runStatuses')?.displayOptions).toEqual({
		show: { '/event': ['newResult', 'runFailed', 'runStatusChanged'] },
	});
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
		message: expect.stringMatching(/may not list Prospector workflows/),
	});
});
