import { FakeClock } from '../helpers/fakeClock';
import { API, httpResponse, itemResponse, KEY, pageResponse } from '../helpers/support';
import { waitForRun, type Wait } from '../helpers/waitScenario';

const RUN_URL = `${API}/runs/run_1`;
const NO_STATUS = "Run 'run_1' shows no status, so the node can't tell when it ends";

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

/** Each operation that waits for a run, and the requests that it sends besides status checks of an unfinished run. */
const OPERATIONS = [
	['run.get', []],
	['workflow.runAndGetResults', [`${API}/workflows/wf_1/run`]],
] as const;

describe.each(OPERATIONS)('a wait of %s', (operation, before) => {
	const wait = async (options: Wait) => await waitForRun({ operation, ...options });

	test('checks at growing intervals, and logs each new status', async () => {
		const statuses = ['queued', 'running', undefined, 'completed'];
		const { sleeps, urls, log } = await wait({ statuses, after: [pageResponse(['a'])] });
		expect(urls.slice(0, before.length + 4)).toEqual([...before, ...Array<string>(4).fill(RUN_URL)]);
		expect(sleeps).toEqual([1000, 1500, 2250]);
		expect(log).toEqual([
			"Prospector: run 'run_1' is 'queued' after 0 s, next check in 1 s",
			"Prospector: run 'run_1' is 'running' after 1 s, next check in 2 s",
			"Prospector: run 'run_1' has no status after 3 s, next check in 3 s",
			"Prospector: run 'run_1' is 'completed' after 5 s, the wait is over",
		]);
	});

	test.each([
		[0, 800, 24_000],
		[0.5, 1000, 30_000],
		[0.999, 1200, 35_988],
	])('varies its intervals by 20 %% at most (random number %d)', async (random, first, longest) => {
		const { sleeps } = await wait({ statuses: ['running'], waitUpTo: 3600, random });
		expect([sleeps[0], sleeps[8], sleeps[9], Math.max(...sleeps)]).toEqual([
			first,
			Math.round(1000 * 1.5 ** 8 * (0.8 + 0.4 * random)),
			longest,
			longest,
		]);
	});

	test.each([
		[1, '1 s'],
		[2, '2 s'],
		[60, '1 min'],
		[90, '1 min 30 s'],
		[3600, '1 h'],
	])('up to %i s ends with a check at its deadline', async (waitUpTo, duration) => {
		const { sleeps, urls, message } = await wait({ statuses: ['running'], waitUpTo });
		expect(sum(sleeps)).toBe(waitUpTo * 1000);
		expect(urls).toHaveLength(before.length + sleeps.length + 1);
		expect(message).toBe(`Run 'run_1' was still 'running' after ${duration} (request req_1)`);
	});

	test('up to an hour by default, whatever Retry For is', async () => {
		const { elapsed } = await wait({ statuses: ['running'], parameters: { waitUpTo: undefined } });
		expect(elapsed).toBe(3_600_000);
	});

	test('gives each check the rest of the time, but at least a second', async () => {
		const { requests, elapsed } = await wait({
			statuses: ['running'],
			waitUpTo: 5,
			responseMs: 1900,
			credential: { showAdvanced: true, requestTimeout: 4 },
		});
		expect(elapsed).toBe(before.length * 1900 + 6900);
		const timeouts = requests.slice(before.length).map(({ timeout }) => timeout);
		expect(timeouts).toEqual([4000, 2100, 1000]);
	});

	test('retries a check until the deadline, although Retry For is 0', async () => {
		const { message, elapsed, urls } = await wait({ statuses: ['running'], after: [httpResponse(503, '')] });
		expect(message).toMatch(/he service answered with status 503$/);
		expect(urls.length).toBeGreaterThan(3);
		expect(elapsed).toBeGreaterThan(2000);
		expect(elapsed).toBeLessThanOrEqual(10_000);
	});

	test('ends with a check that is refused', async () => {
		const { urls, message } = await wait({ statuses: ['running'], after: [httpResponse(404, '')] });
		expect(urls).toHaveLength(before.length + 2);
		expect(message).toMatch(/[Rr]un 'run_1' was not found$/);
	});

	test.each(['before', 'after'])('says that a run shows no status %s ten checks', async (when) => {
		const waitUpTo = when === 'before' ? 20 : 3600;
		for (const status of [undefined, null, '', ' ', 5, ['done']]) {
			const { message, urls, elapsed } = await wait({ statuses: [status], waitUpTo });
			expect(message).toBe(`${NO_STATUS} (request req_1)`);
			if (when === 'before') expect(elapsed).toBe(20_000);
			else expect(urls).toHaveLength(before.length + 10);
		}
	});

	test('goes on after ten checks without a status if one appeared before', async () => {
		const statuses = [...Array<undefined>(9), 'queued', ...Array<undefined>(20), 'done'];
		const { message, urls } = await wait({ statuses, waitUpTo: 3600, after: [pageResponse([])] });
		expect(message).toBeUndefined();
		expect(urls.filter((url) => url === RUN_URL)).toHaveLength(31);
	});

	test('says at its deadline that a run shows no status any more', async () => {
		const { message, elapsed } = await wait({ statuses: ['running', ''], waitUpTo: 100 });
		expect(message).toBe(`${NO_STATUS} (request req_2)`);
		expect(elapsed).toBe(100_000);
	});

	test.each<[string, unknown[], object, string]>([
		['a failed run', ['running', 'Failed'], {}, "ended as 'Failed' (request req_2)"],
		['an added failed status', ['Kaputt'], {}, "ended as 'Kaputt' (request req_1)"],
		[
			'a finished status that failed here',
			['done'],
			{ failedStatuses: 'done' },
			"ended as 'done' (request req_1)",
		],
		[
			'a status in both lists',
			['blocked'],
			{ finishedStatuses: 'blocked', failedStatuses: ['blocked'] },
			"ended as 'blocked' (request req_1)",
		],
		[
			'the last status without the API key',
			['Queued', `a ${KEY}`],
			{},
			"was still 'a [API key]' after 10 s (request req_2)",
		],
		[
			'the status of a failed run without the API key',
			[`a ${KEY}`],
			{ failedStatuses: `a ${KEY}` },
			"ended as 'a [API key]' (request req_1)",
		],
		['a canceled run, which n8n must not see', ['canceled'], {}, "ended as 'CANCELED' (request req_1)"],
	])('names %s', async (_, statuses, options, message) => {
		expect((await wait({ statuses, options })).message).toBe(`Run 'run_1' ${message}`);
	});

	test.each<[string, object]>([
		['completed', {}],
		['FERTIG', {}],
		['canceled', { finishedStatuses: 'canceled' }],
		['running', { finishedStatuses: '["running"]' }],
	])('ends with the finished status %j and the options %j', async (status, options) => {
		const { message, sleeps } = await wait({ statuses: [status], options, after: [pageResponse(['a'])] });
		expect({ message, sleeps }).toEqual({ message: undefined, sleeps: [] });
	});

	test('ends with the execution, as n8n shows canceled ones', async () => {
		const controller = new AbortController();
		const clock = new FakeClock();
		const rest = { getExecutionCancelSignal: () => controller.signal };
		const result = wait({ statuses: ['running'], clock, rest });
		await clock.advance(500);
		expect(clock.sleeping()).toBe(1);
		controller.abort();
		expect(await result).toMatchObject({
			message: "The execution was canceled while waiting for run 'run_1'",
			description: "The run continues. Get its results later with Run › Get, ID 'run_1'.",
		});
	});

	test('reads the results of all pages, with their run', async () => {
		const { items, urls } = await wait({
			statuses: [' Done '],
			parameters: { returnResults: true },
			after: [pageResponse(['a'], 'c2'), pageResponse(['b'])],
		});
		const run = { run_id: 'run_1', run_status: 'Done' };
		expect(items).toMatchObject([
			{ id: 'a', ...run, request_id: 'req of a' },
			{ id: 'b', ...run, request_id: 'req of b' },
		]);
		expect(urls).toEqual([...before, RUN_URL, ...Array<string>(2).fill(`${RUN_URL}/results`)]);
	});

	test('without results is a hint', async () => {
		const { items, hints } = await wait({
			statuses: ['Done'],
			parameters: { returnResults: true },
			after: [pageResponse([])],
		});
		expect(items).toEqual([]);
		expect(hints.map(({ message, type }) => [type, message])).toEqual([
			['info', "Run 'run_1' found nothing (status 'Done')."],
		]);
	});
});

describe('Run › Get', () => {
	test('returns a run that has finished, after the first check', async () => {
		const { items, sleeps, urls, log } = await waitForRun({ statuses: ['Done'] });
		expect(items).toEqual([{ id: 'run_1', status: 'Done', request_id: 'req_1' }]);
		expect({ sleeps, urls }).toEqual({ sleeps: [], urls: [RUN_URL] });
		expect(log).toEqual(["Prospector: run 'run_1' is 'Done' after 0 s, the wait is over"]);
	});

	test('returns a run that has finished at the deadline', async () => {
		const { items } = await waitForRun({ statuses: ['running', 'done'], waitUpTo: 1 });
		expect(items).toMatchObject([{ request_id: 'req_2' }]);
	});

	test.each([
		[true, ['a']],
		['true', ['a']],
		[false, ['run_1']],
		[undefined, ['run_1']],
	])('with Return Results %j returns the items %j', async (returnResults, ids) => {
		const { items } = await waitForRun({
			statuses: ['done'],
			parameters: { returnResults },
			after: [pageResponse(['a'])],
		});
		expect(items.map(({ id }) => id)).toEqual(ids);
	});

	test('without Wait for Completion returns the run at once, and no results', async () => {
		const { items, urls, log } = await waitForRun({
			statuses: ['running'],
			parameters: { waitForCompletion: false, returnResults: true, waitUpTo: 'ignored' },
		});
		expect(items).toEqual([{ id: 'run_1', status: 'running', request_id: 'req_1' }]);
		expect({ urls, log }).toEqual({ urls: [RUN_URL], log: [] });
	});

	test.each<[string, unknown[], string]>([
		[
			'still runs',
			['running'],
			"The run continues. Raise 'Wait Up To (Seconds)', or use Retry on this execution to keep waiting. If 'running' means finished, add it to 'Finished Statuses' under Options.",
		],
		[
			'failed',
			['failed'],
			"To start a new one, use Workflow › Run; Retry only looks at this one again. Its results are at Result › Get Many. If 'failed' is fine, add it to 'Finished Statuses' under Options.",
		],
		[
			'shows no status',
			[''],
			"The run continues. Get its results later with Result › Get Many. Turn off 'Wait for Completion' to get the run itself.",
		],
	])('says what to do when the run %s', async (_, statuses, description) => {
		expect((await waitForRun({ statuses })).description).toBe(description);
	});

	test('waits for several items at the same time', async () => {
		const { elapsed, message } = await waitForRun({
			statuses: ['running'],
			input: [{}, {}, {}],
			waitUpTo: 60,
		});
		expect(elapsed).toBe(60_000);
		expect(message).toMatch(/^Run 'run_1' was still 'running' after 1 min /);
	});
});

describe('the log of a wait', () => {
	test('contains no line break and no API key', async () => {
		const { log } = await waitForRun({ statuses: [`wait\n${KEY}`, 'done'] });
		expect(log[0]).toBe("Prospector: run 'run_1' is 'wait [API key]' after 0 s, next check in 1 s");
	});

	test('repeats a status when the wait has lasted half as long again, and every five minutes', async () => {
		const { log } = await waitForRun({ statuses: ['running'], waitUpTo: 3599 });
		const seconds = log.map((line) => {
			const [, minutes = '0', rest = '0'] = /after (?:(\d+) min ?)?(?:(\d+) s)?,/.exec(line) ?? [];
			return Number(minutes) * 60 + Number(rest);
		});
		expect(seconds).toEqual([
			...[0, 1, 3, 5, 9, 14, 21, 33, 50, 75, 135, 225, 345, 525, 795, 1095, 1395, 1695, 1995, 2295],
			...[2595, 2895, 3195, 3495, 3599],
		]);
		expect(log.at(-1)).toBe("Prospector: run 'run_1' is 'running' after 59 min 59 s, the wait is over");
	});
});

test('a run is named by the ID that the service gives it', async () => {
	const { urls } = await waitForRun({
		operation: 'workflow.runAndGetResults',
		statuses: [],
		start: itemResponse({ id: '../../me' }),
		after: [itemResponse({ id: '../../me', status: 'done' }), pageResponse(['a'])],
	});
	expect(urls).toEqual([
		`${API}/workflows/wf_1/run`,
		`${API}/runs/..%2F..%2Fme`,
		`${API}/runs/..%2F..%2Fme/results`,
	]);
});
