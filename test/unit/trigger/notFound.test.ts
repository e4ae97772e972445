import { idsOf, MINUTE, triggerScenario } from '../helpers/triggerScenario';

test.each([/\/results$/, /^\/runs\/[^/]+$/, /\/runs$/, /^\/workflows/])(
	'a new run, whose service says for three polls that %s is not found, loses no result',
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
