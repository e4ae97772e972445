import { buildHints, HintCollector } from '../../../nodes/Prospector/actions/hintCollector';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
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
	"still going, more results will follow: use Run › Get with 'Wait for Completion' to get them all.";

describe('buildHints', () => {
	test.each<[string, (collector: HintCollector) => void, string, string]>([
		[
			'a request without a key',
			(collector) => (collector.missingKeys = 1),
			'warning',
			"Duplicates could not be prevented: this n8n does not say which execution it is. Set 'Prevent Duplicates' to Once per Key.",
		],
		[
			'several requests without a key',
			(collector) => (collector.missingKeys = 2),
			'warning',
			"Duplicates could not be prevented for 2 items: this n8n does not say which execution it is. Set 'Prevent Duplicates' to Once per Key.",
		],
		[
			'names of fields that no item has',
			(collector) => (collector.unknownFields = { names: ['a', 'b'], known: ['id', 'name'] }),
			'warning',
			"'Fields to Return' has names that no item has: a, b. Choose from: id, name.",
		],
		[
			'an unfinished run',
			({ unfinished }) => addRuns(unfinished, ['queued']),
			'warning',
			`Run 'run_1' is 'queued'. If it is ${MORE_RESULTS}`,
		],
		[
			'two unfinished runs',
			({ unfinished }) => addRuns(unfinished, ['running', 'queued']),
			'warning',
			`2 runs may not have finished: 'run_1' (running), 'run_2' (queued). If they are ${MORE_RESULTS}`,
		],
		[
			'four unfinished runs',
			({ unfinished }) => addRuns(unfinished, ['a', 'b', 'c', 'd']),
			'warning',
			`4 runs may not have finished: 'run_1' (a), 'run_2' (b), 'run_3' (c) and 1 more. If they are ${MORE_RESULTS}`,
		],
		[
			'a run without results',
			({ withoutResults }) => addRuns(withoutResults, ['completed']),
			'info',
			"Run 'run_1' found nothing (status 'completed').",
		],
		[
			'several runs without results',
			({ withoutResults }) => addRuns(withoutResults, ['completed', 'done', 'ended', 'done', 'done']),
			'info',
			"5 runs found nothing: 'run_1' (completed), 'run_2' (done), 'run_3' (ended) and 2 more.",
		],
		[
			'a truncated list',
			(collector) => (collector.truncatedLists = 1),
			'info',
			"There are more items than 'Limit'. Turn on 'Return All' to get them all.",
		],
		[
			'several truncated lists',
			(collector) => (collector.truncatedLists = 12),
			'info',
			"12 lists have more items than 'Limit'. Turn on 'Return All' to get them all.",
		],
		[
			'a retry',
			(collector) => retry(collector, status(503)),
			'info',
			'1 request was sent again: status 503 (1×).',
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
			'5 requests were sent again: status 429 (4×), connection lost (2×), no answer in time (1×), no connection (1×), answer broke off (1×).',
		],
		[
			'a throttled request',
			({ stats }) => stats.request().startThrottle(0)(1000),
			'info',
			'The rate limit added 1 s (1 request waited).',
		],
		[
			'several throttled requests',
			({ stats }) => {
				stats.request().startThrottle(0)(60_000);
				stats.request().startThrottle(60_000)(60_001);
			},
			'info',
			'The rate limit added 1 min 1 s (2 requests waited).',
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
				collector.missingKeys++;
				collector.truncatedLists++;
				collector.withoutResults.set(`run_${i}`, 'done');
				collector.unfinished.set(`run_${i}`, 'running');
				retry(collector, status(503));
				collector.stats.request().startThrottle(i * 1000)(i * 1000 + 1000);
			}
		});
		expect(hints.map(({ type }) => type)).toEqual([
			...['warning', 'warning', 'warning'],
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
		expect(message).toContain("Run 'run_1' is 'img src=x'. If");
	});
});
