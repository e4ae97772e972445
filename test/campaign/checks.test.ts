import type { JournalEntry, RunSummary } from '../../sandbox/types';
import { checkOnce, checkTotals, type Truth } from './checks';
import { noEvidence, type Produced } from './evidence';
import type { Operation } from './plan';

const OPERATIONS: Operation[] = [
	{ id: 0, kind: 'create', target: 'A' },
	{ id: 1, kind: 'run', target: 'wf_1' },
	{ id: 2, kind: 'run', target: 'wf_1' },
];

const committed = (operation: string, path: string, key: string | null, body: unknown = null) =>
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
const create = (key: string, name = 'A') => committed('createWorkflow', '/workflows', key, { name });
const start = (key: string | null, workflow = 'wf_1') =>
	committed('runWorkflow', `/workflows/${workflow}/run`, key);
const run = (id: string, key: string | null) =>
	({ id, origin: 'request', workflowId: 'wf_1', idempotencyKey: key }) as RunSummary;

interface Case {
	produced: Array<[number, Produced[]]>;
	truth: Truth;
}

/** A world in which all is well, to be spoilt. */
function good(): Case {
	return {
		produced: [
			[0, [{ id: 'wf_2', key: 'k0', requestId: 'req k0' }]],
			[1, [{ id: 'run_1', key: 'k1', requestId: 'req k1' }]],
			[2, [{ id: 'run_2', key: 'k2', requestId: 'req k2' }]],
		],
		truth: {
			journal: [create('k0'), start('k1'), { ...start('k1'), committed: false }, start('k2')],
			runs: {
				started: 2,
				seeded: 0,
				perWorkflow: { wf_1: 2 },
				runs: [run('run_1', 'k1'), run('run_2', 'k2')],
			},
			workflowsCreated: 1,
		},
	};
}

const check = ({ produced, truth }: Case) => [
	...checkTotals(OPERATIONS, truth),
	...checkOnce(OPERATIONS, { ...noEvidence(), produced: new Map(produced) }, truth),
];

test('nothing is said where each was done once', () => expect(check(good())).toEqual([]));

/** What the service did once more, without anybody knowing. */
function doneTwice(key: string | null): (world: Case) => void {
	return ({ truth }) => {
		truth.journal.push(start(key));
		truth.runs.started++;
		truth.runs.perWorkflow.wf_1++;
	};
}

test.each<[string, (world: Case) => void, RegExp[]]>([
	[
		'done twice under one key',
		doneTwice('k1'),
		[
			/^Changes .*: 4, and 3/,
			/^Runs started: 3, and 2/,
			/'wf_1': 3, and 2/,
			/^Operation 1 .* 2 times under its key 'k1'/,
		],
	],
	[
		'done again under another key',
		doneTwice('k9'),
		[/^Changes/, /^Runs started: 3/, /'wf_1': 3/, /^Request 9 changed 'wf_1' with the key 'k9'/],
	],
	[
		'done again without a key',
		doneTwice(null),
		[/^Changes/, /^Runs started: 3/, /'wf_1': 3/, /^Request 9 changed 'wf_1' with no key/],
	],
	[
		'not done, with nothing to show',
		({ produced }) => produced.pop(),
		[/^Operation 2 .* came out of no execution$/, /^Request 9 .*'k2', and that came out of no execution$/],
	],
	[
		'not done, although there is an item',
		({ truth }) => truth.journal.pop(),
		[/^Changes .*: 2, and 3/, /^Operation 2 .* done 0 times/],
	],
	[
		'never known to the service as a run',
		({ truth }) => truth.runs.runs.pop(),
		[/^Operation 2 .* gave run "run_2"/],
	],
	[
		'done as two things',
		({ produced }) => produced[1][1].push({ id: 'run_3', key: 'k1', requestId: 'req k1' }),
		[/^Operation 1 .* different things: .*run_1.* and .*run_3/],
	],
	[
		'two operations in one run',
		({ produced }) => (produced[2] = [2, [{ id: 'run_1', key: 'k1', requestId: 'req k1' }]]),
		[/^Operation 1 .* and Operation 2 .* one id, "run_1"/, /one key, "k1"/, /^Request 9 .*'k2'/],
	],
	[
		'done without a key',
		({ produced }) => (produced[1][1][0].key = null),
		[/^Operation 1 .* without an idempotency key/, /^Operation 1 .* gave run/, /^Request 9 .*'k1'/],
	],
	[
		'done by another request than the item says',
		({ produced }) => (produced[0][1][0].requestId = 'req 9'),
		[/^Operation 0 .* request "req 9", but "req k0" did it/],
	],
	[
		'done with other values',
		({ truth }) => (truth.journal[0] = create('k0', 'B')),
		[/^Operation 0 .* key 'k0', under which POST \/workflows was done/],
	],
	[
		'a run of another Prospector workflow',
		({ truth }) => {
			truth.journal[3] = start('k2', 'wf_7');
			truth.runs.perWorkflow = { wf_1: 1, wf_7: 1 };
		},
		[/'wf_1': 1, and 2/, /^Operation 2 .* under which POST \/workflows\/wf_7\/run was done/],
	],
	[
		'one Prospector workflow too many',
		({ truth }) => truth.workflowsCreated++,
		[/^Prospector workflows created: 2/],
	],
])('%s is told', (_, spoil, words) => {
	const world = good();
	spoil(world);
	const violations = check(world);
	expect(violations).toEqual(words.map((pattern) => expect.stringMatching(pattern)));
});
