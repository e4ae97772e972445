import { outputOf } from '../../scripts/engine';
import { byId } from '../nodes';
import { hintsOf, startFastEnvironment, type FastEnvironment } from './environment';

let env: FastEnvironment;
let running: string;
let partial: string;
beforeAll(async () => {
	// Faster, and the hint about throttling would appear on a busy machine.
	env = await startFastEnvironment({}, 10);
	const runs = [{ status: 'running', results: 2 }, { status: 'partial' }];
	[running, partial] = env.control.seed({ workflows: [{ runs }] }).runs;
});
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

const resultsOf = (id: string) => ({
	...{ resource: 'result', operation: 'getAll', runId: byId(id), returnAll: true },
});

test('Result › Get Many checks the status once, and adds a hint if the run is running but not if it has ended', async () => {
	const ended = await env.runNode(resultsOf(running));
	const message = `Run '${running}' (running) may not have finished. If a run is still going, more results will follow: use Run › Get with 'Wait for Completion' and 'Return Results' to get them all.`;
	expect(ended.data.resultData.runData.Prospector[0].hints).toEqual([
		{ message, type: 'warning', location: 'outputPane' },
	]);
	expect(env.operations()).toEqual(['getRun', 'getWorkflow', 'listResults']);
	expect(hintsOf(await env.runNode(resultsOf(partial)))).toEqual([]);
});

test('the node still adds the hint about an unfinished run when On Error is Continue and another item fails', async () => {
	const input = [{ id: running }, { id: 'no_such_run' }];
	const ended = await env.runNode(resultsOf('={{ $json.id }}'), input, { onError: 'continueRegularOutput' });
	expect(outputOf(ended, 'Prospector').map(({ json }) => 'error' in json)).toEqual([false, false, true]);
	expect(hintsOf(ended)).toHaveLength(1);
});
