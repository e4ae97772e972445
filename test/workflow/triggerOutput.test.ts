import type { INodeExecutionData } from 'n8n-workflow';
import { byId } from './support';
import { startTriggerEnvironment, type TriggerEnvironment } from './triggerBench';

let bench: TriggerEnvironment;
let workflowId: string;

beforeEach(async () => {
	bench = await startTriggerEnvironment({
		resultsPerRun: 1,
		extraFields: { run: { owner: 1 }, result: { web: 1 } },
	});
	[workflowId] = bench.control.seed({ workflows: 1 }).workflows;
	bench.pass(1000);
});
afterEach(async () => await bench.close());

const RUN = ['created_at', 'id', 'request_id', 'status', 'workflow_id'];
const RESULT = [
	...['company_name', 'created_at', 'id', 'lead_id', 'request_id', 'run_id', 'run_status', 'workflow_id'],
];
const FIELDS: Array<[string, string[], string[], string[]]> = [
	['newRun', RUN, [...RUN, 'object', 'owner', 'updated_at'], ['id', 'owner', 'request_id']],
	[
		'newResult',
		RESULT,
		[...RESULT, 'object', 'updated_at', 'web'],
		['id', 'request_id', 'run_id', 'run_status', 'web'],
	],
	...['runFailed', 'runStatusChanged'].map((event): [string, string[], string[], string[]] => [
		event,
		[...RUN, 'previous_status'],
		[...RUN, 'object', 'owner', 'previous_status', 'updated_at'],
		['id', 'owner', 'previous_status', 'request_id'],
	]),
];

describe.each(FIELDS)('%s', (event, simplified, everything, chosen) => {
	test.each([
		['has the documented fields by default', {}, simplified],
		['has every field without Simplify', { simplify: false }, everything],
		['has the Fields to Return', { options: { fieldsToReturn: 'owner, web, nowhere' } }, chosen],
	])('%s', async (_, parameters, expected) => {
		const all = { event, watch: 'one', workflowId: byId(workflowId), options: {}, ...parameters };
		const trigger = bench.trigger(all);
		await trigger.activate();
		bench.control.seed({ runs: [{ workflowId, status: 'failed' }] });
		const keys = (items: INodeExecutionData[]) => items.map(({ json }) => Object.keys(json).sort());
		expect(keys(await trigger.tick())).toEqual([[...expected].sort()]);
		expect(keys(await trigger.test())).toEqual([[...expected].sort()]);
	});
});
