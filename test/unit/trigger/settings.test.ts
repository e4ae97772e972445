import fc from 'fast-check';
import type { IPollFunctions } from 'n8n-workflow';
import { toUsableId } from '../../../nodes/Prospector/model/resource';
import { systemDependencies } from '../../../nodes/Prospector/transport/dependencies';
import {
	addWorkflowName,
	readTriggerSettings,
	type TriggerSettings,
} from '../../../nodes/Prospector/trigger/settings';
import { expectError, rowsOf } from '../helpers/support';

test('a trigger keeps the names of at most 10,000 Prospector workflows', () => {
	const settings = { workflowNames: new Map<string, string>() } as TriggerSettings;
	for (let index = 0; index < 25_000; index++) addWorkflowName(settings, `wf_${index}`, { name: 'x' });
	expect(settings.workflowNames.size).toBeGreaterThan(0);
	expect(settings.workflowNames.size).toBeLessThanOrEqual(10_000);
});

async function readWatchedIds(workflowIds: unknown) {
	const parameters = new Map<string, unknown>([
		['watch', 'several'],
		['workflowIds', workflowIds],
	]);
	const getNodeParameter = (name: string, fallback: unknown) => parameters.get(name) ?? fallback;
	const context = { getNodeParameter } as unknown as IPollFunctions;
	return (await readTriggerSettings(context, systemDependencies)).workflowIds;
}

test('the trigger watches each Prospector workflow that was picked under the ID that the service sent, whatever the ID contains', async () => {
	const id = fc
		.string({
			unit: fc.constantFrom('a', 'B', '1', ',', ';', '"', "'", '[', ']', '`', ' ', 'ü'),
			minLength: 1,
		})
		.filter((text) => toUsableId(text) === text);
	await fc.assert(
		fc.asyncProperty(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), async (ids) => {
			expect(await readWatchedIds(ids)).toEqual(ids);
			expect(await readWatchedIds([...ids, ...ids])).toEqual(ids);
		}),
	);
});

test.each<[unknown, string[]]>([
	...rowsOf(['wf_1, wf_2', 'wf_1;wf_2', '["wf_1", "wf_2"]', ['wf_1', ' wf_2 ']], ['wf_1', 'wf_2']),
	[[5], ['5']],
])('the trigger reads the value %j of an expression as the IDs %j', async (value, expected) => {
	expect(await readWatchedIds(value)).toEqual(expected);
});

test.each<[string, unknown, string]>([
	['an empty list', [], 'is empty'],
	['an empty text', '', 'is empty'],
	['an empty entry', ['wf_1', ''], 'is empty'],
	['an object', [{ id: 'wf_1', name: 'x' }], 'got an object instead of an ID'],
	['10,001 IDs', Array.from({ length: 10_001 }, (_, index) => `wf_${index}`), 'has more than 10,000 IDs'],
])('the trigger rejects %s as the IDs of Prospector workflows', async (_, value, flaw) => {
	const { message } = await expectError(async () => await readWatchedIds(value));
	expect(message).toBe(`'Prospector Workflow Names or IDs' ${flaw}`);
});
