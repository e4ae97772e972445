import { compare, type Comparison, type Delivery } from '../../tools/soak/compare';
import type { Listed } from '../../tools/soak/person';
import { startService, type Service, type StoredResult } from '../../tools/soak/service';

const NOTHING: Omit<Comparison, 'expected'> = {
	...{ missing: [], lostByKill: [], unreadable: [], repeated: [], repeatedByKill: [] },
	...{ writtenAgain: [], invented: [] },
};

let service: Service;
let results: StoredResult[];
let runId: string;
let workflowId: string;

beforeAll(async () => {
	service = await startService(1000);
	const seeded = service.control.seed({ workflows: [{ runs: [{ results: 3 }] }] });
	[workflowId] = seeded.workflows;
	[runId] = seeded.runs;
	results = [...(await service.readResults()).values()];
});
afterAll(async () => await service.close());

/** An execution that was started at this time, in milliseconds. */
const execution = (id: string, at: number, retryOf?: string): [string, Listed] => [
	id,
	{ id, retryOf, status: 'success', mode: 'trigger', workflowId: '1', startedAt: new Date(at).toISOString() },
];

const EXECUTIONS = new Map([execution('1', 0), execution('2', 100_000), execution('3', 200_000, '1')]);

function compared(
	deliveries: Delivery[],
	more: Partial<Parameters<typeof compare>[0]> = {},
): Partial<Comparison> {
	const evidence = {
		service,
		executions: EXECUTIONS,
		kills: [],
		deletions: [],
		knownRuns: new Map(),
		...more,
	};
	return compare(evidence, deliveries, {
		trigger: 'newResults',
		expected: results,
		exists: (id) => results.some((result) => result.id === id),
	});
}

/** Every result, delivered by the first execution. */
const complete = () => results.map(({ id }) => ({ id, executionId: '1' }));

test('finds nothing if each result was delivered once', () => {
	expect(compared(complete())).toEqual({ ...NOTHING, expected: 3 });
});

test('finds a missing result', () => {
	expect(compared(complete().slice(1))).toEqual({ ...NOTHING, expected: 3, missing: [results[0].id] });
});

test('finds a result that two executions have delivered', () => {
	const deliveries = [...complete(), { id: results[1].id, executionId: '2' }];
	expect(compared(deliveries)).toEqual({ ...NOTHING, expected: 3, repeated: [results[1].id] });
	expect(compared(deliveries, { kills: [101_000] })).toEqual({
		...NOTHING,
		...{ expected: 3, repeatedByKill: [results[1].id] },
	});
});

test('distinguishes a retry of the same execution from a repetition', () => {
	const deliveries = [...complete(), { id: results[1].id, executionId: '3' }];
	expect(compared(deliveries)).toEqual({ ...NOTHING, expected: 3, writtenAgain: [results[1].id] });
});

test('finds a result that does not exist', () => {
	const deliveries = [...complete(), { id: 'res_other', executionId: '2' }];
	expect(compared(deliveries)).toEqual({ ...NOTHING, expected: 3, invented: ['res_other'] });
});

test('excuses a result of a deleted Prospector workflow only if no saved state has its run', () => {
	const deletions = [{ workflowId, at: 0, hasUnfinishedRuns: false }];
	expect(compared(complete().slice(1), { deletions })).toEqual({
		...NOTHING,
		...{ expected: 3, unreadable: [results[0].id] },
	});
	const knownRuns = new Map([['newResults', new Set([runId])]]);
	expect(compared(complete().slice(1), { deletions, knownRuns })).toEqual({
		...NOTHING,
		...{ expected: 3, missing: [results[0].id] },
	});
});
