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

async function startRun(settings: Partial<SandboxSettings> = {}) {
	sandbox.control.patchSettings(settings);
	const [workflow] = sandbox.control.seed({ workflows: 1 }).workflows;
	const { data } = (await sandbox.call('POST', `${WORKFLOWS}/${workflow}/run`)).json;
	const path = `/prospector/runs/${data.id}`;
	return {
		id: data.id as string,
		path,
		readRun: async () => await sandbox.get(path),
		countResults: async () => (await sandbox.get(`${path}/results`)).length as number,
	};
}

const id = expect.stringMatching(/^req_/);
test.each([
	['object', 'body', { error: { message: 'Unauthorized' }, request_id: id }, undefined],
	['object', 'header', { error: { message: 'Unauthorized' } }, id],
	['object', 'none', { error: { message: 'Unauthorized' } }, undefined],
	['text', 'body', 'Unauthorized', undefined],
	['text', 'header', 'Unauthorized', id],
	['empty', 'header', '', id],
] as const)(
	'the settings errorBody "%s" and errorRequestId "%s" give an error the body %p and the x-request-id header %p',
	async (errorBody, errorRequestId, body, header) => {
		sandbox.control.patchSettings({ errorBody, errorRequestId });
		const { status, json, text, headers } = await sandbox.call('GET', '/me', { key: null });
		expect([status, json ?? text]).toEqual([401, body]);
		expect(headers['x-request-id']).toEqual(header);
		if (header) expect(sandbox.control.journal()[0].requestId).toBe(headers['x-request-id']);
	},
);

test.each<[Partial<SandboxSettings>, string | undefined]>([
	[{}, 'Sat, 01 Mar 2025 12:01:30 GMT'],
	[{ dateHeaderOffsetMs: -3_600_000 }, 'Sat, 01 Mar 2025 11:01:30 GMT'],
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

test('the setting extraFields adds fields to each resource but does not replace the fields id and object', async () => {
	const more = { error: 'field', id: 'hidden', object: 'hidden' };
	sandbox.control.patchSettings({
		extraFields: { config: more, workflow: more, run: more, result: more, me: more },
	});
	for (const resource of (await Promise.all(seedPaths().map(sandbox.get))).flat()) {
		expect(resource.error).toBe('field');
		expect([resource.id, resource.object]).not.toContain('hidden');
	}
});

test.each<[SandboxSettings['deletedRuns'], number, number]>([
	['byId', 404, 200],
	['listed', 200, 200],
	['gone', 404, 404],
])(
	'the setting deletedRuns "%s" leads to %i for the list of runs and %i for a run of a deleted Prospector workflow',
	async (deletedRuns, list, byId) => {
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

test('a run changes its status from queued to running to completed while its results appear', async () => {
	const { readRun, countResults } = await startRun();
	const seen: unknown[] = [];
	for (let step = 0; step < 5; step++) {
		const { status, updated_at } = await readRun();
		seen.push([status, await countResults(), Date.parse(updated_at) - START]);
		sandbox.control.advanceClock(750);
	}
	expect(seen).toEqual([
		['queued', 0, 0],
		['queued', 0, 0],
		['running', 0, 1500],
		['running', 6, 1500],
		['completed', 12, 3000],
	]);
});

test.each<[SandboxSettings['noResultsYet'], number]>([
	['empty', 200],
	['404', 404],
	['409', 409],
])(
	'the setting noResultsYet "%s" makes the list of results respond %i until resultsDelayMs after the run ends',
	async (noResultsYet, status) => {
		const delay = { resultsDelayMs: 4000, noResultsYet };
		const { id: run, path, countResults } = await startRun({ ...delay, runStageMs: 0, resultsPerRun: 3 });
		sandbox.control.advanceClock(3999);
		expect(await statusOf(`${path}/results`)).toBe(status);
		if (status === 200) expect(await countResults()).toBe(0);
		sandbox.control.advanceClock(1);
		expect(await countResults()).toBe(3);
		sandbox.control.setRunStatus(run, 'running');
		sandbox.control.advanceClock(4000);
		expect(await statusOf(`${path}/results`)).toBe(status);
	},
);
