import { byId } from '../nodes';
import { startEnvironment, useEnvironment } from './environment';
import { loopNode, loopOver } from './fixtures';

const env = useEnvironment(async () => await startEnvironment({ defaultPageSize: 3 }));
beforeAll(() => void env.nodeTypes.add('test.loop', loopNode));

const addRuns = (...results: number[]) =>
	env.control.seed({ workflows: [{ runs: results.map((count) => ({ results: count })) }] }).runs;
const read = { resource: 'result', operation: 'getAll', runId: byId('={{ $json.id }}'), returnAll: true };

test('the node reads the name of a Prospector workflow once, and the status of each run, in a loop over two of its runs', async () => {
	const input = addRuns(2, 2).map((id) => ({ json: { id } }));
	const ended = await env.run(loopOver(env.prospector(read)), { input });
	const items = ended.data.resultData.runData.Prospector.flatMap((round) => round.data?.main[0] ?? []);
	const runs = items.map(({ json }) => [json.run_id, json.run_status, json.workflow_name]);
	const [[, , name]] = runs;
	expect(name).toMatch(/^Seeded workflow/);
	expect(runs).toEqual(input.flatMap(({ json }) => Array(2).fill([json.id, 'completed', name])));
	expect(env.operations()).toEqual(['getRun', 'getWorkflow', 'listResults', 'getRun', 'listResults']);
});
