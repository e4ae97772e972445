import type { IDataObject } from 'n8n-workflow';
import { find, parametersFor } from './everyOperation';
import { startEnvironment, type Environment } from './support';

// What the contract does not show about lists, or shows and a service may get wrong.

const FOUND = 10;

let bench: Environment;
let run: string;
beforeAll(async () => {
	bench = await startEnvironment({ defaultPageSize: 4 });
	const { runs } = bench.sandbox.control.seed({ workflows: [{ runs: [{ results: FOUND }] }] });
	[run] = runs;
});
afterAll(async () => await bench.close());

const journal = () => bench.sandbox.control.journal();
const ids = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.id);
const parameters = (rest: IDataObject) =>
	parametersFor(find('Result › getAll'), run, { returnAll: false, ...rest });

describe('with a service that names its query parameters differently', () => {
	beforeAll(async () => {
		bench.sandbox.control.patchSettings({ cursorParam: 'page_token', limitParam: 'per_page' });
		const names = { cursorParameter: ' page_token ', pageSizeParameter: 'per_page' };
		await bench.credential('advanced', { showAdvanced: true, ...names });
		await bench.credential('folded away', { showAdvanced: false, ...names });
	});
	afterAll(() => bench.sandbox.control.patchSettings({ cursorParam: 'cursor', limitParam: 'limit' }));

	const wanted = { returnAll: true, options: { pageSize: 5 } };

	it('the names in the advanced settings of the credential are used', async () => {
		bench.prepare();
		expect(await bench.items(parameters(wanted), [{}], {}, 'advanced')).toHaveLength(FOUND);
		expect(journal().map(({ query }) => query)).toEqual([
			{ per_page: '5' },
			{ per_page: '5', page_token: expect.any(String) },
		]);
	});

	it.each(['full', 'folded away'])(
		'a list that would go in circles ends with a message: credential %s',
		async (key) => {
			bench.prepare();
			const ended = await bench.over(parameters(wanted), [{}], { onError: 'continueRegularOutput' }, key);
			const items = ended.data.resultData.runData.Prospector[0].data?.main[0];
			const message =
				'The list leads back to a page that was already read (request ' + journal()[1].requestId + ')';
			expect(items).toEqual([{ json: { error: expect.stringContaining(message) }, pairedItem: { item: 0 } }]);
			expect(items?.[0].json.error).toContain("set 'Cursor Parameter'");
			expect(journal().map(({ query }) => Object.keys(query))).toEqual([['limit'], ['cursor', 'limit']]);
		},
	);
});

it.each([null, '', undefined, 7])(
	'has_more with a next cursor of %p ends with a message, not a short list',
	async (next_cursor) => {
		const pagination = { has_more: true, next_cursor };
		bench.prepare({
			kind: 'notEnvelope',
			skip: 1,
			body: { data: [{ id: 'res_x' }], pagination, request_id: 'req_odd' },
		});
		const ended = await bench.over(parameters({ returnAll: true }));
		const { error, runData } = ended.data.resultData;
		expect(error?.message).toBe('The service says that the list goes on, but not where (request req_odd)');
		expect(runData.Prospector[0].data).toBeUndefined();
		expect(journal()).toHaveLength(2);
	},
);

it('Whoever has enough items is not told of a next page that cannot be had', async () => {
	const body = { data: [{ id: 'a' }, { id: 'b' }], pagination: { has_more: true }, request_id: 'req_odd' };
	bench.prepare({ kind: 'notEnvelope', body });
	expect(ids(await bench.items(parameters({ limit: 2 })))).toEqual(['a', 'b']);
});

it('A page that cannot be had leaves no partial items', async () => {
	bench.prepare({ kind: 'status', status: 404, skip: 2 });
	const ended = await bench.over(parameters({ returnAll: true }));
	expect(ended.data.resultData.error?.message).toBe(
		`The run '${run}' was not found (request ${journal()[2].requestId})`,
	);
	expect(ended.data.resultData.runData.Prospector[0].data).toBeUndefined();
});
