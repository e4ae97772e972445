import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import type { JournalEntry } from '../../sandbox/types';
import { startFastEnvironment, type FastEnvironment } from './environment';
import { everyOperation, fetchDirectly, parametersFor, type Row } from './everyOperation';

const PAGE_SIZE = 3;
const COUNT = 5;
const VALUE = '={{ $json.value }}';

const runAndGetResults: Row = {
	...(everyOperation.find(({ calls }) => calls === 'runWorkflow') as Row),
	...{ title: 'Workflow › runAndGetResults', operation: 'runAndGetResults', simplified: true },
};
const rows = [...everyOperation, runAndGetResults];
const lists = rows.filter(({ list }) => list);
const waiting: Row = {
	...(everyOperation.find(({ calls }) => calls === 'getRun') as Row),
	title: 'Run › get',
};

/** What the node did for one of two items with different values. */
interface Seen {
	items: IDataObject[];
	/** Requests for the ID of this item. */
	requests: JournalEntry[];
}

interface Option {
	name: string;
	operations: Row[];
	parameters: (row: Row) => IDataObject;
	values: [unknown, unknown];
	/** Returns what must differ between the items. */
	see: (seen: Seen) => unknown;
	expected: [unknown, unknown] | ((all: IDataObject[], row: Row) => [unknown, unknown]);
	/** Status of the service's runs. */
	status?: string;
}

const inOptions = (options: IDataObject) => () => ({ options });
const idsOf = ({ items }: Seen) => items.map(({ id }) => id);
const countOf = ({ items }: Seen) => items.length;
const errorOf = ({ items }: Seen) => /was still|ended as/.exec(String(items[0].error))?.[0];
const statusOf = ({ items }: Seen) => items[0].run_status ?? items[0].status;
const isIn = (name: string) => (seen: Seen) => seen.items.every((item) => name in item);
const idsIn = (all: IDataObject[]) => all.map(({ id }) => id);

const options: Option[] = [
	{
		...{ name: 'Retry For', operations: rows, parameters: inOptions({ retryFor: VALUE }), values: [0, 20] },
		see: ({ items }) => /Tried \d+ times/.test(String(items[0].error)),
		expected: [false, true],
	},
	{
		...{ name: 'Simplify', operations: rows.filter(({ simplified }) => simplified), values: [true, false] },
		...{ parameters: () => ({ simplify: VALUE }), see: isIn('object'), expected: [false, true] },
	},
	{
		...{ name: 'Fields to Return', operations: rows.filter(({ operation }) => operation !== 'delete') },
		...{ parameters: inOptions({ fieldsToReturn: VALUE }), values: ['object', 'other'] },
		...{ see: isIn('object'), expected: [true, false] },
	},
	{
		...{ name: 'Prevent Duplicates', operations: rows.filter(({ keyed }) => keyed) },
		...{ parameters: inOptions({ preventDuplicates: VALUE }), values: ['execution', 'off'] },
		see: ({ items }) => Boolean(items[0].idempotency_key),
		expected: [true, false],
	},
	{
		...{
			name: 'Idempotency Key',
			operations: rows.filter(({ keyed }) => keyed),
			values: ['first', 'second'],
		},
		parameters: inOptions({ preventDuplicates: 'key', idempotencyKey: '={{ $json.value + $json.id }}' }),
		see: ({ items }) => /^[a-z]+?(?=(?:wf|prospector|\d|_))/.exec(String(items[0].idempotency_key))?.[0],
		expected: ['first', 'second'],
	},
	{
		...{ name: 'JSON', operations: rows.filter(({ body }) => body), values: ['A', 'B'] },
		parameters: () => ({ enterValues: 'json', jsonBody: '={{ { name: $json.value } }}' }),
		...{ see: ({ items }) => items[0].name, expected: ['A', 'B'] },
	},
	{
		...{ name: 'Fields', operations: rows.filter(({ body }) => body), values: ['A', 'B'] },
		parameters: () => ({
			enterValues: 'fields',
			fields: { mappingMode: 'defineBelow', value: { name: VALUE } },
		}),
		...{ see: ({ items }) => items[0].name, expected: ['A', 'B'] },
	},
	{
		...{ name: 'Other Fields', operations: rows.filter(({ body }) => body), values: ['A', 'B'] },
		parameters: () => ({
			enterValues: 'fields',
			otherFields: { field: [{ name: 'name', type: 'string', value: VALUE }] },
		}),
		...{ see: ({ items }) => items[0].name, expected: ['A', 'B'] },
	},
	{
		...{ name: 'Return All', operations: lists, values: [true, false], see: countOf },
		parameters: () => ({ returnAll: VALUE, limit: 1 }),
		expected: (all) => [all.length, 1],
	},
	{
		...{ name: 'Limit', operations: lists, values: [1, 4], see: idsOf },
		parameters: () => ({ returnAll: false, limit: VALUE }),
		expected: (all) => [idsIn(all).slice(0, 1), idsIn(all).slice(0, 4)],
	},
	{
		...{ name: 'Start At', operations: lists, parameters: inOptions({ startAt: VALUE }), values: [1, 3] },
		...{ see: idsOf, expected: (all) => [idsIn(all), idsIn(all).slice(2)] },
	},
	{
		...{ name: 'Return One Page', operations: lists, values: [true, false], see: countOf },
		parameters: inOptions({ returnOnePage: VALUE }),
		expected: (all) => [PAGE_SIZE, all.length],
	},
	{
		...{ name: 'Page Size', operations: lists, values: [1, 2], see: countOf, expected: [1, 2] },
		parameters: inOptions({ returnOnePage: true, pageSize: VALUE }),
	},
	{
		...{ name: 'Start Cursor', operations: lists, values: ['', 'unknown'], expected: [false, true] },
		parameters: inOptions({ returnOnePage: true, startCursor: VALUE }),
		see: ({ items }) => String(items[0].error).includes("did not accept 'Start Cursor'"),
	},
	{
		...{
			name: 'Query Parameters',
			operations: lists.filter(({ id }) => id),
			values: ['x', 'y'],
			expected: [['x'], ['y']],
		},
		parameters: () => ({ filters: { queryParameters: { parameter: [{ name: 'city', value: VALUE }] } } }),
		see: ({ requests }) => [...new Set(requests.flatMap(({ query }) => query.city ?? []))],
	},
	{
		...{ name: 'Status', operations: lists.filter(({ resource }) => resource === 'run') },
		...{ parameters: () => ({ filters: { status: VALUE } }), values: ['done', 'completed'], see: countOf },
		expected: (all) => [0, all.length],
	},
	{
		...{ name: 'Sort', operations: lists.filter(({ resource }) => resource === 'run'), see: idsOf },
		...{ parameters: () => ({ filters: { sort: VALUE } }), values: ['newestFirst', 'oldestFirst'] },
		expected: (all) => [idsIn(all), idsIn(all).reverse()],
	},
	{
		...{ name: 'Wait for Completion', operations: [waiting], values: [true, false], see: statusOf },
		...{ parameters: () => ({ waitForCompletion: VALUE }), expected: ['completed', 'queued'] },
	},
	{
		...{ name: 'Return Results', operations: [waiting], values: [true, false], see: countOf },
		...{ parameters: () => ({ waitForCompletion: true, returnResults: VALUE }), expected: [COUNT, 1] },
	},
	{
		...{ name: 'Wait Up To', operations: [waiting, runAndGetResults], values: [1, 600], see: statusOf },
		...{
			parameters: () => ({ waitForCompletion: true, waitUpTo: VALUE }),
			expected: [undefined, 'completed'],
		},
	},
	{
		...{ name: 'Finished Statuses', operations: [waiting, runAndGetResults], status: 'brewing' },
		parameters: () => ({ waitForCompletion: true, waitUpTo: 20, options: { finishedStatuses: VALUE } }),
		...{ values: ['brewing', 'other'], see: errorOf, expected: [undefined, 'was still'] },
	},
	{
		...{ name: 'Failed Statuses', operations: [waiting, runAndGetResults], status: 'brewing' },
		parameters: () => ({ waitForCompletion: true, waitUpTo: 20, options: { failedStatuses: VALUE } }),
		...{ values: ['brewing', 'other'], see: errorOf, expected: ['ended as', 'was still'] },
	},
];

let env: FastEnvironment;
beforeAll(async () => {
	env = await startFastEnvironment({ defaultPageSize: PAGE_SIZE, maxPageSize: 1000, resultsPerRun: COUNT });
});
afterAll(async () => await env.close());

/** Two Prospector workflows with five runs each, of which each has five results. */
function seedIds({ id, calls }: Row): string[] {
	const createdAt = (minute: number) => new Date(Date.UTC(2026, 2, 1, 8, minute)).toISOString();
	const old = Array.from({ length: COUNT }, (_, i) => ({
		...{ status: 'completed', results: COUNT, createdAt: createdAt(i) },
	}));
	const runs = calls === 'getRun' ? [{ live: true }] : old;
	const seeded = env.control.seed({ workflows: [{ runs }, { runs }] });
	return id === 'runId' ? [seeded.runs[0], seeded.runs.at(-1) as string] : seeded.workflows;
}

const cases = options.flatMap((option) =>
	option.operations.map((row) => [option.name, row.title, option, row] as const),
);

test.each(cases)(
	'%s of %s takes effect for its own item when the items have different values',
	async (name, _title, { parameters, values, see, expected, status }, row) => {
		env.control.patchSettings({ runStatuses: ['queued', status ?? 'completed'], runStageMs: 5000 });
		const ids = seedIds(row);
		env.resetService();
		if (name === 'Retry For') {
			const headers = { 'retry-after': '2' };
			const match = { operation: row.calls };
			env.control.addFault({ kind: 'status', status: 503, times: 0, headers, match });
		}
		const given = parametersFor(row, undefined, parameters(row));
		const input = values.map((value, i) => ({ id: ids[i], name: 'N', value: value as string }));
		const ended = await env.runNode(given, input, { onError: 'continueRegularOutput' });
		const itemOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;
		const output = outputOf(ended, 'Prospector');
		const journal = env.journal();
		const seen = ids.map((id, i) =>
			see({
				items: output.filter((item) => itemOf(item) === i).map(({ json }) => json),
				requests: journal.filter(({ path }) => !row.id || path.includes(id)),
			}),
		);
		if (typeof expected !== 'function') return expect(seen).toEqual(expected);
		for (const [i, id] of ids.entries()) {
			const { data } = await fetchDirectly(env, `${row.path.replace('ID', id)}?limit=1000`);
			expect(seen[i]).toEqual(expected(data, row)[i]);
		}
	},
);
