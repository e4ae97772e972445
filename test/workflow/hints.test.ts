import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../engine';
import { byId } from '../nodes';
import { hintsOf, startFastEnvironment, type FastEnvironment } from './environment';
import { findOperation, inputFor, parametersFor } from './everyOperation';

let env: FastEnvironment;
let running: string;
let finished: string;
beforeAll(async () => {
	// Faster, and the hint about throttling would appear on a busy machine.
	env = await startFastEnvironment({}, 10);
	const runs = ['running', 'completed'].map((status) => ({ status, results: 2 }));
	[running, finished] = env.control.seed({ workflows: [{ runs }] }).runs;
});
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

const resultsOf = (id: string, options: IDataObject = {}, rest: IDataObject = {}): IDataObject => ({
	...{ resource: 'result', operation: 'getAll', runId: byId(id), returnAll: true, options },
	...rest,
});
const requestsOf = (name: string) => env.operations().filter((operation) => operation === name).length;

describe('Reading the results of an unfinished run', () => {
	test('adds a hint after one status check', async () => {
		const ended = await env.runNode(resultsOf(running));
		const message = expect.stringMatching(
			`^Run '${running}' had the status 'running' when its results were read, .* so more results may follow\\.`,
		) as string;
		expect(ended.data.resultData.runData.Prospector[0].hints).toEqual([
			{ message, type: 'warning', location: 'outputPane' },
		]);
		expect(env.operations()).toEqual(['getRun', 'listResults']);
	});

	test('adds one hint for many items and checks each run once', async () => {
		const input = Array.from({ length: 20 }, (_, i) => ({ run: i % 4 === 0 ? finished : running }));
		const ended = await env.runNode(resultsOf('={{ $json.run }}'), input);
		expect(hintsOf(ended)).toHaveLength(1);
		expect([requestsOf('getRun'), requestsOf('listResults')]).toEqual([2, 20]);
	});

	test('adds the hint beside failed items when On Error is Continue', async () => {
		const input = [{ id: running }, { id: 'no_such_run' }];
		const ended = await env.runNode(resultsOf('={{ $json.id }}'), input, {
			onError: 'continueRegularOutput',
		});
		expect(outputOf(ended, 'Prospector').map(({ json }) => 'error' in json)).toEqual([false, false, true]);
		expect(hintsOf(ended)).toHaveLength(1);
	});

	test.each([
		['its status is in Finished Statuses', { finishedStatuses: 'fertig, Running' }, 1],
		['Warn If Unfinished is off', { warnIfUnfinished: false }, 0],
		['Warn If Unfinished is off as text', { warnIfUnfinished: '={{ "false" }}' }, 0],
		['the list begins at a cursor', { startCursor: 'c' }, 0],
	])('adds no hint when %s', async (_, options, checks) => {
		const body = { data: [], pagination: { has_more: false }, request_id: 'req_1' };
		env.control.addFault({ kind: 'notEnvelope', body, match: { operation: 'listResults' } });
		expect(hintsOf(await env.runNode(resultsOf(running, options)))).toEqual([]);
		expect([requestsOf('getRun'), requestsOf('listResults')]).toEqual([checks, 1]);
	});

	test.each([404, 403, 429, 500, 503])(
		'returns the results without a hint when the status check fails with %i, and repeats no check',
		async (status) => {
			env.control.addFault({ kind: 'status', status, times: 0, match: { operation: 'getRun' } });
			const ended = await env.runNode(resultsOf(running));
			expect(outputOf(ended, 'Prospector')).toHaveLength(2);
			expect(requestsOf('getRun')).toBe(1);
			expect(hintsOf(ended).join()).not.toContain('had the status');
		},
	);
});

test.each<[string, () => IDataObject, () => IDataObject[], Array<RegExp>]>([
	['results of a finished run', () => resultsOf(finished), () => [{}], []],
	['an operation without remarks', () => parametersFor(findOperation('Config › get')), () => [{}], []],
	[
		'lists that Limit has truncated',
		() => resultsOf('={{ $json.id }}', {}, { returnAll: false, limit: 1 }),
		() => [{ id: finished }, { id: finished }, { id: finished }],
		[/^3 lists go on after 'Limit'/],
	],
	['a list as long as Limit', () => resultsOf(finished, {}, { returnAll: false, limit: 2 }), () => [{}], []],
	[
		'keys that were not used',
		() =>
			parametersFor(findOperation('Workflow › run'), undefined, {
				options: { idempotencyKey: 'mine', preventDuplicates: 'execution' },
			}),
		() => inputFor(env, findOperation('Workflow › run'), 3),
		[/^The given 'Idempotency Key' was not used for 3 items,/],
	],
])('an execution has the expected hints: %s', async (_, parameters, input, expected) => {
	const ended = await env.runNode(parameters(), input());
	expect(ended.status).toBe('success');
	expect(hintsOf(ended)).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string));
});

test('runs that finish without results lead to no items and one hint', async () => {
	env.control.patchSettings({ resultsPerRun: 0 });
	const row = findOperation('Workflow › run');
	const parameters = { ...parametersFor(row), waitForCompletion: true, options: { returnResults: true } };
	const ended = await env.runNode(parameters, inputFor(env, row, 3));
	expect(outputOf(ended, 'Prospector')).toEqual([]);
	expect(hintsOf(ended)).toEqual([expect.stringMatching(/^3 runs ended without results, .* \(completed\)/)]);
});
