import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { SandboxSettings } from '../../sandbox/settings';
import { byId } from '../nodes';
import { VirtualTime } from '../simulator/activeTrigger';
import { idsOf, startEnvironment, type Environment } from './environment';

let env: Environment;
let workflowId: string;

/** The service and n8n share it. */
const time = new VirtualTime();

async function start(settings: Partial<SandboxSettings> = {}) {
	const defaults = { runStageMs: 60_000, resultsPerRun: 3, defaultPageSize: 5 };
	env = await startEnvironment({ ...defaults, ...settings }, { clock: time.clock, time: () => time.nowMs });
	[workflowId] = env.control.seed({ workflows: [{ name: 'Logistics', runs: 2 }] }).workflows;
	time.advance(1000);
}
beforeEach(async () => await start());
afterEach(async () => await env.close());

const one = (event: string, options: IDataObject = {}) => ({
	...{ event, watch: 'one', workflowId: byId(workflowId), options },
});
const addRun = (seed: object = {}) => env.control.seed({ runs: [{ workflowId, ...seed }] }).runs[0];

test('polls emit the oldest items first and the rest later, even after a restart, if Max Items per Poll is exceeded', async () => {
	env.control.patchSettings({ listOrder: 'oldest' });
	const trigger = env.trigger(one('newRun', { maxItems: 2, pageSize: 1 }));
	await trigger.activate();
	const runs: string[] = [];
	for (let run = 0; run < 5; run++) {
		time.advance(1000);
		runs.push(addRun());
	}
	expect(idsOf(await trigger.tick())).toEqual(runs.slice(0, 2));
	// The pending items are lost with the process.
	trigger.deactivate();
	expect(idsOf(await trigger.activate())).toEqual(runs.slice(2, 4));
	expect(idsOf(await trigger.tick())).toEqual(runs.slice(4));
	expect(await trigger.tick()).toEqual([]);
});

test.each([
	[{ workflowId: byId('') }, /'Prospector Workflow' is empty/],
	[{ watch: 'several', workflowIds: ['https://x.example'] }, /'Prospector Workflow Names or IDs' got a web/],
	[{ event: 'somethingElse' }, /'Trigger On' has no option 'somethingElse'/],
	[{ options: { maxItems: 0 } }, /'Max Items per Poll' must be a whole number from 1 to 10000/],
	[{ options: { maxRequests: 4 } }, /'Max Requests per Poll' must be a whole number from 5 to 1000/],
	[{ simplify: 'perhaps' }, /'Simplify' is neither true nor false/],
])('the activation fails before the first request if a parameter is invalid (%j)', async (rest, message) => {
	const trigger = env.trigger({ ...one('newRun'), ...rest });
	const failure = { message: expect.stringMatching(message) as unknown, description: undefined };
	await expect(trigger.activate()).rejects.toMatchObject(failure);
	expect(env.journal()).toEqual([]);
});

const WORKFLOW = ['workflow_id', 'workflow_name'];
const RUN = ['created_at', 'id', 'owner', 'request_id', 'run_outcome', 'status', ...WORKFLOW];
const CHOSEN = ['id', 'owner', 'request_id', 'run_outcome', ...WORKFLOW];
const RESULT = ['company_name', 'created_at', 'id', 'lead_id', 'request_id', 'run_id', 'run_status', 'web'];

test.each<[string, string[], string[]]>([
	['newRun', RUN, CHOSEN],
	['newResult', [...RESULT, ...WORKFLOW], ['id', 'request_id', 'run_id', 'run_status', 'web', ...WORKFLOW]],
	['runFailed', [...RUN, 'previous_status'], [...CHOSEN, 'previous_status']],
])('Simplify and Fields to Return choose the fields of the event %s', async (event, simplified, chosen) => {
	await env.close();
	await start({ resultsPerRun: 1, extraFields: { run: { owner: 1 }, result: { web: 1 } } });
	const outputs = [
		[one(event), simplified],
		[{ ...one(event), simplify: false }, [...simplified, 'object', 'updated_at']],
		[one(event, { fieldsToReturn: 'owner, web, nowhere' }), chosen],
	] as const;
	const triggers = outputs.map(([parameters]) => env.trigger(parameters));
	for (const trigger of triggers) await trigger.activate();
	addRun({ status: 'failed' });
	const keysOf = ([{ json }]: INodeExecutionData[]) => Object.keys(json).sort();
	for (const [index, [, fields]] of outputs.entries()) {
		expect(keysOf(await triggers[index].tick())).toEqual([...fields].sort());
		expect(keysOf(await triggers[index].test())).toEqual([...fields].sort());
	}
});
