import { ActiveTrigger, VirtualTime } from '../helpers/trigger/activeTrigger';
import { Service } from '../helpers/trigger/service';

const MINUTE = 60_000;

let time: VirtualTime;
beforeEach(() => void (time = new VirtualTime()));

/** A service in which a run is started at the second request, while the first poll is running. */
function serviceWithRun() {
	const service = new Service({ order: 'newest', cursors: 'keyset', pageSize: 5, now: () => time.now });
	const workflow = service.addWorkflow();
	service.addRun(workflow, 'completed');
	const started: string[] = [];
	let requests = 0;
	service.onRequest = () => {
		time.now += 1000;
		if (++requests === 2) started.push(String(service.addRun(workflow, 'running').id));
	};
	return { service, workflowId: String(workflow.id), started };
}

describe.each<object>([{ watch: 'all' }, { watch: 'several' }])('the first poll with %j', (watch) => {
	const prepare = () => {
		const { service, workflowId, started } = serviceWithRun();
		const parameters = { event: 'newRun', ...watch, workflowIds: [workflowId], options: {} };
		time.now += MINUTE;
		return { trigger: new ActiveTrigger(time, service, parameters, 'durableCursors'), started };
	};

	test('the next poll finds its items again when n8n discards them', async () => {
		const { trigger, started } = prepare();
		await trigger.abandon();
		expect(started).toHaveLength(1);
		time.now += MINUTE;
		await trigger.tick();
		expect(trigger.emitted.map(({ id }) => id)).toEqual(started);
	});

	test('no other poll emits its items while n8n may still be saving them', async () => {
		const { trigger, started } = prepare();
		const before = trigger.saved;
		await trigger.tick();
		const after = trigger.saved;
		trigger.saved = before;
		await trigger.tick();
		trigger.saved = after;
		time.now += MINUTE;
		await trigger.tick();
		expect(trigger.emitted.map(({ id }) => id)).toEqual(started);
	});

	test('the next poll finds the items when it starts before the end of the first', async () => {
		const { trigger, started } = prepare();
		const first = trigger.abandon().catch(() => {});
		while (started.length === 0) await new Promise(setImmediate);
		time.now += 10_000;
		await trigger.tick();
		await first;
		time.now += MINUTE;
		await trigger.tick();
		expect(trigger.emitted.map(({ id }) => id)).toEqual(started);
	});
});

test('a run is new when it was created in the millisecond of the first poll, but not before', async () => {
	const service = new Service({ order: 'newest', cursors: 'keyset', pageSize: 5, now: () => time.now });
	const workflow = service.addWorkflow();
	service.addRun(workflow, 'running');
	time.now += 1;
	const run = service.addRun(workflow, 'running');
	const trigger = new ActiveTrigger(time, service, { event: 'newRun', watch: 'all', options: {} });
	await trigger.activate();
	expect(trigger.emitted.map(({ id }) => id)).toEqual([run.id]);
});
