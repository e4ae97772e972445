import type { SandboxSettings, TimeFormat } from '../../sandbox/settings';
import { seedOneOfEach, START, useTestSandbox, WORKFLOWS } from './testSandbox';

// Settings of lists, rate limits, Idempotency-Keys, fault rules and the journal are tested with those.
const sandbox = useTestSandbox();
const statusOf = async (path: string) => (await sandbox.call('GET', path)).status;

/** Adds one of each resource and returns the paths that show them. */
function seedPaths() {
	const { workflow, run } = seedOneOfEach(sandbox);
	const runPath = `/prospector/runs/${run}`;
	return ['/me', '/prospector/config', `${WORKFLOWS}/${workflow}`, runPath, `${runPath}/results`];
}

test.each<[Partial<SandboxSettings>, string | undefined]>([
	[{}, 'Sat, 01 Mar 2025 12:01:30 GMT'],
	[{ dateHeaderOffsetMs: -3_600_000 }, 'Sat, 01 Mar 2025 11:01:30 GMT'],
	[{ dateHeaderStepMs: 60_000 }, 'Sat, 01 Mar 2025 12:01:00 GMT'],
	[{ dateHeaderStepMs: 30_000, dateHeaderOffsetMs: 1000 }, 'Sat, 01 Mar 2025 12:01:31 GMT'],
	[{ dateHeader: false }, undefined],
])('the settings %j give every response the Date header %p', async (settings, date) => {
	sandbox.control.patchSettings(settings);
	sandbox.control.advanceClock(90_000);
	for (const path of ['/me', '/nowhere']) {
		expect((await sandbox.call('GET', path)).headers.date).toBe(date);
	}
});

test.each<[TimeFormat, unknown]>([
	['utc', '2025-03-01T12:00:00.000Z'],
	['offset', '2025-03-01T14:00:00.000+02:00'],
	['noZone', '2025-03-01T12:00:00.000'],
	['noMilliseconds', '2025-03-01T12:00:00Z'],
	['noSeconds', '2025-03-01T12:00Z'],
	['missing', undefined],
	['null', null],
	['number', START],
	['nonsense', 'soon'],
])('the setting timeFormat "%s" gives created_at and updated_at the value %p', async (timeFormat, time) => {
	const [, ...paths] = seedPaths();
	sandbox.control.patchSettings({ timeFormat });
	for (const { created_at, updated_at } of (await Promise.all(paths.map(sandbox.get))).flat()) {
		expect([created_at, updated_at]).toEqual([time, time]);
	}
});

test('the setting timeFormat "digits" gives items different texts from which Date.parse reads a year', async () => {
	sandbox.control.patchSettings({ timeFormat: 'digits' });
	for (let count = 0; count < 9; count++) {
		sandbox.control.seed({ workflows: 1 });
		sandbox.control.advanceClock(1000);
	}
	const listed: Array<{ created_at: string }> = await sandbox.get(WORKFLOWS);
	const texts = new Set(listed.map(({ created_at }) => created_at));
	expect(texts).toEqual(new Set(['Week 3', 'batch-12', '5']));
	for (const text of texts) expect(new Date(text).getFullYear()).toBe(2001);
});

test.each<Record<string, unknown>>([
	...['last', 418, null].map((cursorRejection) => ({ cursorRejection })),
	...[0, -1, 1.5, '5'].map((cursorMaxItems) => ({ cursorMaxItems })),
	...[-0.1, 1.1, null].map((staleProbability) => ({ staleProbability })),
	...[-1, 0.5, 1e15].map((replicaLagMs) => ({ replicaLagMs })),
	...['wf', [1], ['']].map((hiddenWorkflows) => ({ hiddenWorkflows })),
	...[-1, 0.5, null].map((dateHeaderStepMs) => ({ dateHeaderStepMs })),
])('the sandbox refuses the invalid settings %j and names the setting', (settings) => {
	const before = sandbox.control.state().settings;
	expect(() => sandbox.control.patchSettings(settings)).toThrow(Object.keys(settings)[0]);
	expect(sandbox.control.state().settings).toEqual(before);
});

test('the sandbox shows each status of a run for runStageMs, and its results evenly from the second status on', async () => {
	sandbox.control.patchSettings({ runStatuses: ['a', 'b', 'c', 'd'], runStageMs: 1000, resultsPerRun: 4 });
	const { workflow } = seedOneOfEach(sandbox);
	const { id } = (await sandbox.call('POST', `${WORKFLOWS}/${workflow}/run`)).json.data;
	const seen: string[] = [];
	for (const ms of [0, 999, 1, 499, 1, 499, 1, 999, 1]) {
		sandbox.control.advanceClock(ms);
		const { status } = await sandbox.get(`/prospector/runs/${id}`);
		const { length } = await sandbox.get(`/prospector/runs/${id}/results`);
		seen.push(`${status}${length}`);
	}
	expect(seen.join(' ')).toBe('a0 a0 b0 b0 b1 b1 c2 c3 d4');
});

test.each<[number, number, SandboxSettings['deletedRuns']]>([
	[404, 200, 'byId'],
	[200, 200, 'listed'],
	[404, 404, 'gone'],
])(
	'the runs of a deleted Prospector workflow are listed with status %i and returned by ID with status %i if deletedRuns is "%s"',
	async (list, byId, deletedRuns) => {
		sandbox.control.patchSettings({ deletedRuns });
		const [, , workflow, run, results] = seedPaths();
		const statuses = async () =>
			await Promise.all([workflow, `${workflow}/runs`, run, results].map((path) => statusOf(path)));
		const before = await sandbox.get(WORKFLOWS);
		sandbox.control.advanceClock(1000);
		sandbox.control.deleteWorkflow(before[0].id);
		expect(await statuses()).toEqual([404, list, byId, byId]);
		expect((await sandbox.call('POST', `${workflow}/run`)).status).toBe(404);
		sandbox.control.restoreWorkflow(before[0].id);
		expect(await sandbox.get(WORKFLOWS)).toEqual(before);
		expect(await statuses()).toEqual([200, 200, 200, 200]);
	},
);

test.each<[number[], SandboxSettings['idempotencyTie']]>([
	[[400, 400, 200, 409], 'success'],
	[[400, 409, 200, 409], 'request'],
	[[400, 409, 400, 409], 'response'],
])(
	'two creations with one idempotency key, sent before and after a repair, get the statuses %j if idempotencyTie is "%s"',
	async (expected, idempotencyTie) => {
		const statuses: number[] = [];
		for (const refusedFields of [['x'], []]) {
			sandbox.control.patchSettings({ idempotencyTie, refusedFields });
			for (const name of ['A', 'B']) {
				const options = { body: { name, x: 1 }, headers: { 'idempotency-key': 'k' } };
				statuses.push((await sandbox.call('POST', WORKFLOWS, options)).status);
			}
		}
		expect(statuses).toEqual(expected);
	},
);
