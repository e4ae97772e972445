import { outputOf } from '../../scripts/engine';
import { byId, node } from '../nodes';
import { hintsOf, idsOf, startEnvironment, type Environment } from './environment';
import { fetchDirectly } from './everyOperation';
import { ifMoreNode } from './fixtures';

let env: Environment;
beforeAll(async () => (env = await startEnvironment({ defaultPageSize: 3 })));
afterAll(async () => await env.close());

const createRun = (results: number) => env.control.seed({ workflows: [{ runs: [{ results }] }] }).runs[0];
const resultIds = async (id: string) =>
	(await fetchDirectly(env, `/prospector/runs/${id}/results?limit=100`)).data.map((result) =>
		String(result.id),
	);

/** Read one page → If more → back to Read. */
async function readInLoop(id: string) {
	env.nodeTypes.add('test.ifMore', ifMoreNode);
	const parameters = {
		...{ resource: 'result', operation: 'getAll', runId: byId(id) },
		options: { returnOnePage: true, startCursor: '={{ $json.next_cursor }}' },
	};
	// A page has many items, and one of them leads to the next page.
	const read = env.prospector(parameters, { name: 'Read', executeOnce: true });
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const ended = await env.run({
		nodes: [read, node('If More', 'test.ifMore', {})],
		connections: { Read: { main: [to('If More')] }, 'If More': { main: [to('Read'), []] } },
	});
	if (ended.data.resultData.error) throw ended.data.resultData.error;
	const pages = ended.data.resultData.runData.Read.map((round) => round.data?.main[0] ?? []);
	return { pages, ids: idsOf(pages.flat()).map(String) };
}

test.each([
	[4, 2],
	[9, 3],
])('a loop over pages reads the whole list with %i results in %i rounds', async (count, rounds) => {
	const id = createRun(count);
	const expected = await resultIds(id);
	env.resetService();
	const { pages, ids } = await readInLoop(id);
	expect(ids).toEqual(expected);
	const cursors = pages.map((items) => [...new Set(items.map(({ json }) => json.next_cursor))]);
	const isLast = Array.from({ length: rounds }, (_, index) => [index === rounds - 1]);
	expect(cursors.map((ofPage) => ofPage.map((cursor) => cursor === null))).toEqual(isLast);
	// The status check warns about results of an unfinished run. The name is read once.
	const [status, ...others] = pages.flatMap(() => ['getRun', 'listResults']);
	expect(env.operations()).toEqual([status, 'getWorkflow', ...others]);
	expect(new Set(pages.flat().map(({ json }) => json.run_status))).toEqual(new Set(['completed']));
	expect(new Set(pages.flat().map(({ json }) => json.run_id))).toEqual(new Set([id]));
});

test.each([1, -1])(
	'Get Many returns no item twice and adds a hint if the service changes an offset-based list by %i items after each page',
	async (change) => {
		const runId = byId(createRun(12));
		env.control.patchSettings({ cursorKind: 'offset', resultsChangePerPage: change });
		const ended = await env.runNode({ resource: 'result', operation: 'getAll', runId, returnAll: true });
		const ids = idsOf(outputOf(ended, 'Prospector'));
		expect(ids).toHaveLength(new Set(ids).size);
		expect(hintsOf(ended)).toEqual([expect.stringMatching(/^A list changed while the node read it\./)]);
	},
);
