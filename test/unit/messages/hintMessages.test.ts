import { buildHints, HintCollector } from '../../../nodes/Prospector/messages/hintMessages';
import type { Failure } from '../../../nodes/Prospector/transport/failure/failure';
import { status } from '../helpers/everyFailure';

/** The hints after something was collected. */
function hintsOf(collect: (collector: HintCollector) => void) {
	const collector = new HintCollector();
	collect(collector);
	return buildHints(collector);
}

const addRuns = (runs: Map<string, string>, statuses: string[]) =>
	statuses.forEach((word, i) => runs.set(`run_${i + 1}`, word));

function retry(collector: HintCollector, ...failures: Failure[]) {
	const request = collector.stats.request();
	for (const failure of failures) request.recordRetry(failure);
}

const MORE_RESULTS =
	"so more results may follow. Wait for the end with Run › Get before you read them, or, if such a status is the end, add it to 'Finished Statuses' under Options.";

describe('buildHints', () => {
	test.each<[string, (collector: HintCollector) => void, string, string]>([
		[
			'a key that was not used',
			(collector) => (collector.ignoredKeys = 1),
			'warning',
			"The given 'Idempotency Key' was not used, since 'Prevent Duplicates' is Automatic. Set it to Custom to use the key.",
		],
		[
			'several keys that were not used',
			(collector) => (collector.ignoredKeys = 2),
			'warning',
			"The given 'Idempotency Key' was not used for 2 items, since 'Prevent Duplicates' is Automatic. Set it to Custom to use the key.",
		],
		[
			'a request without a key',
			(collector) => (collector.missingKeys = 1),
			'warning',
			'No idempotency key was sent, since n8n does not tell which execution this is: a retry may do the same thing twice. Set Options › Prevent Duplicates to Custom and give a key.',
		],
		[
			'several requests without a key',
			(collector) => (collector.missingKeys = 2),
			'warning',
			'No idempotency key was sent for 2 items, since n8n does not tell which execution this is: a retry may do the same thing twice. Set Options › Prevent Duplicates to Custom and give a key.',
		],
		[
			'names of fields that no item has',
			(collector) => (collector.unknownFields = { names: ['a', 'b'], known: ['id', 'name'] }),
			'warning',
			"'Fields to Return' names what no item has: a, b. There are: id, name.",
		],
		[
			'an unfinished run',
			({ unfinished }) => addRuns(unfinished, ['running']),
			'warning',
			`Run 'run_1' had the status 'running' when its results were read, which is not among 'Finished Statuses', ${MORE_RESULTS}`,
		],
		[
			'a run without a status',
			({ unfinished }) => addRuns(unfinished, ['']),
			'warning',
			"Run 'run_1' showed no status when its results were read, so it cannot be told whether more will follow. Turn off 'Warn If Unfinished' under Options if your runs never show one.",
		],
		[
			'three unfinished runs',
			({ unfinished }) => addRuns(unfinished, ['running', '', 'queued']),
			'warning',
			`3 runs had a status that is not among 'Finished Statuses' when their results were read ('run_1' (running), 'run_2' (no status), 'run_3' (queued)), ${MORE_RESULTS}`,
		],
		[
			'four unfinished runs',
			({ unfinished }) => addRuns(unfinished, ['a', 'b', 'c', 'd']),
			'warning',
			`4 runs had a status that is not among 'Finished Statuses' when their results were read ('run_1' (a), 'run_2' (b), 'run_3' (c) and 1 more), ${MORE_RESULTS}`,
		],
		[
			'a run without results',
			({ withoutResults }) => addRuns(withoutResults, ['completed']),
			'info',
			"Run 'run_1' ended as 'completed' without results, so the next nodes get no items for it.",
		],
		[
			'several runs without results',
			({ withoutResults }) => addRuns(withoutResults, ['completed', 'failed']),
			'info',
			"2 runs ended without results, so the next nodes get no items for them: 'run_1' (completed), 'run_2' (failed).",
		],
		[
			'a truncated list',
			(collector) => (collector.truncatedLists = 1),
			'info',
			"The list goes on after 'Limit', so not everything was returned. Raise 'Limit', or turn on 'Return All' for the rest.",
		],
		[
			'several truncated lists',
			(collector) => (collector.truncatedLists = 12),
			'info',
			"12 lists go on after 'Limit', so not everything was returned. Raise 'Limit', or turn on 'Return All' for the rest.",
		],
		[
			'a retry',
			(collector) => retry(collector, status(503)),
			'info',
			'1 request had to be sent again, after: status 503 (1×).',
		],
		[
			'retries, the most frequent reason first',
			(collector) => {
				retry(collector, { kind: 'timeout' }, status(429), status(429), status(429));
				retry(collector, { kind: 'network', code: 'ECONNRESET', requestSent: true }, status(429));
				retry(collector, { kind: 'network', code: 'EPIPE', requestSent: true });
				retry(collector, { kind: 'network', code: 'ENOTFOUND', requestSent: false });
				retry(collector, { kind: 'truncatedResponse', code: 'ECONNRESET' });
			},
			'info',
			'5 requests had to be sent again, after: status 429 (4×), connection lost (2×), no answer in time (1×), no connection (1×), answer broke off (1×).',
		],
		[
			'a throttled request',
			({ stats }) => stats.request().startThrottle(0)(1000),
			'info',
			"1 request was held back to keep to the service's rate limit, which took 1 s altogether.",
		],
		[
			'several throttled requests',
			({ stats }) => {
				stats.request().startThrottle(0)(60_000);
				stats.request().startThrottle(60_000)(60_001);
			},
			'info',
			"2 requests were held back to keep to the service's rate limit, which took 1 min 1 s altogether.",
		],
	])('returns a hint about %s', (_, collect, type, message) => {
		expect(hintsOf(collect)).toEqual([{ message, type, location: 'outputPane' }]);
		expect(message).not.toMatch(/\b(errors?|problems?|failures?|mistakes?|undefined|null|NaN)\b/i);
	});

	test('returns nothing if nothing was collected', () => expect(hintsOf(() => {})).toEqual([]));

	test('does not mention throttling of less than a second', () => {
		expect(hintsOf(({ stats }) => stats.request().startThrottle(0)(999))).toEqual([]);
	});

	test('returns one hint of each kind, warnings first, however often it happened', () => {
		const hints = hintsOf((collector) => {
			collector.unknownFields = { names: new Array<string>(1000).fill('a'), known: ['1000'] };
			for (let i = 0; i < 1000; i++) {
				collector.ignoredKeys++;
				collector.missingKeys++;
				collector.truncatedLists++;
				collector.withoutResults.set(`run_${i}`, 'done');
				collector.unfinished.set(`run_${i}`, 'running');
				retry(collector, status(503));
				collector.stats.request().startThrottle(i * 1000)(i * 1000 + 1000);
			}
		});
		expect(hints.map(({ type }) => type)).toEqual([
			...['warning', 'warning', 'warning', 'warning'],
			...['info', 'info', 'info', 'info'],
		]);
		expect(hints[0].message).toHaveLength(2000);
		for (const { message } of hints.slice(1)) {
			expect(message).toContain('1000');
			expect(message.length).toBeLessThan(400);
		}
	});

	test('removes angle brackets, because n8n renders hints as HTML', () => {
		const [{ message }] = hintsOf(({ unfinished }) => addRuns(unfinished, ['<img src=x>']));
		expect(message).toContain("had the status 'img src=x' when");
	});
});
