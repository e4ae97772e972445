import { ActiveTrigger, VirtualTime } from '../helpers/trigger/activeTrigger';
import { Service, type ServiceOptions, type FakeResource } from '../helpers/trigger/service';

const MINUTE = 60_000;

let time: VirtualTime;
beforeEach(() => void (time = new VirtualTime()));

/** A service with 30 runs of one workflow, in pages of 5, and a trigger for new runs that is set up. */
async function watching(how: Partial<ServiceOptions>, options: object = {}, event = 'newRun') {
	const service = new Service({
		order: 'newest',
		cursors: 'offset',
		pageSize: 5,
		now: () => time.now,
		...how,
	});
	const workflow = service.addWorkflow();
	const start = (count: number, apart = 1000) => {
		const started: FakeResource[] = [];
		for (let run = 0; run < count; run++) {
			time.now += apart;
			started.push(service.addRun(workflow, 'completed'));
		}
		return started;
	};
	const existing = start(30);
	time.now += 1;
	const trigger = new ActiveTrigger(time, service, { event, watch: 'all', options });
	await trigger.activate();
	time.now += MINUTE;
	/** Lets something happen before the given request of the next polls is answered. */
	const before = (request: number, happen: () => void) => {
		let requests = 0;
		service.onRequest = () => void (++requests === request && happen());
	};
	const poll = async () => {
		await trigger.tick();
		time.now += MINUTE;
	};
	return { service, workflow, trigger, start, existing, before, poll };
}

const ids = (things: Array<{ id?: unknown }>) => things.map(({ id }) => id);

test('emits a run once when a new run pushes it onto the next page', async () => {
	const { start, before, poll, trigger } = await watching({});
	const first = start(12);
	let late: FakeResource[] = [];
	before(3, () => (late = start(1)));
	await poll();
	await poll();
	expect(ids(trigger.emitted)).toEqual(ids([...first, ...late]));
});

test('the next poll emits a run that a deletion moved to a page that was already read', async () => {
	const { service, start, before, poll, trigger } = await watching({});
	const started = start(12);
	// The newest goes while the second page is asked for: the sixth is then on the first.
	before(3, () => service.runs.pop());
	await poll();
	expect(trigger.emitted).toHaveLength(11);
	await poll();
	expect(ids(trigger.emitted).sort()).toEqual(ids(started).sort());
});

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'%s: what had to wait when n8n was restarted is found again, and nothing else',
	async (order) => {
		const { start, trigger, poll } = await watching({ order, cursors: 'keyset' }, { maxItems: 4 });
		const started = start(18);
		await poll();
		await poll();
		expect(trigger.emitted).toHaveLength(8);
		await trigger.activate();
		for (let polls = 0; polls < 4; polls++) await poll();
		expect(ids(trigger.emitted)).toEqual(ids(started));
	},
);

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'%s: runs of one moment are told apart, however many pages they fill',
	async (order) => {
		const { start, trigger, poll } = await watching({ order, cursors: 'keyset' });
		const started = start(8, 0);
		for (let polls = 0; polls < 3; polls++) await poll();
		started.push(...start(9, 0));
		const same = started[0].created;
		for (const run of started) run.created = same;
		await poll();
		await poll();
		expect(ids(trigger.emitted).sort()).toEqual(ids(started).sort());
	},
);

test('reads the list from its start when the last page starts with another run', async () => {
	const { service, existing, start, trigger, poll } = await watching({ order: 'oldest' });
	// With offsets, the last page now begins where there is nothing.
	for (const run of existing.slice(0, 8)) service.runs.splice(service.runs.indexOf(run), 1);
	const started = start(2);
	await poll();
	expect(ids(trigger.emitted)).toEqual(ids(started));
});

test('the next poll reads all runs of a Prospector workflow that was found in a failed poll', async () => {
	const { service, start, trigger, poll } = await watching({ cursors: 'keyset' });
	time.now += 1000;
	const workflow = service.addWorkflow();
	time.now += 1000;
	const run = service.addRun(workflow, 'queued');
	time.now += 1000;
	const [other] = start(1);
	let requests = 0;
	service.onRequest = (path) => {
		requests++;
		service.outage = path.includes(workflow.id)
			? () => ({ statusCode: 422, headers: {}, body: '' })
			: undefined;
	};
	await poll();
	expect(requests).toBe(3);
	service.onRequest = () => {};
	service.outage = undefined;
	await poll();
	await poll();
	expect(ids(trigger.emitted).sort()).toEqual(ids([run, other]).sort());
});

test('a Prospector workflow that can never be read does not delay others', async () => {
	const { service, start, trigger, poll } = await watching({ cursors: 'keyset' });
	const broken = service.addWorkflow();
	service.onRequest = (path) => {
		const isBroken = path.includes(broken.id);
		service.outage = isBroken ? () => ({ statusCode: 500, headers: {}, body: '' }) : undefined;
	};
	const started: FakeResource[] = [];
	for (let polls = 0; polls < 5; polls++) {
		started.push(...start(1));
		await poll();
	}
	await poll();
	expect(ids(trigger.emitted)).toEqual(ids(started));
});

test('finds pending results of an old run again after a restart', async () => {
	const service = new Service({ order: 'newest', cursors: 'keyset', pageSize: 5, now: () => time.now });
	const run = service.addRun(service.addWorkflow(), 'completed');
	const results = Array.from({ length: 9 }, () => {
		time.now += 1000;
		return service.addResult(run);
	});
	time.now += 3 * 24 * 60 * MINUTE;
	const parameters = {
		event: 'newResult',
		watch: 'all',
		options: { includeExisting: true, maxItems: 4 },
	};
	const trigger = new ActiveTrigger(time, service, parameters);
	for (let polls = 0; polls < 4; polls++) {
		await trigger.activate();
		time.now += MINUTE;
	}
	expect(ids(trigger.emitted)).toEqual(ids(results));
});

test("the baseline of a Prospector workflow that is added later is the next poll, even if that can't read it", async () => {
	const service = new Service({ order: 'newest', cursors: 'keyset', pageSize: 5, now: () => time.now });
	const [first, second] = [service.addWorkflow(), service.addWorkflow()];
	const parameters = { event: 'newResult', watch: 'several', workflowIds: [first.id], options: {} };
	const trigger = new ActiveTrigger(time, service, parameters);
	await trigger.activate();
	time.now += MINUTE;
	const run = service.addRun(second, 'running');
	service.addResult(run);
	time.now += 1;
	parameters.workflowIds = [first.id, second.id];
	service.onRequest = (path) => {
		service.outage = path.includes(second.id)
			? () => ({ statusCode: 422, headers: {}, body: '' })
			: undefined;
	};
	await expect(trigger.tick()).rejects.toThrow();
	const late = service.addResult(run);
	service.onRequest = () => {};
	service.outage = undefined;
	time.now += MINUTE;
	await trigger.tick();
	expect(ids(trigger.emitted)).toEqual([late.id]);
});

test('does not infer a list order from a few runs that happen to be sorted', async () => {
	const service = new Service({ order: 'shuffled', cursors: 'keyset', pageSize: 2, now: () => time.now });
	const workflow = service.addWorkflow();
	const add = (id: string) => {
		time.now += 1000;
		const run = service.addRun(workflow, 'queued');
		run.id = id;
		return run;
	};
	// By id, the newest comes first: so far.
	['run_d', 'run_c', 'run_b', 'run_a'].forEach(add);
	time.now += 1;
	const trigger = new ActiveTrigger(time, service, { event: 'newRun', watch: 'all', options: {} });
	await trigger.activate();
	time.now += MINUTE;
	add('run_z');
	await trigger.tick();
	expect(ids(trigger.emitted)).toEqual(['run_z']);
});
