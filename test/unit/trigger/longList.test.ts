import { DAY, triggerScenario } from '../helpers/triggerScenario';

/** More than the arguments that a function call takes in Node.js. */
const COUNT = 125_000;

/** A service that returns every list on one page. */
const unpaged = () => triggerScenario({ cursors: 'offset', pageSize: COUNT });

test.each(['newRun', 'runStatusChanged'])(
	'%s reads a list of 125,000 runs when the service returns it on one page',
	async (event) => {
		const { service, watch } = unpaged();
		const workflow = service.addWorkflow();
		const trigger = watch(event, { options: { includeExisting: true, maxItems: 10 } });
		for (let run = 0; run < COUNT; run++) service.addRun(workflow, 'completed');
		await trigger.activate();
		expect(trigger.emitted).toHaveLength(10);
	},
);

test('newResult reads 125,000 results of one run when the service returns them on one page', async () => {
	const { time, service, watch } = unpaged();
	const run = service.addRun(service.addWorkflow(), 'completed');
	for (let result = 0; result < COUNT; result++) service.addResult(run);
	// By then the run is no longer watched, and its results are reduced to a time.
	time.now += 7 * DAY;
	const trigger = watch('newResult');
	await trigger.activate();
	expect(trigger.emitted).toEqual([]);
});
