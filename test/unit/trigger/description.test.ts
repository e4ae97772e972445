import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { fakeEditor, listResponse } from '../helpers/support';

const { description, methods } = new ProspectorTrigger();
const named = (name: string) => description.properties.find((property) => property.name === name);
const names = (properties: Array<{ name: string }> = []) => properties.map(({ name }) => name);

test('has the names that workflows depend on', () => {
	expect(description).toMatchObject({
		displayName: 'Prospector Trigger',
		name: 'prospectorTrigger',
		version: 1,
		polling: true,
		group: ['trigger'],
		inputs: [],
		credentials: [{ name: 'prospectorApi', required: true, testedBy: 'prospectorApiTest' }],
	});
	expect(names(description.properties)).toEqual([
		'event',
		'watch',
		'workflowId',
		'workflowIds',
		'simplify',
		'options',
	]);
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

test('simplifies its items by default', () => {
	expect(named('simplify')?.default).toBe(true);
});

test('no agent is offered it as a tool', () => {
	expect(description.usableAsTool).toBeUndefined();
});

test('asks for a workflow, or for several, only where they are watched', () => {
	expect(named('workflowId')?.displayOptions).toEqual({ show: { watch: ['one'] } });
	expect(named('workflowIds')?.displayOptions).toEqual({ show: { watch: ['several'] } });
});

test('offers Run Statuses for every event but New Run', () => {
	const options = named('options')?.options as INodeProperties[];
	expect(options.find(({ name }) => name === 'runStatuses')?.displayOptions).toEqual({
		show: { '/event': ['newResult', 'runFailed', 'runStatusChanged'] },
	});
});

test('the list to choose several from tells namesakes apart, and has every page', async () => {
	const workflow = (id: string, name?: string) => ({ id, name, status: 'active' });
	const { context } = fakeEditor([
		listResponse([workflow('wf_1', 'Logistics'), workflow('wf_2', 'Clinics')], {
			has_more: true,
			next_cursor: 'c',
		}),
		listResponse([workflow('wf_3', 'Logistics'), workflow('..')]),
	]);
	expect(await methods.loadOptions.getWorkflows.call(context)).toEqual([
		{ name: 'Logistics (active) · wf_1', value: 'wf_1' },
		{ name: 'Clinics (active)', value: 'wf_2' },
		{ name: 'Logistics (active) · wf_3', value: 'wf_3' },
	]);
});

test('a list that cannot be had is a message', async () => {
	const { context } = fakeEditor([{ statusCode: 403, headers: {}, body: {} }]);
	await expect(methods.loadOptions.getWorkflows.call(context)).rejects.toMatchObject({
		message: expect.stringMatching(/may not list Prospector workflows/),
	});
});
