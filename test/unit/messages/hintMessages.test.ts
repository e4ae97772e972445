import { warnIfUnfinished } from '../../../nodes/Prospector/actions/result/warnIfUnfinished';
import { HintCollector } from '../../../nodes/Prospector/actions/hintCollector';
import * as about from '../../../nodes/Prospector/messages/hintMessages';
import type { Client } from '../../../nodes/Prospector/transport/request/client';
import type { Failure } from '../../../nodes/Prospector/transport/failure/failure';
import type { ApiResponse } from '../../../nodes/Prospector/transport/request/response';
import { status } from '../helpers/everyFailure';
import { fakeClient, KEY } from '../helpers/support';

const runs = (...statuses: string[]) => new Map(statuses.map((word, i) => [`run_${i + 1}`, word] as const));
const causes = (...entries: Array<[string, number]>) => new Map(entries);

describe('a hint', () => {
	test.each<[string, string | undefined, string]>([
		[
			'of one item whose key was not used',
			about.aboutKeysNotUsed(1),
			"The given 'Idempotency Key' was not used, since 'Idempotency Key Mode' is Automatic. Set it to Custom to use the key.",
		],
		[
			'of several',
			about.aboutKeysNotUsed(1000),
			"The given 'Idempotency Key' was not used for 1000 items, since 'Idempotency Key Mode' is Automatic. Set it to Custom to use the key.",
		],
		[
			'of items without a key',
			about.aboutKeysNotSent(2),
			'No idempotency key was sent for 2 items, since n8n does not tell which execution this is: a retry may do the same thing twice. Set Options › Idempotency Key Mode to Custom and give a key.',
		],
		[
			'of a run that goes on',
			about.aboutUnfinished(runs('running')),
			"Run 'run_1' had the status 'running' when its results were read, which is not among 'Finished Statuses', so more results may follow. Wait for the end with Run › Get before you read them, or, if such a status is the end, add it to 'Finished Statuses' under Options.",
		],
		[
			'of a run without a status',
			about.aboutUnfinished(runs('')),
			"Run 'run_1' showed no status when its results were read, so it cannot be told whether more will follow. Turn off 'Warn If Unfinished' under Options if your runs never show one.",
		],
		[
			'of several runs that go on',
			about.aboutUnfinished(runs('running', '', 'queued', 'running', 'running')),
			"5 runs had a status that is not among 'Finished Statuses' when their results were read ('run_1' (running), 'run_2' (no status), 'run_3' (queued) and 2 more), so more results may follow. Wait for the end with Run › Get before you read them, or, if such a status is the end, add it to 'Finished Statuses' under Options.",
		],
		[
			'of a run without results',
			about.aboutRunsWithoutResults(runs('completed')),
			"Run 'run_1' ended as 'completed' without results, so nothing follows for it.",
		],
		[
			'of several',
			about.aboutRunsWithoutResults(runs('completed', 'failed')),
			"2 runs ended without results, so nothing follows for them: 'run_1' (completed), 'run_2' (failed).",
		],
		[
			'of a list that was cut',
			about.aboutCutLists(1),
			"The list goes on after 'Limit', so not everything was returned. Raise 'Limit', or turn on 'Return All' for the rest.",
		],
		[
			'of several',
			about.aboutCutLists(12),
			"12 lists go on after 'Limit', so not everything was returned. Raise 'Limit', or turn on 'Return All' for the rest.",
		],
		[
			'of a retry',
			about.aboutRetries({ retried: 1, causes: causes(['status 503', 1]) }),
			'1 request had to be sent again, after: status 503 (1×).',
		],
		[
			'of several, the most frequent cause first',
			about.aboutRetries({ retried: 4, causes: causes(['connection lost', 1], ['status 429', 5]) }),
			'4 requests had to be sent again, after: status 429 (5×), connection lost (1×).',
		],
		[
			'of a request that was held back',
			about.aboutHoldingBack({ throttled: 1, throttledMs: 1000 }),
			"1 request was held back to keep to the service's rate limit, which took 1 s altogether.",
		],
		[
			'of several',
			about.aboutHoldingBack({ throttled: 120, throttledMs: 61_000 }),
			"120 requests were held back to keep to the service's rate limit, which took 1 min 1 s altogether.",
		],
	])('%s says what happened, in numbers', (_, message, expected) => {
		expect(message).toBe(expected);
		expect(message).not.toMatch(/\b(errors?|problems?|failures?|mistakes?|undefined|null|NaN)\b/i);
	});

	test('is not given for what did not happen', () => {
		expect(about.buildHints(new HintCollector())).toEqual([]);
		expect(about.aboutHoldingBack({ throttled: 5, throttledMs: 999 })).toBeUndefined();
	});

	test('is given once of each kind, however often it happened', () => {
		const notes = new HintCollector();
		for (let i = 0; i < 1000; i++) {
			notes.keysNotUsed++;
			notes.keysNotSent++;
			notes.cutLists++;
			notes.withoutResults.set(`run_${i}`, 'done');
			notes.unfinished.set(`run_${i}`, 'running');
			const request = notes.stats.request();
			request.startThrottle(0)(1000);
			request.recordRetry(status(503));
		}
		const hints = about.buildHints(notes);
		expect(hints).toHaveLength(7);
		for (const { message, location } of hints) {
			expect(message).toContain('1000');
			expect(message.length).toBeLessThan(400);
			expect(location).toBe('outputPane');
		}
		expect(hints.map(({ type }) => type)).toEqual([
			...['warning', 'warning', 'warning'],
			...['info', 'info', 'info', 'info'],
		]);
	});
});

describe('a look at a run', () => {
	const shows = (word?: string): ApiResponse => ({
		data: [{ id: 'run_1', status: word }],
		requestId: 'req_1',
	});
	const look = async (
		answer: ApiResponse | Failure,
		notes = new HintCollector(),
		finished = ['done', 'timed_out'],
	) => {
		const { client } = fakeClient([]);
		const calls: unknown[] = [];
		const asked: Client = {
			...client,
			async safeRequest(call) {
				calls.push(call);
				return answer;
			},
		};
		await warnIfUnfinished(asked, 'run_1', finished, notes);
		return { calls, unfinished: [...notes.unfinished], notes, asked };
	};

	test.each([
		['running', 'running'],
		['Läuft', 'Läuft'],
		['', ''],
		[undefined, ''],
		[`x ${KEY}`, 'x [API key]'],
	])('that shows the status %p is noted', async (word, noted) => {
		expect((await look(shows(word))).unfinished).toEqual([['run_1', noted]]);
	});

	test.each(['done', ' DONE ', 'Timed Out', 'timed-out'])('that shows %p is not', async (word) => {
		expect((await look(shows(word))).unfinished).toEqual([]);
	});

	test.each([
		status(404),
		status(429),
		status(503),
		{ kind: 'timeout' } as const,
		{ kind: 'throttled' } as const,
	])('that ends in %j is no reason for words', async (failure) =>
		expect((await look(failure)).unfinished).toEqual([]),
	);

	test('is tried once, and soon given up', async () => {
		const { calls } = await look(shows('running'));
		expect(calls).toEqual([
			expect.objectContaining({ ids: { run_id: 'run_1' }, maxWait: 0, timeout: 10_000 }),
		]);
	});

	test('is made once per run, also side by side and where it shows nothing', async () => {
		for (const answer of [shows('running'), status(503)]) {
			const { calls, notes, asked } = await look(answer);
			await Promise.all([1, 2, 3].map(async () => await warnIfUnfinished(asked, 'run_1', ['done'], notes)));
			expect(calls).toHaveLength(1);
			await warnIfUnfinished(asked, 'run_2', ['done'], notes);
			expect(calls).toHaveLength(2);
		}
	});
});
