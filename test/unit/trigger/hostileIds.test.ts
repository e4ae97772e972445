import { ActiveTrigger, VirtualTime } from '../helpers/trigger/activeTrigger';
import { Service, type FakeResource } from '../helpers/trigger/service';

const MINUTE = 60_000;
/** Names that every plain object inherits. */
const IDS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
/** Whatever a write through such a name would change. */
const SHARED: object[] = [Object.prototype, Object, ...Object.values(inherited())];

let time: VirtualTime;
const before = SHARED.map((object) => Reflect.ownKeys(object));

beforeEach(() => void (time = new VirtualTime()));
afterEach(() => {
	const added = SHARED.map((object, index) =>
		Reflect.ownKeys(object).filter((key) => !before[index].includes(key)),
	);
	// Later tests would not run with these.
	SHARED.forEach((object, index) => added[index].forEach((key) => Reflect.deleteProperty(object, key)));
	expect(added.flat()).toEqual([]);
});

function inherited() {
	const { toString, hasOwnProperty } = Object.prototype;
	return { toString, hasOwnProperty };
}

/** A workspace in which workflows, their runs and the results of these have such ids. */
function hostileWorkspace() {
	const service = new Service({ order: 'newest', cursors: 'keyset', pageSize: 3, now: () => time.now });
	const workflows = IDS.map((id) => service.addWorkflow(id));
	const startRuns = (status: string) =>
		workflows.map((workflow, index) => {
			time.now += 1000;
			return service.addRun(workflow, status, IDS[index]);
		});
	const addResults = (runs: FakeResource[]) =>
		runs.flatMap((run) =>
			IDS.map((id) => {
				time.now += 1000;
				return service.addResult(run, id);
			}),
		);
	return { service, startRuns, addResults };
}

describe.each(['all', 'several'])('a trigger that watches %s workflows', (watch) => {
	const chosen = { watch, workflowIds: IDS };

	/** Two polls, then two after a restart from the saved state. */
	async function pollAndRestart(trigger: ActiveTrigger) {
		await trigger.tick();
		time.now += MINUTE;
		await trigger.tick();
		time.now += MINUTE;
		await trigger.activate();
		time.now += MINUTE;
		await trigger.tick();
	}

	test.each([{}, { includeExisting: true }])(
		'reports every run once when ids are names of Object.prototype (%j)',
		async (options) => {
			const { service, startRuns } = hostileWorkspace();
			const trigger = new ActiveTrigger(time, service, { ...chosen, event: 'newRun', options });
			await trigger.activate();
			time.now += MINUTE;
			startRuns('completed');
			await pollAndRestart(trigger);
			expect(trigger.emitted.map(({ id }) => id)).toEqual(IDS);
		},
	);

	test('emits every status once when IDs are names of Object.prototype', async () => {
		const { service, startRuns } = hostileWorkspace();
		const trigger = new ActiveTrigger(time, service, { ...chosen, event: 'runStatusChanged', options: {} });
		await trigger.activate();
		time.now += MINUTE;
		const runs = startRuns('running');
		await pollAndRestart(trigger);
		for (const run of runs) service.setStatus(run, 'completed');
		time.now += MINUTE;
		await pollAndRestart(trigger);
		expect(trigger.emitted.map(({ id, status }) => `${String(id)} ${String(status)}`).sort()).toEqual(
			IDS.flatMap((id) => [`${id} completed`, `${id} running`]).sort(),
		);
	});

	test.each([{}, { includeExisting: true }])(
		'reports every result once when ids are names of Object.prototype (%j)',
		async (options) => {
			const { service, startRuns, addResults } = hostileWorkspace();
			const trigger = new ActiveTrigger(time, service, { ...chosen, event: 'newResult', options });
			await trigger.activate();
			time.now += MINUTE;
			addResults(startRuns('completed'));
			await pollAndRestart(trigger);
			expect(trigger.emitted.map((item) => `${String(item.run_id)} ${String(item.id)}`).sort()).toEqual(
				IDS.flatMap((run) => IDS.map((id) => `${run} ${id}`)).sort(),
			);
		},
	);

	test('emits nothing that existed before when IDs are names of Object.prototype', async () => {
		for (const event of ['newRun', 'runStatusChanged', 'newResult']) {
			const { service, startRuns, addResults } = hostileWorkspace();
			addResults(startRuns('running'));
			time.now += 1;
			const trigger = new ActiveTrigger(time, service, { ...chosen, event, options: {} });
			await trigger.activate();
			time.now += MINUTE;
			await pollAndRestart(trigger);
			expect(trigger.emitted).toEqual([]);
		}
	});
});
