import type { IDataObject, INode } from 'n8n-workflow';
import { byId, node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { inputItems, manualWorkflow } from '../n8n/workflows';

describe('Every operation', () => {
	let e2e: Environment;
	let workflowId: string;
	beforeAll(async () => (e2e = await startEnvironment()));
	afterAll(async () => await e2e.close());
	beforeEach(() => {
		e2e.control.reset();
		[workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
	});

	const start = () => ({ resource: 'workflow', operation: 'run', workflowId: byId(workflowId) });

	/** Executes a Prospector node over input items, with a node behind each of its outputs. */
	async function execute(parameters: IDataObject, input: IDataObject[] = [{}], extra: Partial<INode> = {}) {
		const workflow = manualWorkflow(
			inputItems('Input', input),
			e2e.prospector('Prospector', parameters, extra),
		);
		const outputs = ['Regular', 'Error'].map((name) => node(name, 'n8n-nodes-base.noOp', {}));
		workflow.nodes.push(...outputs);
		workflow.connections.Prospector = {
			main: outputs.map(({ name }) => [{ node: name, type: 'main', index: 0 }]),
		};
		return await e2e.workflows.execute(workflow);
	}

	it('Workflow › Run starts a run with its own key for each item when it gets two items', async () => {
		const ended = await execute(start(), [{}, {}]);
		const journal = e2e.requests('runWorkflow');
		const { runs } = e2e.control.runs();
		const started = runs.filter((run) => run.workflowId === workflowId);
		expect(jsonOf(ended, 'Regular')).toMatchObject(
			started.map(({ id }, index) => ({
				...{ id, request_id: journal[index].requestId, idempotency_key: journal[index].idempotencyKey },
			})),
		);
		expect(new Set(journal.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
	});

	it('Result › Get Many reads every page in the order of the service when Return All is on', async () => {
		const { runs, results } = e2e.control.seed({ workflows: [{ runs: [{ results: 23 }] }] });
		e2e.control.patchSettings({ defaultPageSize: 5 });
		const list = { resource: 'result', operation: 'getAll', runId: byId(runs[0]), returnAll: true };
		const output = jsonOf(await execute(list), 'Regular');
		const ids = output.map(({ id }) => id);
		expect([...ids].sort()).toEqual([...results].sort());
		const journal = e2e.requests('listResults').map(({ requestId }) => requestId);
		expect(output.map((item) => item.request_id)).toEqual(ids.map((_, i) => journal[Math.floor(i / 5)]));
	});

	it('On Error: Continue (using error output) outputs the failed item and continues when the second of three items fails', async () => {
		const [known] = e2e.control.seed({ workflows: [{ runs: 1 }] }).runs;
		const input = [known, 'no_such_run', known].map((id) => ({ id }));
		const get = { resource: 'run', operation: 'get', runId: byId('={{ $json.id }}') };
		const ended = await execute(get, input, { onError: 'continueErrorOutput' });
		expect(ended.status).toBe('success');
		expect(jsonOf(ended, 'Regular').map(({ id }) => id)).toEqual([known, known]);
		const error = expect.stringMatching(
			/^Run 'no_such_run' was not found \(request req_\w+\) \[Item 1\]\. It/,
		);
		expect(jsonOf(ended, 'Error')).toEqual([{ id: 'no_such_run', error }]);
	});
});
