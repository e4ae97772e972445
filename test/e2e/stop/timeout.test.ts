import type { IDataObject } from 'n8n-workflow';
import { byId } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf } from '../n8n/executions';
import { manualWorkflow, type Saved } from '../n8n/workflows';

const NODE = 'Run and get its leads';

describe("n8n's execution timeout, while a node waits for a run", () => {
	let e2e: Environment;
	let workflowId: string;
	beforeAll(async () => (e2e = await startEnvironment({ settings: { resultsPerRun: 2 } })));
	afterAll(async () => await e2e?.close());
	beforeEach(() => {
		[workflowId] = e2e.control.seed({ workflows: [{ name: 'Long' }] }).workflows;
		e2e.control.patchSettings({ finalStatusByWorkflow: { [workflowId]: 'running' } });
	});

	/** @param executionTimeout in seconds */
	async function create(parameters: IDataObject, executionTimeout: number): Promise<Saved> {
		const run = { resource: 'workflow', operation: 'runAndGetResults', workflowId: byId(workflowId) };
		const node = e2e.prospector(NODE, { ...run, options: {}, ...parameters });
		return await e2e.workflows.create(manualWorkflow(node), { executionTimeout });
	}
	const execute = async (workflow: Saved) => await e2e.executions.ended(await e2e.workflows.start(workflow));

	/** Lets the only run finish. */
	function finishRun(): string {
		const [{ id }, ...others] = e2e.control.runs().runs.filter((run) => run.workflowId === workflowId);
		expect(others).toEqual([]);
		e2e.control.setRunStatus(id, 'completed');
		return id;
	}

	it('cancels the execution; with Once per Key, the next one gets the results of the same run', async () => {
		const options = { preventDuplicates: 'key', idempotencyKey: `timeout of ${workflowId}` };
		const workflow = await create({ options }, 5);
		const canceled = await execute(workflow);
		// n8n's list of executions offers Retry only for those with the status error or crashed.
		expect([canceled.status, jsonOf(canceled, NODE)]).toEqual(['canceled', []]);

		const id = finishRun();
		const next = await execute(workflow);
		expect(next.status).toBe('success');
		expect(jsonOf(next, NODE).map(({ run_id: runId }) => runId)).toEqual([id, id]);
		expect(e2e.control.runs().perWorkflow[workflowId]).toBe(1);
	});

	it('is not reached if Wait Up To is shorter; Retry then goes on with the same run', async () => {
		const failed = await execute(await create({ waitUpTo: 2 }, 30));
		expect(failed.status).toBe('error');
		expect(failureOf(failed)).toMatch(/^Run '\w+' was still 'running' after 2 s/);

		const id = finishRun();
		const retry = await e2e.executions.retry(failed.id);
		expect(retry.status).toBe('success');
		expect(jsonOf(retry, NODE).map(({ run_id: runId }) => runId)).toEqual([id, id]);
		expect(e2e.control.runs().perWorkflow[workflowId]).toBe(1);
	});
});
