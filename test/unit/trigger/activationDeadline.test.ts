import { ActiveTrigger, VirtualTime } from '../helpers/trigger/activeTrigger';
import { Service } from '../helpers/trigger/service';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** n8n 2.41 gives up an activation after this time, and a restart is one. */
const N8N_WAITS = 84 * SECOND;

let time: VirtualTime;
beforeEach(() => void (time = new VirtualTime()));

const ids = (things: Array<{ id?: unknown }>) => things.map(({ id }) => String(id)).sort();
const down = () => ({ statusCode: 503, headers: {}, body: '' });

/** A service whose answers take their time, with so many workflows of two runs with two results each. */
function slowService(workflows: number, perRequest: number) {
	const service = new Service({ order: 'newest', cursors: 'keyset', pageSize: 5, now: () => time.now });
	for (let count = 0; count < workflows; count++) {
		const workflow = service.addWorkflow();
		for (const run of [service.addRun(workflow, 'running'), service.addRun(workflow, 'completed')]) {
			service.addResult(run);
			time.now += SECOND;
		}
	}
	service.onRequest = () => void (time.now += perRequest);
	return service;
}
const watching = (service: Service, event: string) =>
	new ActiveTrigger(time, service, { event, watch: 'all', options: {} });
const duration = async (action: () => Promise<unknown>) => {
	const begin = time.now;
	const failure = await action().then(
		() => undefined,
		(thrown: Error) => thrown.message,
	);
	return { took: time.now - begin, failure };
};

test.each(['newRun', 'runStatusChanged', 'newResult'])(
	'%s: a large workspace does not hold up the activation, and what exists is not put out',
	async (event) => {
		const service = slowService(40, 2 * SECOND);
		const trigger = watching(service, event);
		const { took, failure } = await duration(trigger.activate);
		expect(failure).toBeUndefined();
		expect(took).toBeLessThan(N8N_WAITS);
		// Before every workflow could be begun with, something happens in each.
		const news = service.workflows.map((workflow) => service.addRun(workflow, 'running'));
		const results = news.map((run) => service.addResult(run));
		for (let polls = 0; polls < 60; polls++) {
			time.now += MINUTE;
			await trigger.tick();
		}
		expect(ids(trigger.emitted)).toEqual(ids(event === 'newResult' ? results : news));
	},
);

test.each(['newRun', 'runStatusChanged', 'newResult'])(
	'%s: n8n may start again while the service is out of order, and nothing is lost',
	async (event) => {
		const service = slowService(3, 0);
		const trigger = watching(service, event);
		await trigger.activate();
		time.now += MINUTE;
		const run = service.addRun(service.workflows[0], 'running');
		const result = service.addResult(run);
		service.outage = down;
		const { took, failure } = await duration(trigger.activate);
		expect(failure).toBeUndefined();
		expect(took).toBeLessThan(N8N_WAITS);
		service.outage = undefined;
		time.now += MINUTE;
		await trigger.tick();
		expect(ids(trigger.emitted)).toEqual(ids([event === 'newResult' ? result : run]));
	},
);

test('the first activation fails in time with a message when the service does not respond', async () => {
	const service = slowService(3, 0);
	service.outage = down;
	const { took, failure } = await duration(watching(service, 'newRun').activate);
	expect(failure).toMatch(/^The service/);
	expect(took).toBeLessThan(N8N_WAITS);
});

test.each(['newRun', 'newResult'])(
	'%s: a limit that is used up does not hold the activation up, and what happens meanwhile is put out',
	async (event) => {
		const service = slowService(2, 0);
		const trigger = watching(service, event);
		service.outage = () => ({ statusCode: 429, headers: {}, body: {} });
		const { took, failure } = await duration(trigger.activate);
		expect(failure).toBeUndefined();
		expect(took).toBeLessThan(N8N_WAITS / 2);
		time.now += 10 * SECOND;
		const run = service.addRun(service.workflows[0], 'running');
		const result = service.addResult(run);
		service.outage = undefined;
		for (let polls = 0; polls < 4; polls++) {
			time.now += MINUTE;
			await trigger.tick();
		}
		expect(ids(trigger.emitted)).toEqual(ids([event === 'newResult' ? result : run]));
	},
);

test('an activation ends before its deadline when the service asks to wait longer', async () => {
	const service = slowService(1, 0);
	const trigger = watching(service, 'newRun');
	const answer = service.answer.bind(service);
	const timeouts: Array<number | undefined> = [];
	service.answer = async (options) => {
		timeouts.push(options.timeout);
		return await answer(options);
	};
	await trigger.activate();
	expect(Math.max(...timeouts.map((timeout) => timeout ?? Infinity))).toBeLessThanOrEqual(45 * SECOND);
	timeouts.length = 0;
	time.now += MINUTE;
	await trigger.tick();
	expect(timeouts[0]).toBe(60 * SECOND);
});

test('applies the activation deadline to repeated activations', async () => {
	const service = slowService(1, 0);
	service.outage = down;
	const trigger = watching(service, 'newRun');
	const memory = {};
	for (let attempt = 0; attempt < 3; attempt++) {
		const { took, failure } = await duration(async () => await trigger.retryActivation(memory));
		expect(failure).toMatch(/^The service/);
		expect(took).toBeLessThan(N8N_WAITS / 2);
	}
});

test('logs a maintenance page, and reports it after an hour', async () => {
	const service = slowService(1, 0);
	const trigger = watching(service, 'newRun');
	await trigger.activate();
	service.outage = () => ({ statusCode: 200, headers: {}, body: '<html>Maintenance</html>' });
	const failures: unknown[] = [];
	for (let minute = 0; minute < 70; minute++) {
		time.now += MINUTE;
		failures.push((await duration(trigger.tick)).failure);
	}
	expect(failures.filter(Boolean)).toEqual([expect.stringMatching(/^The address answered with a web page/)]);
	expect(trigger.log.at(-1)).toMatch(/ in '.*': The address answered .*\. The next poll catches up$/);
});

test('a key that was revoked while n8n was down becomes a failed execution when n8n starts', async () => {
	const service = slowService(1, 0);
	const trigger = watching(service, 'newRun');
	await trigger.activate();
	service.outage = () => ({ statusCode: 401, headers: {}, body: {} });
	expect((await duration(trigger.activate)).failure).toBeUndefined();
	expect(trigger.emittedErrors).toEqual([expect.stringMatching(/^The API key was not accepted/)]);
	time.now += 60 * MINUTE;
	await expect(trigger.tick()).rejects.toMatchObject({
		message: expect.stringMatching(/^The API key was not accepted/),
		description: expect.stringMatching(/^[^.]*\. .*Nothing is lost: the next poll catches up\.$/),
	});
});

test('New Result: a later poll reads a run that the activation had no time for', async () => {
	const service = new Service({ order: 'shuffled', cursors: 'keyset', pageSize: 5, now: () => time.now });
	const run = service.addRun(service.addWorkflow(), 'completed');
	const trigger = watching(service, 'newResult');
	await trigger.activate();
	for (let count = 0; count < 200; count++) service.addResult(run);
	for (let polls = 0; polls < 3; polls++) {
		time.now += MINUTE;
		await trigger.tick();
	}
	expect(trigger.emitted).toHaveLength(200);
	// So long after that it would not be watched any more, had it been read.
	time.now += 25 * 60 * MINUTE;
	service.addResult(run);
	service.onRequest = () => void (time.now += 2 * SECOND);
	const { took } = await duration(trigger.activate);
	expect(took).toBeLessThan(N8N_WAITS);
	for (let polls = 0; polls < 3; polls++) {
		time.now += MINUTE;
		await trigger.tick();
	}
	expect(trigger.emitted).toHaveLength(201);
});
