import type { IDataObject } from 'n8n-workflow';
import { byId } from '../nodes';
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

	test('the message says how to start a new run when the run has failed', async () => {
		setStatuses('Timed Out');
		const { message, description } = await env.getError(parameters(), input());
		const { path, requestId } = env.journal().at(-1) ?? {};
		expect(message).toBe(`Run '${path?.split('/').at(-1)}' ended as 'Timed Out' (request ${requestId})`);
		const restart = startsRun ? 'execute the n8n workflow from the start' : 'use Workflow › Run';
		expect(description).toContain(`To start a new run, ${restart}. Retry only checks this one again.`);
	});
});
