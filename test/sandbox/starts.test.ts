import type { SandboxSettings } from '../../sandbox/settings';
import { useTestSandbox } from './testSandbox';

const sandbox = useTestSandbox();

/** Starts a run that ends at once, and returns the requests that read it. */
async function startRun(settings: Partial<SandboxSettings>) {
	sandbox.control.patchSettings({ runStageMs: 0, resultsPerRun: 3, ...settings });
	const [workflow] = sandbox.control.seed({ workflows: 1 }).workflows;
	const { data } = (await sandbox.call('POST', `/prospector/workflows/${workflow}/run`)).json;
	const statusOf = async (path: string) => (await sandbox.call('GET', path)).status;
	const run = `/prospector/runs/${data.id}`;
	return {
		id: data.id as string,
		run: async () => await statusOf(run),
		results: async () => await statusOf(`${run}/results`),
		countResults: async () => (await sandbox.get(`${run}/results`)).length as number,
	};
}

test('a run gets 404 during runVisibleAfterMs', async () => {
	const { run, results } = await startRun({ runVisibleAfterMs: 1000 });
	expect([await run(), await results()]).toEqual([404, 404]);
	sandbox.control.advanceClock(1000);
	expect([await run(), await results()]).toEqual([200, 200]);
});

test.each([
	['empty', 200],
	['404', 404],
	['409', 409],
] as const)(
	'results can be read resultsDelayMs after the end of the run; with noResultsYet "%s", requests get %i before',
	async (noResultsYet, status) => {
		const { results, countResults } = await startRun({ resultsDelayMs: 4000, noResultsYet });
		sandbox.control.advanceClock(3999);
		expect(await results()).toBe(status);
		if (status === 200) expect(await countResults()).toBe(0);
		sandbox.control.advanceClock(1);
		expect(await countResults()).toBe(3);
	},
);

test('wrongRuns replaces the run of a start, and of a status check', async () => {
	const { id } = await startRun({});
	const { id: wrong } = await startRun({ wrongRuns: { runWorkflow: id } });
	expect(wrong).toBe(id);
	const { id: right } = await startRun({ wrongRuns: { getRun: id } });
	expect(right).not.toBe(id);
	expect((await sandbox.get(`/prospector/runs/${right}`)).id).toBe(id);
});

describe('an idempotency key', () => {
	const startWith = async (workflow: string) => {
		const headers = { 'idempotency-key': 'one key' };
		const { status, json } = await sandbox.call('POST', `/prospector/workflows/${workflow}/run`, { headers });
		return { status, id: json?.data?.id as string | undefined };
	};

	test.each([
		['request', 409],
		['body', 200],
	] as const)(
		'belongs to the %s, so that a start of another workflow gets %i',
		async (idempotencyPayload, status) => {
			sandbox.control.patchSettings({ idempotencyPayload });
			const [first, second] = sandbox.control.seed({ workflows: 2 }).workflows;
			const { id } = await startWith(first);
			const other = await startWith(second);
			expect(other.status).toBe(status);
			if (status === 200) expect(other.id).toBe(id);
		},
	);

	test('gets 409 during idempotencyBusyMs, then the first response', async () => {
		sandbox.control.patchSettings({ idempotencyBusyMs: 2000 });
		const [workflow] = sandbox.control.seed({ workflows: 1 }).workflows;
		const first = await startWith(workflow);
		expect((await startWith(workflow)).status).toBe(409);
		sandbox.control.advanceClock(2000);
		expect(await startWith(workflow)).toEqual(first);
	});
});
