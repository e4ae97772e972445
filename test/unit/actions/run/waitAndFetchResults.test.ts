import { HintCollector } from '../../../../nodes/Prospector/actions/hintCollector';
import { buildHints } from '../../../../nodes/Prospector/messages/hintMessages';
import type { ItemContext } from '../../../../nodes/Prospector/actions/operation';
import { waitAndFetchResults } from '../../../../nodes/Prospector/actions/run/waitAndFetchResults';
import type { WaitOptions } from '../../../../nodes/Prospector/model/runStatus';
import type { ApiResponse } from '../../../../nodes/Prospector/transport/request/response';
import { systemClock } from '../../../../nodes/Prospector/transport/retry/clock';
import { replaceTiming } from '../../../fastClock';
import { fakeClient, fakeExecution, fakeTiming, KEY, page, expectError } from '../../helpers/support';

let restore: () => void;
beforeEach(() => (restore = replaceTiming(systemClock, fakeTiming().timing)));
afterEach(() => restore());

const plan: WaitOptions = { maxWait: 60_000, finished: ['done'], failed: ['failed'] };
const runs = (...statuses: string[]): ApiResponse[] =>
	statuses.map((status, i) => ({ data: [{ id: 'run_1', status }], requestId: `req_${i + 1}` }));

function situation(answers: ApiResponse[]) {
	const { client, calls } = fakeClient(answers);
	const { context, log } = fakeExecution();
	const notes = new HintCollector();
	const itemRun: ItemContext = { context, client, itemIndex: 0, notes };
	return { itemRun, calls, log, notes };
}

test('the log tells of the wait in lines that name node, run, status and time', async () => {
	const { itemRun, log } = situation(runs('queued', 'running', 'done'));
	await waitAndFetchResults(itemRun, { runId: 'run_1' }, plan);
	expect(log).toEqual([
		expect.stringMatching(/^Prospector: run 'run_1' is 'queued' after 0 s, next look in [12] s$/),
		expect.stringMatching(/^Prospector: run 'run_1' is 'running' after [12] s, next look in [12] s$/),
		expect.stringMatching(/^Prospector: run 'run_1' is 'done' after [2-4] s, the wait is over$/),
	]);
});

test('the log tells of a bad end and of the deadline too', async () => {
	for (const statuses of [['failed'], new Array<string>(100).fill('running')]) {
		const { itemRun, log } = situation(runs(...statuses));
		await expectError(async () => await waitAndFetchResults(itemRun, { runId: 'run_1' }, plan));
		expect(log.at(-1)).toMatch(/^Prospector: run 'run_1' is '\w+' after .*, the wait is over$/);
	}
});

test('no line holds the API key or a line break, whatever the service calls a status', async () => {
	const { itemRun, log } = situation(runs(`wait\n${KEY}`, 'done'));
	await waitAndFetchResults(itemRun, { runId: 'run_1' }, plan);
	expect(log[0]).toContain("is 'wait [API key]'");
});

test('the output says where the run came from', async () => {
	const { itemRun } = situation(runs('done'));
	const origin = { idempotency_key: 'key-1' };
	expect(await waitAndFetchResults(itemRun, { runId: 'run_1', origin }, plan)).toEqual([
		{ id: 'run_1', status: 'done', idempotency_key: 'key-1', request_id: 'req_1' },
	]);
});

test('the results say so too, and which run they are of', async () => {
	const { itemRun, calls } = situation([...runs('Done'), page(['a', 'b'])]);
	const startedRun = { id: 'run_1', idempotencyKey: 'key-1' };
	const followed = { runId: 'run_1', startedRun, origin: { idempotency_key: 'key-1' } };
	const rest = { run_id: 'run_1', run_status: 'Done', idempotency_key: 'key-1', request_id: 'req of a,b' };
	expect(await waitAndFetchResults(itemRun, followed, { ...plan, returnResults: true })).toEqual([
		{ id: 'a', ...rest },
		{ id: 'b', ...rest },
	]);
	expect(calls.map((call) => call.startedRun)).toEqual([startedRun, startedRun]);
});

test('no results leave a hint', async () => {
	const { itemRun, notes } = situation([...runs('done'), page([])]);
	expect(await waitAndFetchResults(itemRun, { runId: 'run_1' }, { ...plan, returnResults: true })).toEqual(
		[],
	);
	expect(buildHints(notes)).toEqual([
		expect.objectContaining({
			message: expect.stringContaining("Run 'run_1' ended as 'done' without results"),
		}),
	]);
});
