import type { JournalEntry, RunSummary } from '../../sandbox/types';
import type { Output } from './evidence';
import { exactlyOnceChecks, type ServiceRecords } from './exactlyOnceChecks';
import type { Operation } from './plan';

const OPERATIONS: Operation[] = [
	{ id: 0, kind: 'create', target: 'A' },
	{ id: 1, kind: 'run', target: 'wf_1' },
	{ id: 2, kind: 'run', target: 'wf_1' },
];

const commit = (operation: string, path: string, key: string | null, body: unknown = null) =>
	({
		committed: true,
		operation,
		method: 'POST',
		path,
		body,
		idempotencyKey: key,
		requestId: `req ${key}`,
		sequence: 9,
	}) as JournalEntry;
const create = (key: string, name = 'A') => commit('createWorkflow', '/workflows', key, { name });
const start = (key: string | null, workflow = 'wf_1') =>
	commit('runWorkflow', `/workflows/${workflow}/run`, key);
const run = (id: string, idempotencyKey: string) => ({ id, idempotencyKey }) as RunSummary;
const produce = (id: string, key: string) => [{ id, key, requestId: `req ${key}` }] as Output[];

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

const startAgain = (key: string | null) => (it: Case) => {
	it.records.journal.push(start(key));
	it.records.runs.started++;
	it.records.runs.perWorkflow.wf_1++;
};

test.each<[string, (it: Case) => void, RegExp[]]>([
	[
		'a second start with the same key',
		startAgain('k1'),
		[/^Runs started: 3 instead of 2/, /'wf_1': 3 instead of 2/, /^Operation 1 .* 2 times with its key 'k1'/],
	],
	['a second start without a key', startAgain(null), [/^Runs started/, /'wf_1'/, /^Request 9 with key null/]],
	[
		'an operation without output',
		({ produced }) => produced.delete(2),
		[/^Operation 2 .* returned by no execution$/, /^Request 9 with key "k2" .* no execution returned$/],
	],
	['an output without a request', ({ records }) => records.journal.pop(), [/^Operation 2 .* done 0 times/]],
	[
		'a run that the service does not have',
		({ records }) => records.runs.runs.pop(),
		[/^Operation 2 .* returned run "run_2"/],
	],
	[
		'two different outputs',
		({ produced }) => produced.get(1)!.push(...produce('run_3', 'k1')),
		[/^Operation 1 .* different outputs: .*run_1.* and .*run_3/],
	],
	[
		'two operations with the same output',
		({ produced }) => produced.set(2, produce('run_1', 'k1')),
		[/^Operation 1 .* and Operation 2 .* same id, "run_1"/, /same key, "k1"/, /^Request 9 with key "k2"/],
	],
	[
		'an operation without a key',
		({ produced }) => (produced.get(1)![0].key = null),
		[
			/^Operation 1 .* without an idempotency key/,
			/^Operation 1 .* returned run/,
			/^Request 9 with key "k1"/,
		],
	],
	[
		'an output that names another request',
		({ produced }) => (produced.get(0)![0].requestId = 'req 9'),
		[/^Operation 0 .* request "req 9", but "req k0" did it/],
	],
	[
		'a creation with another name',
		({ records }) => (records.journal[0] = create('k0', 'B')),
		[/^Operation 0 .* key 'k0', with which POST \/workflows was done/],
	],
	[
		'a start of another Prospector workflow',
		({ records }) => {
			records.journal[3] = start('k2', 'wf_7');
			records.runs.perWorkflow = { wf_1: 1, wf_7: 1 };
		},
		[/'wf_1': 1 instead of 2/, /^Operation 2 .* with which POST \/workflows\/wf_7\/run was done/],
	],
	[
		'an additional Prospector workflow',
		({ records }) => records.workflowsCreated++,
		[/^Prospector workflows created: 2 instead of 1/],
	],
])(
	'exactlyOnceChecks reports violations when the recorded requests and outputs contain %s',
	(_, spoil, violations) => {
		const it = goodCase();
		spoil(it);
		expect(exactlyOnceChecks(OPERATIONS, { produced: it.produced }, it.records)).toEqual(
			violations.map((pattern) => expect.stringMatching(pattern)),
		);
	},
);
