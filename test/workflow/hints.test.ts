import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import { byId } from '../nodes';
import { hintsOf, startFastEnvironment, type FastEnvironment } from './environment';

let env: FastEnvironment;
let running: string;
let finished: string;
beforeAll(async () => {
	// Faster, and the hint about throttling would appear on a busy machine.
	env = await startFastEnvironment({}, 10);
	const runs = ['running', 'completed'].map((status) => ({ status, results: 2 }));
	[running, finished] = env.control.seed({ workflows: [{ runs }] }).runs;
});
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

const resultsOf = (id: string, options: IDataObject = {}, rest: IDataObject = {}): IDataObject => ({
	...{ resource: 'result', operation: 'getAll', runId: byId(id), returnAll: true, options },
	...rest,
});
const countRequests = (name: string) => env.operations().filter((operation) => operation === name).length;

describe('Reading the results of an unfinished run', () => {
	test('the node adds a hint after one status check when the run whose results are read has not finished', async () => {
		const ended = await env.runNode(resultsOf(running));
		const message = `Run '${running}' is 'running'. If it is still going, more results will follow: use Run › Get with 'Wait for Completion' to get them all.`;
		expect(ended.data.resultData.runData.Prospector[0].hints).toEqual([
			{ message, type: 'warning', location: 'outputPane' },
		]);
		expect(env.operations()).toEqual(['getRun', 'listResults']);
	});

	test('the node adds one hint when many input items name the same runs', async () => {
		const input = Array.from({ length: 20 }, (_, i) => ({ run: i % 4 === 0 ? finished : running }));
		const ended = await env.runNode(resultsOf('={{ $json.run }}'), input);
		expect(hintsOf(ended)).toHaveLength(1);
		expect([countRequests('getRun'), countRequests('listResults')]).toEqual([20, 20]);
	});

	test('the node still adds the hint about an unfinished run when On Error is Continue and another item fails', async () => {
		const input = [{ id: running }, { id: 'no_such_run' }];
		const ended = await env.runNode(resultsOf('={{ $json.id }}'), input, {
			onError: 'continueRegularOutput',
		});
		expect(outputOf(ended, 'Prospector').map(({ json }) => 'error' in json)).toEqual([false, false, true]);
		expect(hintsOf(ended)).toHaveLength(1);
	});
});

test.each(['create', 'update'])(
	'the node adds a hint if the operation %s has no fields to send',
	async (operation) => {
		const [workflowId] = env.control.seed({ workflows: 1 }).workflows;
		const parameters = { resource: 'workflow', operation, workflowId: byId(workflowId) };
		expect(hintsOf(await env.runNode(parameters))).toEqual(['No fields were sent.']);
	},
);
