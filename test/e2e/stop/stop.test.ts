import type { IDataObject } from 'n8n-workflow';
import { byId } from '../../nodes';
import { useEnvironment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { eventually } from '../../eventually';
import { manualWorkflow } from '../n8n/workflows';

const NODE = 'Run and get its leads';

describe('Stop and execution timeout while a node waits for a run', () => {
	const e2e = useEnvironment({ settings: { resultsPerRun: 2 } });
	beforeEach(() => e2e.clearRequests());

	test.each([
		['a person stops the execution', undefined],
		['an execution timeout of 5 s is reached', 5],
	])(
		'the next execution with the same idempotency key gets the results of the run if the first execution is canceled because %s',
		async (_, executionTimeout) => {
			const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
			e2e.control.patchSettings({ finalStatusByWorkflow: { [workflowId]: 'running' } });
			const parameters: IDataObject = {
				...{ resource: 'workflow', operation: 'runAndGetResults', workflowId: byId(workflowId) },
				options: { preventDuplicates: 'key', idempotencyKey: `leads of ${workflowId}` },
			};
			const workflow = await e2e.workflows.create(manualWorkflow(e2e.prospector(NODE, parameters)), {
				...(executionTimeout && { executionTimeout }),
			});
			const id = await e2e.workflows.start(workflow);
			await eventually('a status check', () => e2e.requests('getRun').length > 0);
			if (!executionTimeout) await e2e.executions.stop(id);
			const canceled = await e2e.executions.ended(id);
			expect([canceled.status, jsonOf(canceled, NODE)]).toEqual(['canceled', []]);

			const [run] = e2e.runsOf(workflowId);
			e2e.control.setRunStatus(run.id, 'completed');
			e2e.clearRequests();
			const next = await e2e.executions.ended(await e2e.workflows.start(workflow));
			expect(next.status).toBe('success');
			expect(jsonOf(next, NODE).map((item) => item.run_id)).toEqual([run.id, run.id]);
			expect(e2e.control.runs().perWorkflow[workflowId]).toBe(1);
			// The first execution sends no further request.
			expect(e2e.requests('getRun')).toHaveLength(1);
		},
	);
});
