import type { JournalEntry, RunSummary } from '../../sandbox/types';
import type { Output } from './evidence';
import { exactlyOnceChecks, type ServiceRecords } from './exactlyOnceChecks';
import type { Operation } from './plan';

const OPERATIONS: Operation[] = [
	{ id: 0, kind: 'create', target: 'A' },
	{ id: 1, kind: 'run', target: 'wf_1' },
	{ id: 2, kind: 'run', target: 'wf_1' },
];

const commit = (operation: string, path: string, idempotencyKey: string | null, body: unknown = null) =>
	({
		committed: true,
		operation,
		path,
		body,
		idempotencyKey,
		requestId: `req ${idempotencyKey}`,
	}) as JournalEntry;
const create = (key: string, name = 'A') => commit('createWorkflow', '/workflows', key, { name });
const start = (key: string | null, workflow = 'wf_1') =>
	commit('runWorkflow', `/workflows/${workflow}/run`, key);
const run = (id: string, idempotencyKey: string) => ({ id, idempotencyKey }) as RunSummary;
const produce = (id: string, key: string): Output[] => [{ id, key, requestId: `req ${key}` }];

interface Case {
	produced: Map<number, Output[]>;
	records: ServiceRecords;
}

const goodCase = (): Case => ({
	produced: new Map([produce('wf_2', 'k0'), produce('run_1', 'k1'), produce('run_2', 'k2')].entries()),
	records: {
		journal: [create('k0'), start('k1'), { ...start('k1'), committed: false }, start('k2')],
		runs: { started: 2, seeded: 0, perWorkflow: { wf_1: 2 }, runs: [run('run_1', 'k1'), run('run_2', 'k2')] },
		workflowsCreated: 1,
	},
});

const DIFFERENT = ['Only the service knows: ', 'Only an execution knows: '];

test.each<[string, (it: Case) => unknown, string[]]>([
	['no mistake', () => {}, []],
	[
		'a second start with the same key',
		({ records }) => records.journal.push(start('k2')),
		["Only the service knows: run 'wf_1' with key 'k2' by request req k2 as 'run_2'"],
	],
	['an uncommitted start', ({ records }) => records.runs.started++, ['Runs started: 3 instead of 2']],
	[
		'an uncommitted creation',
		({ records }) => records.workflowsCreated++,
		['workflows created: 2 instead of 1'],
	],
	[
		'an operation without output',
		({ produced }) => produced.delete(2),
		['Different IDs: 2 instead of 3', 'Outputs of operation 2: 0 instead of 1', 'Only the service knows: '],
	],
	['an output without a request', ({ records }) => records.journal.pop(), ['Only an execution knows: ']],
	[
		'two outputs of an operation that was done twice',
		({ produced, records }) => {
			produced.get(2)!.push(...produce('run_3', 'k3'));
			records.journal.push(start('k3'));
			records.runs.runs.push(run('run_3', 'k3'));
		},
		['Different IDs: 4 instead of 3', 'Outputs of operation 2: 2 instead of 1'],
	],
	['one ID twice', ({ produced }) => (produced.get(0)![0].id = 'run_1'), ['Different IDs: 2 instead of 3']],
	[
		'a creation without a key',
		({ produced, records }) => {
			produced.get(0)![0].key = null;
			records.journal[0].idempotencyKey = null;
		},
		['An operation was sent without a key'],
	],
	['a run that the service does not have', ({ records }) => records.runs.runs.pop(), DIFFERENT],
	['an output of another request', ({ produced }) => (produced.get(0)![0].requestId = 'req 9'), DIFFERENT],
	['a creation with another name', ({ records }) => (records.journal[0] = create('k0', 'B')), DIFFERENT],
	['a start of another workflow', ({ records }) => (records.journal[3] = start('k2', 'wf_7')), DIFFERENT],
])(
	'exactlyOnceChecks reports violations when the recorded requests and outputs contain %s',
	(_, spoil, violations) => {
		const it = goodCase();
		spoil(it);
		expect(exactlyOnceChecks(OPERATIONS, { produced: it.produced }, it.records)).toEqual(
			violations.map((text) => expect.stringContaining(text)),
		);
	},
);
