import type { IDataObject } from 'n8n-workflow';
import { outputOf, stateForRetry } from '../../scripts/engine';
import { byId, chainNodes } from '../nodes';
import { startFastEnvironment, useEnvironment } from './environment';

/** On the fast clock. */
const STAGE_MS = 5000;

const env = useEnvironment(async () => await startFastEnvironment({ resultsPerRun: 3 }));
let workflowId: string;
beforeAll(() => void ([workflowId] = env.control.seed({ workflows: 1 }).workflows));
beforeEach(() => setStatuses('queued', 'running', 'completed'));

const setStatuses = (...runStatuses: string[]) =>
	env.control.patchSettings({ runStatuses, runStageMs: STAGE_MS });
const seedRuns = (count: number) =>
	env.control.seed({ runs: Array.from({ length: count }, () => ({ workflowId, live: true })) }).runs;
const requestsOf = (name: string) => env.journal().filter(({ operation }) => operation === name);
const committedStarts = () => requestsOf('runWorkflow').map(({ committed }) => committed);

const waitParameters = {
	'Workflow › Run and Get Results': {
		...{ resource: 'workflow', operation: 'runAndGetResults', workflowId: byId('={{ $json.id }}') },
	},
	'Run › Get': { resource: 'run', operation: 'get', runId: byId('={{ $json.id }}'), waitForCompletion: true },
};

describe.each(Object.entries(waitParameters))('%s', (title, ids) => {
	const startsRun = title === 'Workflow › Run and Get Results';
	/** An input item; its run goes through the current statuses of the sandbox. */
	const input = () => [{ id: startsRun ? workflowId : seedRuns(1)[0] }];
	const parameters = (rest: IDataObject = {}) => ({ ...ids, ...rest });
	/** The last status of the run of an item. */
	const statusIn = (json: IDataObject) => (startsRun ? json.run_status : json.status);

	test('the node returns each result with the ID and status of its run when the run has finished', async () => {
		const returned = { simplify: false, ...(!startsRun && { returnResults: true }) };
		const items = await env.getItems(parameters(returned), input());
		const [request] = requestsOf('listResults');
		const [start] = requestsOf('runWorkflow');
		expect(items).toHaveLength(3);
		for (const { json, pairedItem } of items) {
			expect(pairedItem).toEqual({ item: 0 });
			expect(json).toEqual({
				...{ object: 'prospector_result', id: expect.any(String), created_at: expect.any(String) },
				...{ updated_at: expect.any(String), lead_id: expect.any(String), company_name: expect.any(String) },
				...{ run_id: request.path.split('/').at(-2), run_status: 'completed', request_id: request.requestId },
				...{ workflow_id: workflowId, workflow_name: expect.stringMatching(/^Seeded workflow/) as unknown },
				...(startsRun && { idempotency_key: start.idempotencyKey, run_request_id: start.requestId }),
			});
		}
	});

	test('a retry of the execution waits for the same run when the first execution exceeded Wait Up To', async () => {
		setStatuses('brewing', 'completed');
		env.control.patchSettings({ runStageMs: 60_000 });
		const workflow = chainNodes(env.prospector(parameters({ waitUpTo: 10 })));
		const failed = await env.run(workflow, { input: input().map((json) => ({ json })) });
		expect(failed.status).toBe('error');
		await env.clock.timing.sleep(60_000);
		const retried = await env.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(statusIn(outputOf(retried, 'Prospector')[0].json)).toBe('completed');
		expect(committedStarts()).toEqual(startsRun ? [true] : []);
		expect(new Set(requestsOf('getRun').map(({ path }) => path)).size).toBe(1);
	});

	test('the message says how to start a new run when the run has failed', async () => {
		setStatuses('Timed Out');
		const { message, description } = await env.getError(parameters(), input());
		const { path, requestId } = env.journal().at(-1) ?? {};
		expect(message).toBe(`Run '${path?.split('/').at(-1)}' ended as 'Timed Out' (request ${requestId})`);
		const restart = startsRun ? 'execute the n8n workflow from the start' : 'use Workflow › Run';
		expect(description).toContain(`To start a new run, ${restart}. Retry only checks this one again.`);
	});
});
