import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import type { JournalEntry } from '../../sandbox/types';
import { startFastEnvironment, useEnvironment } from './environment';
import { everyOperation, fetchDirectly, findOperation, parametersFor, type Row } from './everyOperation';

const PAGE_SIZE = 3;
const COUNT = 5;
const VALUE = '={{ $json.value }}';

const runAndGetResults: Row = {
	...findOperation('Workflow › run'),
	...{ title: 'Workflow › runAndGetResults', operation: 'runAndGetResults', simplified: true },
};
const rows = [...everyOperation, runAndGetResults];
const lists = rows.filter(({ list }) => list);
const waiting = findOperation('Run › get');

/** What the node did for one of two items with different values. */
interface Seen {
	items: IDataObject[];
	/** Requests for the ID of this item. */
	requests: JournalEntry[];
}

type Pair = [unknown, unknown];
type Option = [
	name: string,
	operations: Row[],
	parameters: IDataObject,
	values: Pair,
	/** Returns what must differ between the items. */
	see: (seen: Seen) => unknown,
	expected: Pair | ((all: IDataObject[]) => Pair),
	/** Status of the service's runs. */
	status?: string,
];

const inOptions = (options: IDataObject) => ({ options });
const onePage = (rest: IDataObject) => inOptions({ returnOnePage: true, ...rest });
const asFields = (rest: IDataObject) => ({ enterValues: 'fields', ...rest });
const waitWith = (rest: IDataObject) => ({ waitForCompletion: true, waitUpTo: 20, ...rest });

const keyed = rows.filter((row) => row.keyed);
const withBody = rows.filter(({ body }) => body);
const runLists = lists.filter(({ resource }) => resource === 'run');
const waits = [waiting, runAndGetResults];
const newRuns = [waiting, findOperation('Workflow › run')];
const simplified = rows.filter((row) => row.simplified);
const returning = rows.filter(({ operation }) => operation !== 'delete');

const nameOf = ({ items }: Seen) => items[0].name;
const valueOf = ({ items }: Seen) => items[0].value;
const idsOf = ({ items }: Seen) => idsIn(items);
const countOf = ({ items }: Seen) => items.length;
const errorOf = ({ items }: Seen) => /was still|ended as/.exec(String(items[0].error))?.[0];
const isRetried = ({ items }: Seen) => /Tried \d+ times/.test(String(items[0].error));
const isCursorRejected = ({ items }: Seen) => /did not accept 'Start Cursor'/.test(String(items[0].error));
const outcomeOf = ({ items }: Seen) => items[0].run_outcome;
const statusOf = ({ items }: Seen) => items[0].run_status ?? items[0].status;
const hasObject = ({ items }: Seen) => items.every((item) => 'object' in item);
const keyOf = ({ items, requests }: Seen) =>
	'idempotency_key' in items[0]
		? String(items[0].idempotency_key ?? '')
		: (requests.find(({ method }) => method === 'POST')?.idempotencyKey ?? '');
const hasKey = (seen: Seen) => keyOf(seen) !== '';
const keyStartOf = (seen: Seen) => /^(first|second)/.exec(keyOf(seen))?.[0];
/** Of each page, but not of the status check. */
const citiesOf = ({ requests }: Seen) => [
	...new Set(
		requests.flatMap(({ operation, query }) => (operation === 'getRun' ? Object.keys(query) : query.city)),
	),
];
const idsIn = (all: IDataObject[]) => all.map(({ id }) => id);

const KEY = { preventDuplicates: 'key', idempotencyKey: '={{ $json.value + $json.id }}' };
const JSON_BODY = { enterValues: 'json', jsonBody: '={{ { name: $json.value } }}' };
const FIELDS = asFields({ fields: { mappingMode: 'defineBelow', value: { name: VALUE } } });
const INPUT_FIELDS = asFields({ fields: { mappingMode: 'autoMapInputData', value: null } });
const OTHER_FIELDS = asFields({ otherFields: { field: [{ name: 'name', type: 'string', value: VALUE }] } });
const CITY = inOptions({ queryParameters: { parameter: [{ name: 'city', value: VALUE }] } });
const LIMIT = { returnAll: false, limit: VALUE };
const ONE_PAGE = inOptions({ returnOnePage: VALUE });
const SORT = { sort: { creationTime: VALUE } };
const STATUS = inOptions({ status: VALUE });
const FIELD_NAMES = inOptions({ fieldsToReturn: VALUE });
const WAITED_FIELDS = waitWith(FIELD_NAMES);
const PREVENT = inOptions({ preventDuplicates: VALUE });
const WAIT = { waitForCompletion: VALUE };
const RESULTS = waitWith({ returnResults: VALUE });
const FINISHED = waitWith(inOptions({ finishedStatuses: VALUE }));
const FAILED = waitWith(inOptions({ failedStatuses: VALUE }));
const OUTCOME = inOptions({ failedStatuses: VALUE });
const ON_OFF: Pair = [true, false];
const SORTS: Pair = ['newestFirst', 'oldestFirst'];
const FIRST_FINISHED: Pair = ['finished', undefined];
const STATUSES: Pair = ['brewing', 'other'];

const options: Option[] = [
	['Retry For', rows, inOptions({ retryFor: VALUE }), [0, 20], isRetried, [false, true]],
	['Simplify', simplified, { simplify: VALUE }, ON_OFF, hasObject, [false, true]],
	['Fields to Return', returning, FIELD_NAMES, ['object', 'other'], hasObject, [true, false]],
	['Prevent Duplicates', keyed, PREVENT, ['execution', 'off'], hasKey, [true, false]],
	['Idempotency Key', keyed, inOptions(KEY), ['first', 'second'], keyStartOf, ['first', 'second']],
	['JSON', withBody, JSON_BODY, ['A', 'B'], nameOf, ['A', 'B']],
	['Fields', withBody, FIELDS, ['A', 'B'], nameOf, ['A', 'B']],
	['Fields (automatic)', withBody, INPUT_FIELDS, ['A', 'B'], valueOf, ['A', 'B']],
	['Other Fields', withBody, OTHER_FIELDS, ['A', 'B'], nameOf, ['A', 'B']],
	['Return All', lists, { returnAll: VALUE, limit: 1 }, ON_OFF, countOf, ({ length }) => [length, 1]],
	['Limit', lists, LIMIT, [1, 4], idsOf, (all) => [idsIn(all.slice(0, 1)), idsIn(all.slice(0, 4))]],
	['Return One Page', lists, ONE_PAGE, ON_OFF, countOf, ({ length }) => [PAGE_SIZE, length]],
	['Page Size', lists, onePage({ pageSize: VALUE }), [1, 2], countOf, [1, 2]],
	['Start Cursor', lists, onePage({ startCursor: VALUE }), ['', 'unknown'], isCursorRejected, [false, true]],
	['Query Parameters', lists.filter(({ id }) => id), CITY, ['A & B', 'y'], citiesOf, [['A & B'], ['y']]],
	['Status', runLists, STATUS, ['done', 'completed'], countOf, ({ length }) => [0, length]],
	['Sort', runLists, SORT, SORTS, idsOf, (all) => [idsIn(all), idsIn(all).reverse()]],
	['Fields to Return (waiting)', [waiting], WAITED_FIELDS, ['object', 'id'], hasObject, [true, false]],
	['Wait for Completion', [waiting], WAIT, ON_OFF, statusOf, ['completed', 'queued']],
	['Return Results', [waiting], RESULTS, ON_OFF, countOf, [COUNT, 1]],
	['Wait Up To', waits, waitWith({ waitUpTo: VALUE }), [1, 600], statusOf, [undefined, 'completed']],
	['Finished Statuses', waits, FINISHED, STATUSES, errorOf, [undefined, 'was still'], 'brewing'],
	['Failed Statuses', waits, FAILED, STATUSES, errorOf, ['ended as', 'was still'], 'brewing'],
	['Finished Statuses (outcome)', [waiting], FINISHED, STATUSES, outcomeOf, FIRST_FINISHED, 'brewing'],
	['Failed Statuses (outcome)', newRuns, OUTCOME, ['queued', 'other'], outcomeOf, ['failed', 'open']],
	['Failed Statuses (outcome)', runLists, OUTCOME, ['completed', 'other'], outcomeOf, ['failed', 'finished']],
];

// On a busy machine, a shorter run can finish within a wait of one second.
const settings = { defaultPageSize: PAGE_SIZE, maxPageSize: 1000, resultsPerRun: COUNT, runStageMs: 20_000 };
const env = useEnvironment(async () => await startFastEnvironment(settings));

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

const cases = options.flatMap((one) => one[1].map((row) => [one[0], row.title, one, row] as const));

test.each(cases)(
	'the parameter %s of %s takes effect separately for each input item',
	async (name, _title, [, , parameters, values, see, expected, status], row) => {
		env.control.patchSettings({ runStatuses: ['queued', status ?? 'completed'], runStageMs: 5000 });
		const ids = seedIds(row);
		env.resetService();
		if (name === 'Retry For') {
			const headers = { 'retry-after': '2' };
			const match = { operation: row.calls };
			env.control.addFault({ kind: 'status', status: 503, times: 0, headers, match });
		}
		const given = parametersFor(row, undefined, parameters);
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
			expect(seen[i]).toEqual(expected(data)[i]);
		}
	},
);
