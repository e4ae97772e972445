import { MINUTE_MS, triggerScenario } from '../helpers/triggerScenario';

test.each(['/results$', '/runs/[^/]+$', '/runs$', '/workflows'])(
	'emits all results of a new run when the service does not find %s in three polls',
	async (pathRegex) => {
		const { time, control, addWorkflow, addRun, addResults, watch } = triggerScenario();
		const workflow = addWorkflow();
		const trigger = watch('newResult');
		await trigger.activate();
		time.advance(1000);
		const results = addResults(addRun(workflow));
		control.addFault({ kind: 'status', status: 404, times: 0, match: { pathRegex } });
		for (let polls = 0; polls < 10; polls++) {
			if (polls === 3) control.clearFaults();
			time.advance(MINUTE_MS);
			await trigger.tick().catch(() => {});
		}
		expect(trigger.ids).toEqual(results);
	},
);
