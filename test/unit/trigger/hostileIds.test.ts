import { idsOf, MINUTE, triggerScenario } from '../helpers/triggerScenario';

/** Names that every plain object inherits. */
const IDS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
/** The objects that a write through such a name would change. */
const SHARED: object[] = [
	Object.prototype,
	Object,
	...IDS.slice(2).map((name): object => Reflect.get(Object.prototype, name)),
];

const before = SHARED.map((object) => Reflect.ownKeys(object));

afterEach(() => {
	const added = SHARED.map((object, index) =>
		Reflect.ownKeys(object).filter((key) => !before[index].includes(key)),
	);
	// Later tests would not run with these.
	SHARED.forEach((object, index) => added[index].forEach((key) => Reflect.deleteProperty(object, key)));
	expect(added.flat()).toEqual([]);
});

/** A trigger for a workspace in which Prospector workflows, runs and results have such IDs. */
function hostileScenario(watched: string, event: string, options = {}) {
	const { time, service, watch, poll } = triggerScenario({ pageSize: 3 });
	const workflows = IDS.map((id) => service.addWorkflow(id));
	const trigger = watch(event, { watch: watched, workflowIds: IDS, options });
	return {
		...{ time, service, trigger },
		/** Starts a run per workflow, each with a result per ID. */
		startRuns: (status: string) =>
			workflows.map((workflow, index) => {
				time.now += 1000;
				const run = service.addRun(workflow, status, IDS[index]);
				IDS.forEach((id) => service.addResult(run, id));
				return run;
			}),
		/** Two polls, then two after a restart from the saved state. */
		async pollAndRestart() {
			await poll(trigger, 2);
			time.now += MINUTE;
			await trigger.activate();
			await poll(trigger);
		},
	};
}

describe.each(['all', 'several'])('a trigger that watches %s workflows', (watched) => {
	test.each([{}, { includeExisting: true }])(
		'reports every run once when IDs are names of Object.prototype (%j)',
		async (options) => {
			const { trigger, startRuns, pollAndRestart } = hostileScenario(watched, 'newRun', options);
			await trigger.activate();
			startRuns('completed');
			await pollAndRestart();
			expect(idsOf(trigger.emitted)).toEqual(IDS);
		},
	);

	test('emits every status once when IDs are names of Object.prototype', async () => {
		const { service, trigger, startRuns, pollAndRestart } = hostileScenario(watched, 'runStatusChanged');
		await trigger.activate();
		const runs = startRuns('running');
		await pollAndRestart();
		for (const run of runs) service.setStatus(run, 'completed');
		await pollAndRestart();
		expect(trigger.emitted.map(({ id, status }) => `${String(id)} ${String(status)}`).sort()).toEqual(
			IDS.flatMap((id) => [`${id} completed`, `${id} running`]).sort(),
		);
	});

	test.each([{}, { includeExisting: true }])(
		'reports every result once when IDs are names of Object.prototype (%j)',
		async (options) => {
			const { trigger, startRuns, pollAndRestart } = hostileScenario(watched, 'newResult', options);
			await trigger.activate();
			startRuns('completed');
			await pollAndRestart();
			expect(trigger.emitted.map((item) => `${String(item.run_id)} ${String(item.id)}`).sort()).toEqual(
				IDS.flatMap((run) => IDS.map((id) => `${run} ${id}`)).sort(),
			);
		},
	);

	test.each(['newRun', 'runStatusChanged', 'newResult'])(
		'%s emits nothing that existed before when IDs are names of Object.prototype',
		async (event) => {
			const { time, trigger, startRuns, pollAndRestart } = hostileScenario(watched, event);
			startRuns('running');
			time.now += 1;
			await trigger.activate();
			await pollAndRestart();
			expect(trigger.emitted).toEqual([]);
		},
	);
});
