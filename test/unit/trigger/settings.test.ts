import { addWorkflowName, type TriggerSettings } from '../../../nodes/Prospector/trigger/settings';

test('a trigger keeps the names of at most 10,000 Prospector workflows', () => {
	const settings = { workflowNames: new Map<string, string>() } as TriggerSettings;
	for (let index = 0; index < 25_000; index++) addWorkflowName(settings, { id: `wf_${index}`, name: 'x' });
	expect(settings.workflowNames.size).toBeGreaterThan(0);
	expect(settings.workflowNames.size).toBeLessThanOrEqual(10_000);
});
