import { ActiveTrigger, VirtualTime } from '../helpers/trigger/activeTrigger';
import { Service } from '../helpers/trigger/service';

const MINUTE = 60_000;

let time: VirtualTime;
beforeEach(() => void (time = new VirtualTime()));

test.each([/\/results$/, /^\/runs\/[^/]+$/, /\/runs$/, /^\/workflows/])(
	'a new run, whose service says for three polls that %s is not found, loses no result',
	async (path) => {
		const service = new Service({ order: 'newest', cursors: 'keyset', pageSize: 5, now: () => time.now });
		const workflow = service.addWorkflow();
		const trigger = new ActiveTrigger(time, service, { event: 'newResult', watch: 'all', options: {} });
		const poll = async () => {
			time.now += MINUTE;
			await trigger.tick().catch(() => {});
		};
		await trigger.activate();
		service.onRequest = (requested) => {
			const isMissing = path.test(requested) && polls < 3;
			service.outage = isMissing ? () => ({ statusCode: 404, headers: {}, body: {} }) : undefined;
		};
		let polls = 0;
		time.now += 1000;
		const run = service.addRun(workflow, 'completed');
		const result = service.addResult(run);
		for (; polls < 10; polls++) await poll();
		expect(trigger.emitted.map(({ id }) => id)).toEqual([result.id]);
	},
);
