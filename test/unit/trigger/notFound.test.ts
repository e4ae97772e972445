import { idsOf, MINUTE, triggerScenario } from '../helpers/triggerScenario';

test.each([/\/results$/, /^\/runs\/[^/]+$/, /\/runs$/, /^\/workflows/])(
	'emits all results of a new run when the service does not find %s in three polls',
	async (path) => {
		const { time, service, watch } = triggerScenario();
		const workflow = service.addWorkflow();
		const trigger = watch('newResult');
		await trigger.activate();
		let polls = 0;
		service.onRequest = (requested) => {
			const isMissing = path.test(requested) && polls < 3;
			service.outage = isMissing ? () => ({ statusCode: 404, headers: {}, body: {} }) : undefined;
		};
		time.now += 1000;
		const result = service.addResult(service.addRun(workflow, 'completed'));
		for (; polls < 10; polls++) {
			time.now += MINUTE;
			await trigger.tick().catch(() => {});
		}
		expect(idsOf(trigger.emitted)).toEqual([result.id]);
	},
);
