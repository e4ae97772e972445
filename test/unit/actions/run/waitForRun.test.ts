import { waitForRun, type Wait } from '../../../../nodes/Prospector/actions/run/waitForRun';
import type { ApiRequest } from '../../../../nodes/Prospector/transport/failure/failure';
import type { IDataObject } from 'n8n-workflow';
import { fakeClient, fakeTiming, expectError } from '../../helpers/support';

interface Situation extends Partial<Wait> {
	statuses: unknown[];
	maxWait?: number;
	finished?: string[];
	failed?: string[];
	/** Takes the time of a look. */
	onCall?: () => void;
	onSleep?: (slept: number[]) => boolean;
}

function waitWith({ statuses, onSleep, onCall, ...rest }: Situation) {
	const { maxWait = 10_000, finished = ['done'], failed = ['failed', 'canceled'], ...others } = rest;
	const { client, calls } = fakeClient(
		statuses.map((status, i) => ({
			data: [{ id: 'run_1', status } as IDataObject],
			requestId: `req_${i + 1}`,
		})),
	);
	const time = fakeTiming(onSleep);
	const call = async (what: ApiRequest) => {
		onCall?.();
		return await client.request(what);
	};
	const wait = async () =>
		await waitForRun({
			client: { ...client, request: call },
			runId: 'run_1',
			plan: { maxWait, finished, failed },
			clock: time.timing,
			random: () => 0.5,
			...others,
		});
	return { wait, calls, ...time };
}

const always = (status: string) => new Array<string>(1000).fill(status);
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

describe('waiting for a run', () => {
	test('looks at once and does not sleep where it has finished', async () => {
		const { wait, slept, calls } = waitWith({ statuses: ['Done'] });
		expect(await wait()).toEqual({ run: { id: 'run_1', status: 'Done' }, requestId: 'req_1' });
		expect(slept).toEqual([]);
		expect(calls).toMatchObject([
			{ endpoint: { path: '/prospector/runs/{run_id}' }, ids: { run_id: 'run_1' } },
		]);
	});

	test('looks at growing intervals until it has finished', async () => {
		const { wait, slept } = waitWith({ statuses: ['queued', 'running', 'running', 'done'] });
		expect(await wait()).toMatchObject({ run: { status: 'done' }, requestId: 'req_4' });
		expect(slept).toEqual([1000, 1500, 2250]);
	});

	test('tells of every look: the run, the time since it began, and the pause until the next', async () => {
		const seen: unknown[] = [];
		const { wait } = waitWith({
			statuses: ['queued', 'running', 'done'],
			onStatusCheck: ({ run, elapsed, pause }) => seen.push([run.status, elapsed, pause]),
		});
		await wait();
		expect(seen).toEqual([
			['queued', 0, 1000],
			['running', 1000, 1500],
			['done', 2500, undefined],
		]);
	});

	test.each([
		[['failed'], 1],
		[['running', 'Failed'], 2],
	])(
		'ends with %j, which is no good end, though it is none of the finished statuses',
		async (statuses, looks) => {
			const { wait, calls } = waitWith({ statuses });
			const { message } = await expectError(wait);
			expect(message).toBe(`Run 'run_1' ended as '${statuses.at(-1)}' (request req_${looks})`);
			expect(calls).toHaveLength(looks);
		},
	);

	test('takes a status that is among both for a bad end', async () => {
		const { wait } = waitWith({ statuses: ['done'], failed: ['done'] });
		expect((await expectError(wait)).message).toMatch(/^Run 'run_1' ended as 'done'/);
	});

	test('returns a run whatever its end where no status counts as failed', async () => {
		const { wait } = waitWith({ statuses: ['failed'], finished: ['failed'], failed: [] });
		expect(await wait()).toMatchObject({ run: { status: 'failed' } });
	});

	test.each([1, 999, 1000, 60_000, 3_600_000])(
		'of at most %i ms looks once more at the deadline',
		async (ms) => {
			const { wait, slept, calls } = waitWith({ statuses: always('running'), maxWait: ms });
			await expectError(wait);
			expect(sum(slept)).toBe(ms);
			expect(calls).toHaveLength(slept.length + 1);
		},
	);

	test('accepts a run that has finished at the very deadline', async () => {
		const { wait } = waitWith({ statuses: ['running', 'done'], maxWait: 1000 });
		expect(await wait()).toMatchObject({ requestId: 'req_2' });
	});

	test('counts the time that the looks take', async () => {
		const situation = waitWith({ statuses: always('running'), maxWait: 5000, onCall: () => pass(2000) });
		const { pass } = situation;
		await expectError(situation.wait);
		expect(situation.calls).toHaveLength(2);
		expect(situation.slept).toEqual([1000]);
	});

	test('says at the deadline which run, its last status, the request, and how to go on', async () => {
		const { wait, calls } = waitWith({ statuses: always('Running'), maxWait: 2000 });
		const { message, description } = await expectError(wait);
		expect(message).toBe(`Run 'run_1' was still 'Running' after 2 s (request req_${calls.length})`);
		for (const words of ['Run › Get', "'Max Wait'", "'Running'", "'Finished Statuses'"]) {
			expect(description).toContain(words);
		}
	});

	test.each([
		['key-1', 'goes on with the same run'],
		[undefined, 'Do not retry this'],
	])('at the deadline of a run it started with the key %j says so', async (idempotencyKey, words) => {
		const startedRun = { id: 'run_1', idempotencyKey };
		const { wait, calls } = waitWith({ statuses: always('Running'), maxWait: 1000, startedRun });
		expect((await expectError(wait)).description).toContain(words);
		expect(calls[0].startedRun).toBe(startedRun);
	});

	test('says at the deadline that a run has no status at all', async () => {
		const { wait } = waitWith({ statuses: new Array(1000).fill(undefined), maxWait: 1000 });
		const { message, description } = await expectError(wait);
		expect(message).toMatch(/^Run 'run_1' had no status after 1 s/);
		expect(description).toContain("turn off 'Wait for Completion'");
	});

	test('is not taken for a stopped execution when a run ends in a status that is not in the list', async () => {
		const { wait } = waitWith({ statuses: always('canceled'), maxWait: 1000, failed: [] });
		expect((await expectError(wait)).message).not.toContain('canceled');
	});

	test('is not taken for a stopped execution when the run was canceled', async () => {
		const { wait } = waitWith({ statuses: ['canceled'] });
		const { message, description } = await expectError(wait);
		expect(message).toBe("Run 'run_1' ended as 'CANCELED' (request req_1)");
		expect(description).toContain("If 'canceled' is no bad end");
	});

	test('ends with the signal, in the word by which n8n shows an execution as stopped', async () => {
		const { wait, calls } = waitWith({
			statuses: always('running'),
			onSleep: (slept) => slept.length < 2,
		});
		const { message, description } = await expectError(wait);
		expect(message).toBe("The execution was canceled while waiting for run 'run_1'");
		expect(description).toContain('The run itself goes on');
		expect(calls).toHaveLength(2);
	});

	test('hands the signal to every sleep', async () => {
		const { signal } = new AbortController();
		const given: unknown[] = [];
		const clock = {
			now: () => 0,
			sleep: async (_: number, passed?: AbortSignal) => given.push(passed) < 2,
		};
		await expectError(waitWith({ statuses: always('running'), signal, clock }).wait);
		expect(given).toEqual([signal, signal]);
	});

	test('ends with the first look that is refused', async () => {
		const { wait, slept } = waitWith({ statuses: ['running'] });
		expect((await expectError(wait)).message).toBe('Request 2 was not expected');
		expect(slept).toHaveLength(1);
	});
});
