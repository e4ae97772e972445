import { DAY, triggerScenario } from '../helpers/triggerScenario';

// About 16 runs a day, with an unknown status: the trigger watches such runs for the longest time.
test.each(['runStatusChanged', 'newResult'])(
	'%s: emits 6,000 runs of a year, and keeps its state below 1 MB',
	async (event) => {
		const { time, service, watch } = triggerScenario({ pageSize: 100 });
		const workflows = [service.addWorkflow(), service.addWorkflow(), service.addWorkflow()];
		const trigger = watch(event, { options: { maxRequests: 1000 } });
		await trigger.activate();
		let largest = 0;
		for (let run = 0; run < 6_000; run++) {
			time.now += (365 * DAY) / 6_000;
			const started = service.addRun(workflows[run % workflows.length], 'neu');
			if (event === 'newResult') service.addResult(started);
			// Every 18 days, so that a poll finds many runs.
			if (run % 300 === 0) await trigger.tick();
			largest = Math.max(largest, trigger.saved.length);
		}
		for (let polls = 0; polls < 5; polls++) await trigger.tick();
		expect(trigger.emitted).toHaveLength(6_000);
		expect(new Set(trigger.emitted.map(({ id }) => id)).size).toBe(6_000);
		expect(largest).toBeLessThan(1_000_000);
	},
	120_000,
);
