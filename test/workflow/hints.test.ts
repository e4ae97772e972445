import type { IDataObject, INode, IRun } from 'n8n-workflow';
import { find, inputFor, parametersFor } from './everyOperation';
import { startFastEnvironment, type FastEnvironment } from './fastBench';
import { byId, startEnvironment, type Environment } from './support';

const hintsOf = (ended: IRun) => ended.data.resultData.runData.Prospector[0].hints ?? [];
const messagesOf = (ended: IRun) => hintsOf(ended).map(({ message }) => message);

describe('The hints of an execution', () => {
	let bench: Environment;
	let running: string;
	let finished: string;
	beforeAll(async () => {
		bench = await startEnvironment({ defaultPageSize: 3 });
		const runs = [
			{ status: 'running', results: 2 },
			{ status: 'completed', results: 2 },
		];
		[running, finished] = bench.sandbox.control.seed({ workflows: [{ runs }] }).runs;
	});
	beforeEach(() => bench.prepare());
	afterAll(async () => await bench.close());

	const operations = () => bench.sandbox.control.journal().map(({ operation }) => operation);
	const results = (id: string, options: IDataObject = {}, rest: IDataObject = {}) => ({
		resource: 'result',
		operation: 'getAll',
		runId: byId(id),
		returnAll: true,
		options,
		...rest,
	});
	const over = async (parameters: IDataObject, input: IDataObject[] = [{}], extra: Partial<INode> = {}) => {
		const ended = await bench.over(parameters, input, extra);
		if (ended.data.resultData.error) throw ended.data.resultData.error;
		return ended;
	};

	test('say that results were read from a run that has not finished, after one look before reading', async () => {
		const ended = await over(results(running));
		expect(hintsOf(ended)).toEqual([
			{
				message: expect.stringMatching(
					`^Run '${running}' had the status 'running' when its results were read, .* so more results may follow\\.`,
				),
				type: 'warning',
				location: 'outputPane',
			},
		]);
		expect(operations()).toEqual(['getRun', 'listResults']);
	});

	test('are none for a finished run, also one whose status is spelt in another way', async () => {
		expect(messagesOf(await over(results(finished)))).toEqual([]);
		expect(operations()).toEqual(['getRun', 'listResults']);
		const options = { finishedStatuses: 'fertig, Running' };
		expect(messagesOf(await over(results(running, options)))).toEqual([]);
	});

	test('are one for many items, and each run is looked at once', async () => {
		const ids = Array.from({ length: 20 }, (_, i) => ({ run: i % 4 === 0 ? finished : running }));
		const ended = await over(results('={{ $json.run }}'), ids);
		expect(messagesOf(ended)).toHaveLength(1);
		expect(operations().filter((name) => name === 'getRun')).toHaveLength(2);
		expect(operations().filter((name) => name === 'listResults')).toHaveLength(20);
	});

	test.each([
		['is turned off', { warnIfUnfinished: false }],
		['is turned off as text', { warnIfUnfinished: '={{ "false" }}' }],
		['goes on from a cursor', { startCursor: 'c' }],
	])('cost no look at the run where it %s', async (_, options) => {
		const page = { data: [], pagination: { has_more: false }, request_id: 'req_1' };
		bench.prepare({ kind: 'notEnvelope', body: page });
		expect(messagesOf(await over(results(running, options)))).toEqual([]);
		expect(operations()).toEqual(['listResults']);
	});

	test.each([404, 403, 500, 503])('do without a look that is refused with %i', async (status) => {
		bench.prepare({ kind: 'status', status, times: 0, match: { operation: 'getRun' } });
		const ended = await over(results(running, { maxWait: 0 }));
		expect(ended.data.resultData.runData.Prospector[0].data?.main[0]).toHaveLength(2);
		expect(operations().filter((name) => name === 'getRun')).toHaveLength(1);
		expect(messagesOf(ended)).toEqual([]);
	});

	test('say that Limit has cut lists, and how many', async () => {
		const limited = { ...results('={{ $json.id }}', {}, { returnAll: false, limit: 1 }) };
		const ended = await over(limited, [{ id: finished }, { id: finished }, { id: finished }]);
		expect(messagesOf(ended)).toEqual([expect.stringMatching(/^3 lists go on after 'Limit'/)]);
		const enough = await over({ ...limited, limit: 2 }, [{ id: finished }]);
		expect(messagesOf(enough)).toEqual([]);
		const workflows = { resource: 'workflow', operation: 'getAll', limit: 1 };
		expect(messagesOf(await over(workflows))).toEqual([
			expect.stringMatching(/^The list goes on after 'Limit'/),
		]);
	});

	test('are there under Continue too, beside the items that did not work out', async () => {
		const ended = await over(results('={{ $json.id }}'), [{ id: running }, { id: 'no_such_run' }], {
			onError: 'continueRegularOutput',
		});
		const items = ended.data.resultData.runData.Prospector[0].data?.main[0] ?? [];
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, false, true]);
		expect(messagesOf(ended)).toHaveLength(1);
	});

	test('are one for all runs that ended without results', async () => {
		bench.sandbox.control.patchSettings({ resultsPerRun: 0 });
		const input = inputFor(bench, find('Workflow › run'), 3);
		const ended = await over(
			{
				...parametersFor(find('Workflow › run')),
				waitForCompletion: true,
				options: { returnResults: true },
			},
			input,
		);
		expect(messagesOf(ended)).toEqual([
			expect.stringMatching(/^3 runs ended without results, .* \(completed\)/),
		]);
	});

	test('are one for all items whose key was not used', async () => {
		const input = inputFor(bench, find('Workflow › run'), 3);
		const options = { idempotencyKey: 'mine', idempotencyKeyMode: 'automatic' };
		const ended = await over(parametersFor(find('Workflow › run'), undefined, { options }), input);
		expect(messagesOf(ended)).toEqual([
			expect.stringMatching(/^The given 'Idempotency Key' was not used for 3 items,/),
		]);
	});

	test('are none where there is nothing to say', async () => {
		for (const title of ['Config › get', 'Workflow › create', 'Workflow › getAll']) {
			expect(messagesOf(await over(parametersFor(find(title))))).toEqual([]);
		}
	});
});

describe('The hints of an execution that had to wait', () => {
	let bench: FastEnvironment;
	beforeAll(async () => (bench = await startFastEnvironment({}, 40)));
	beforeEach(() => bench.prepare());
	afterAll(async () => await bench.close());

	const config = { resource: 'config', operation: 'get' };
	const over = async (count: number) =>
		await bench.over(
			config,
			Array.from({ length: count }, () => ({})),
		);

	test('say how many requests were sent again, and why', async () => {
		bench.prepare({ kind: 'status', status: 503, times: 2 }, { kind: 'drop', times: 1 });
		const ended = await over(1);
		expect(messagesOf(ended)[0]).toBe(
			'1 request had to be sent again, after: status 503 (2×), connection lost (1×).',
		);
	});

	test('are not about a look that found the limit used up: it is not repeated, and the results come', async () => {
		const { runs } = bench.sandbox.control.seed({
			workflows: [{ runs: [{ status: 'running', results: 2 }] }],
		});
		bench.prepare({ kind: 'status', status: 429, times: 0, match: { operation: 'getRun' } });
		const ended = await bench.over({ resource: 'result', operation: 'getAll', runId: byId(runs[0]) });
		expect(ended.data.resultData.runData.Prospector[0].data?.main[0]).toHaveLength(2);
		expect(bench.journal().map(({ operation }) => operation)).toEqual(['getRun', 'listResults']);
		expect(messagesOf(ended).join()).not.toContain('had the status');
	});

	test('say how many were held back, and for how long', async () => {
		bench.sandbox.control.patchSettings({ limit: 4 });
		const ended = await over(6);
		const text = messagesOf(ended).join('\n');
		expect(text).toMatch(/^\d requests? had to be sent again, after: status 429 \(\d×\)\.$/m);
		const [, minutes] =
			/^\d requests? (?:was|were) held back .* took (\d+) min \d+ s altogether\.$/m.exec(text) ?? [];
		expect(Number(minutes)).toBeGreaterThanOrEqual(1);
		expect(messagesOf(ended)).toHaveLength(2);
	});
});
