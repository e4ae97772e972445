import { HintCollector } from '../../../nodes/Prospector/messages/hintCollector';
import { Redactor } from '../../../nodes/Prospector/messages/redact';
import { KEY } from '../helpers/support';

const redactor = new Redactor();
redactor.addApiKey(KEY);

/** Returns the hints after something was collected. */
function hintsOf(collect: (collector: HintCollector) => void) {
	const collector = new HintCollector();
	collect(collector);
	return collector.build(redactor);
}

const addRuns =
	(kind: 'noResults' | 'unfinishedRuns', ...statuses: string[]) =>
	(collector: HintCollector) =>
		statuses.forEach((word, i) => collector.add(kind, `run_${i + 1}`, word));

/** What one event adds is in test/unit/actions/hints.test.ts. */
const CASES: Record<string, (hints: HintCollector) => void> = {
	'four runs have not finished': addRuns('unfinishedRuns', 'a', '', 'c', 'd'),
	'two idempotency keys are repeated': (hints) =>
		['c', 'a', 'a', 'b', 'b', 'b'].forEach((key, item) => hints.add('userKeys', String(item), key)),
	'an idempotency key of the user returns older Prospector workflows': (hints) => {
		const createdAtMs = Date.parse('2026-03-01T08:00:00Z');
		const older = { resourceKind: 'workflow', createdAtMs, isUserKey: true } as const;
		hints.add('existingResources', 'wf_1', older);
		hints.add('existingResources', 'wf_2', older);
	},
	'an earlier attempt has deleted two Prospector workflows': (hints) =>
		['wf_1', 'wf_2'].forEach((id) => hints.add('deletedEarlier', id, true)),
	'five runs found nothing': addRuns('noResults', 'a', 'b', 'x'.repeat(513), 'd', 'e'),
	'numbers of five fields have become text': ({ stats }) =>
		['a', 'b', 'c', 'd', 'e'].forEach((name) => stats.fieldsWithTextNumbers.add(name)),
	'numbers of six fields have become text': ({ stats }) =>
		['a', 'b', 'c', 'd', 'e', 'f'].forEach((name) => stats.fieldsWithTextNumbers.add(name)),
	'a request was retried, and throttled for less than a second': ({ stats }) =>
		Object.assign(stats, { retriedCount: 1, throttledMs: 999 }),
	'four requests were retried': ({ stats }) => (stats.retriedCount = 4),
	'a request was throttled for a second': ({ stats }) => (stats.throttledMs = 1000),
	'a run has the API key as its ID and markup as its status': (hints) =>
		hints.add('unfinishedRuns', KEY, '<img src=x>'),
};

/** The hint of each case, in the same order. */
const HINTS = `
warning: Runs 'run_1' (a), 'run_2' (no status), 'run_3' (c) and 1 more may not have finished. If a run is still going, more results will follow: use Run › Get with 'Wait for Completion' and 'Return Results' to get them all.
warning: 2 items have the same idempotency key, 'a', and 1 more idempotency key likewise: the service may do only the first of them. Include something from the item in 'Idempotency Key' under Options.
warning: Prospector workflow 'wf_1' was created at 2026-03-01 08:00:00 UTC, before this request, and 1 more likewise: the service returned an existing one. To make a new one, change 'Idempotency Key' under Options.
warning: Prospector workflows that were not found: 'wf_1' and 1 more. An earlier attempt of this execution has probably deleted them.
info: Runs 'run_1' (a), 'run_2' (b), 'run_3' (…) and 2 more found nothing.
info: Numbers that JavaScript can't represent became text when they were read, so that no digit changes. Fields: 'a', 'b', 'c', 'd', 'e'.
info: Numbers that JavaScript can't represent became text when they were read, so that no digit changes. Fields: 'a', 'b', 'c', 'd', 'e' and others.
info: 1 request was sent again.
info: 4 requests were sent again.
info: The rate limit added 1 s.
warning: Run '[API key]' (img src=x) may not have finished. If a run is still going, more results will follow: use Run › Get with 'Wait for Completion' and 'Return Results' to get them all.
`;

const hints = HINTS.trim().split('\n');
const rows = Object.entries(CASES).map(([name, collect], index) => ({ name, collect, hint: hints[index] }));

test.each(rows)('the node shows a hint when $name', ({ collect, hint }) => {
	const shown = hintsOf(collect).map(({ location, type, message }) => `${location}, ${type}: ${message}`);
	expect(shown).toEqual([`outputPane, ${hint}`]);
});

test('the node shows one hint per kind of event, warnings first, even if each event happens 1,000 times', () => {
	const hints = hintsOf((collector) => {
		collector.add('unknownFields', '', { names: new Array<string>(1000).fill('a'), knownNames: ['1000'] });
		for (let i = 0; i < 1000; i++) {
			collector.add('truncatedList');
			collector.add('unfinishedRuns', `run_${i}`, 'running');
			collector.stats.retriedCount++;
		}
	});
	expect(hints.map(({ type, message }) => [type, message.length < 400])).toEqual([
		['warning', false],
		['warning', true],
		['info', true],
		['info', true],
	]);
	expect(hints[0].message).toHaveLength(2000);
});

test.each([
	['pk_<live>_123', 'pk_<live>_123'],
	['pk_live_123', 'pk_<live>_123'],
])('a hint does not contain the API key %s in the form %s', (key, text) => {
	const collector = new HintCollector();
	const ownRedactor = new Redactor();
	ownRedactor.addApiKey(key);
	collector.add('noResults', 'run_1', text);
	expect(collector.build(ownRedactor).map(({ message }) => message)).toEqual([
		"Run 'run_1' ([API key]) found nothing.",
	]);
});
