import {
	compareReport,
	isPageUpToDate,
	mergeRecords,
	toRecord,
	type PlatformRecord,
} from '../../tools/compatibility/records';
import { replaceTable, toMarkdown } from '../../tools/compatibility/table';
import type { Report, TestResult } from '../e2e/runTests';

const result = (file: string, group: string, outcome: TestResult['outcome'] = 'passed'): TestResult => ({
	file,
	title: [group, 'a title'],
	outcome,
});
const report = (tests: TestResult[], scope: Report['scope'] = 'all', scheduler = 'classic') =>
	({ target: { version: '2.41.1', nodeMajor: 24, scheduler }, scope, tests }) as unknown as Report;
const newest = (...groups: Array<[string, number]>): PlatformRecord => ({
	n8n: '2.41.1',
	node: 24,
	groups: groups.map(([title, tests]) => ({ title, tests })),
});

test('toRecord counts the passed tests of each group in the order of the folders', () => {
	const tests = [
		result('trigger/restart', 'Restart'),
		result('browser/firstSteps', 'Browser'),
		result('rest/editor', 'Editor'),
		result('rest/editor', 'Editor', 'failed'),
		result('rest/cli', 'Command line', 'skipped'),
	];
	expect(toRecord(report(tests))).toEqual(
		newest(['Browser', 1], ['Command line', 0], ['Editor', 1], ['Restart', 1]),
	);
});

test('mergeRecords replaces the record of the same platform and puts the newest n8n first', () => {
	const old = { n8n: '1.123.81', node: 20, groups: [] };
	const other = { n8n: '1.123.81', node: 24, groups: [] };
	expect(mergeRecords([old, newest(['Editor', 1])], [newest(['Editor', 2]), other])).toEqual([
		newest(['Editor', 2]),
		old,
		other,
	]);
});

test('a test run with the durable scheduler has its own record', () => {
	const durable = toRecord(report([result('trigger/restart', 'Restart')], 'trigger', 'durable'));
	expect(durable).toEqual({ ...newest(['Restart', 1]), scheduler: 'durable' });
	expect(mergeRecords([durable], [newest(['Restart', 2])])).toEqual([newest(['Restart', 2]), durable]);
	expect(toMarkdown([durable])).toContain('| 2.41.1, Node.js 24, durable scheduler |');
});

describe('compareReport', () => {
	const EDITOR = result('rest/editor', 'Editor');
	const BOTH = newest(['Editor', 1], ['Stop', 3]);
	const QUEUE = result('exactlyOnce/queue', 'Queue', 'skipped');
	const name = 'n8n 2.41.1 on Node.js 24';

	test.each<[string, PlatformRecord[], Report, string[]]>([
		['the same tests', [newest(['Editor', 1])], report([EDITOR]), []],
		['fewer tests', [newest(['Editor', 2])], report([EDITOR]), [`${name}: "Editor" has 1 tests, not 2`]],
		['a missing group', [BOTH], report([EDITOR]), [`${name}: "Stop" has 0 tests, not 3`]],
		['a missing group of essential tests', [BOTH], report([EDITOR], 'essential'), []],
		[
			'fewer essential tests',
			[newest(['Editor', 2])],
			report([EDITOR], 'essential'),
			[`${name}: "Editor" has 1 tests, not 2`],
		],
		['a skipped group', [newest(['Queue', 2])], report([QUEUE]), []],
		['another n8n', [], report([EDITOR]), [`${name} is missing`]],
	])('returns the differences for %s', (_, records, shown, expected) => {
		expect(compareReport(records, shown)).toEqual(expected);
	});
});

test('toMarkdown returns a row per group and a column per platform', () => {
	expect(toMarkdown([newest(['Editor', 12]), { n8n: '1.123.81', node: 20, groups: [] }])).toBe(
		[
			'| in a whole n8n | 2.41.1, Node.js 24 | 1.123.81, Node.js 20 |',
			'| -------------- | -----------------: | -------------------: |',
			'| Editor         |                 12 |                    – |',
		].join('\n'),
	);
});

test('replaceTable throws if the page has no place for the table', () => {
	expect(() => replaceTable('# Nothing', '')).toThrow('docs/compatibility.md has no <!-- compatibility');
});

test('docs/compatibility.md shows the table of docs/compatibility.json', () => {
	expect(isPageUpToDate()).toBe(true);
});
