import {
	readRunId,
	readWorkflowId,
	runLocator,
	workflowLocator,
} from '../../../nodes/Prospector/parameters/locators';
import { fakeExecution, expectError } from '../helpers/support';

const locator = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });
const executionWith = (parameters: object) => fakeExecution({ parameters: { ...parameters } }).context;

describe('a resource locator', () => {
	test.each([
		['an ID', locator('wf_1'), 'wf_1'],
		['a picked entry', locator('wf_1', 'list'), 'wf_1'],
		['a number', locator(7), '7'],
		['plain text, from an expression or an agent', 'wf_1', 'wf_1'],
		['a plain number', 7, '7'],
		['a locator without its mark, from an agent', { mode: 'id', value: 'wf_1' }, 'wf_1'],
		['the value alone', { value: 'wf_1' }, 'wf_1'],
		['the ID in an object', { id: 'wf_1' }, 'wf_1'],
		['a number in an object', { id: 7 }, '7'],
		['an object in the locator', locator({ id: 'wf_1' }), 'wf_1'],
		['JSON text of a locator', '{"__rl":true,"mode":"id","value":"wf_1"}', 'wf_1'],
		['JSON text of an object', ' {"id": "wf_1"}', 'wf_1'],
		['JSON text in the locator', locator('{"value":"wf_1"}'), 'wf_1'],
		['JSON text of a text', '"wf_1"', 'wf_1'],
		['text that only begins like JSON', '{wf_1', '{wf_1'],
	])('with %s gives its ID', (_, parameter, expected) => {
		expect(readWorkflowId(executionWith({ workflowId: parameter }), 0)).toBe(expected);
		expect(readRunId(executionWith({ runId: parameter }), 0)).toBe(expected);
	});

	test.each([
		['nothing picked', locator('', 'list'), 'is empty'],
		['no value', { __rl: true, mode: 'id' }, 'is empty'],
		['nothing at all', undefined, 'is empty'],
		['null', null, 'is empty'],
		['an item in place of its ID', locator({ id: 'wf_1', name: 'A' }), 'got an object'],
		['an item in place of the locator', { id: 'wf_1', name: 'A' }, 'got an object'],
		['JSON text of an item', '{"id":"wf_1","name":"A"}', 'got an object'],
		['a list', ['wf_1'], 'got a list'],
	])('with %s is explained by the field’s name', async (_, parameter, words) => {
		const workflow = await expectError(() => readWorkflowId(executionWith({ workflowId: parameter }), 0));
		const run = await expectError(() => readRunId(executionWith({ runId: parameter }), 0));
		expect(workflow.message).toContain(`'Workflow' ${words}`);
		expect(run.message).toContain(`'Run' ${words}`);
	});

	test.each([
		[workflowLocator('Which'), 'workflowId', 'searchWorkflows'],
		[runLocator('Which'), 'runId', 'searchRuns'],
	])('offers a searchable list and an ID (%#)', (property, name, searchListMethod) => {
		expect(property).toMatchObject({ name, type: 'resourceLocator', required: true, description: 'Which' });
		expect(property.default).toEqual({ mode: 'list', value: '' });
		expect(property.modes?.map((mode) => mode.name)).toEqual(['list', 'id']);
		expect(property.modes?.[0].typeOptions).toEqual({ searchListMethod, searchable: true });
	});

	const [, idMode] = workflowLocator('').modes ?? [];
	const validation = idMode?.validation?.[0] as unknown as { properties: { regex: string } };
	test.each([
		['wf_1', true],
		[' wf_1 ', true],
		['urn:wf:1', true],
		['', false],
		['   ', false],
		['https://app.example.com/workflows/wf_1', false],
		[' HTTPS://app.example.com', false],
	])('lets the editor accept %j: %j', (id, accepted) => {
		expect(new RegExp(validation.properties.regex).test(id)).toBe(accepted);
	});
});
