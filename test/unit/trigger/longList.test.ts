import { ActiveTrigger, VirtualTime } from '../helpers/trigger/activeTrigger';
import { Service } from '../helpers/trigger/service';

/** More than the arguments that a function call takes in Node.js. */
const COUNT = 125_000;

let time: VirtualTime;
beforeEach(() => void (time = new VirtualTime()));

/** A service that returns every list on one page. */
const unpaged = () =>
	new Service({ order: 'newest', cursors: 'offset', pageSize: COUNT, now: () => time.now });

test.each(['newRun', 'runStatusChanged'])(
	'%s reads a list of 125,000 runs when the service returns it on one page',
	async (event) => {
		const service = unpaged();
		const workflow = service.addWorkflow();
		const options = { includeExisting: true, maxItems: 10 };
		const trigger = new ActiveTrigger(time, service, { event, watch: 'all', options });
		for (let run = 0; run < COUNT; run++) service.addRun(workflow, 'completed');
		await trigger.activate();
		expect(trigger.emitted).toHaveLength(10);
	},
);

test('newResult reads 125,000 results of one run when the service returns them on one page', async () => {
	const service = unpaged();
	const run = service.addRun(service.addWorkflow(), 'completed');
	for (let result = 0; result < COUNT; result++) service.addResult(run);
	// By then the run is no longer watched, and its results are reduced to a time.
	time.now += 7 * 24 * 3_600_000;
	const trigger = new ActiveTrigger(time, service, { event: 'newResult', watch: 'all', options: {} });
	await trigger.activate();
	expect(trigger.emitted).toEqual([]);
});
