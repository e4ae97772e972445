import { isReadmeUpToDate } from '../e2e/compatibility/files';
import { differences, merge, recordOf, type TestedN8n } from '../e2e/compatibility/record';
import { tableOf, withTable } from '../e2e/compatibility/table';
import type { Report, TestResult } from '../e2e/runTests';

const test1 = (file: string, group: string, outcome: TestResult['outcome'] = 'passed'): TestResult => ({
	file,
	title: [group, 'a sentence'],
	outcome,
});
const report = (...tests: TestResult[]) =>
	({ target: { version: '2.41.1', nodeMajor: 24 }, tests }) as unknown as Report;
const newest = (...groups: Array<[string, number]>): TestedN8n => ({
	n8n: '2.41.1',
	node: 24,
	groups: groups.map(([title, tests]) => ({ title, tests })),
});

test('a record counts what passed in each group, in the order of the folders', () => {
	expect(
		recordOf(
			report(
				test1('trigger/restart', 'Restart'),
				test1('browser/firstSteps', 'Clicked'),
				test1('rest/editor', 'Editor'),
				test1('rest/editor', 'Editor', 'failed'),
				test1('rest/cli', 'Command line', 'skipped'),
			),
		),
	).toEqual(newest(['Clicked', 1], ['Command line', 0], ['Editor', 1], ['Restart', 1]));
});

test('a newer record replaces that of the same n8n on the same Node.js; the newest n8n comes first', () => {
	const old = { n8n: '1.123.81', node: 20, groups: [] };
	const of = (n8n: string, node: number) => ({ n8n, node, groups: [] });
	expect(merge([old, newest(['Editor', 1])], [newest(['Editor', 2]), of('1.123.81', 24)])).toEqual([
		newest(['Editor', 2]),
		old,
		of('1.123.81', 24),
	]);
});

test('what ran with the durable scheduler is a record of its own', () => {
	const { tests } = report(test1('trigger/restart', 'Restart'));
	const target = { version: '2.41.1', nodeMajor: 24, scheduler: 'durable' };
	const durable = recordOf({ target, tests } as unknown as Report);
	expect(durable).toEqual({ ...newest(['Restart', 1]), scheduler: 'durable' });
	expect(merge([durable], [newest(['Restart', 2])])).toEqual([newest(['Restart', 2]), durable]);
	expect(tableOf([durable])).toContain('| 2.41.1, Node.js 24, durable scheduler |');
});

describe('what a test run shows is held against the record', () => {
	test.each<[string, TestedN8n[], TestResult[], string[]]>([
		['the same', [newest(['Editor', 1])], [test1('rest/editor', 'Editor')], []],
		[
			'fewer tests',
			[newest(['Editor', 2])],
			[test1('rest/editor', 'Editor')],
			['n8n 2.41.1 on Node.js 24: "Editor" has 1 tests, and not 2'],
		],
		[
			'a group that is gone',
			[newest(['Editor', 1], ['Stop', 3])],
			[test1('rest/editor', 'Editor')],
			['n8n 2.41.1 on Node.js 24: "Stop" has 0 tests, and not 3'],
		],
		[
			'a group that could not be run',
			[newest(['Queue', 2])],
			[test1('exactlyOnce/queue', 'Queue', 'skipped')],
			[],
		],
		['another n8n', [], [test1('rest/editor', 'Editor')], ['n8n 2.41.1 on Node.js 24 is not in it']],
	])('%s', (_, records, tests, expected) => {
		expect(differences(records, report(...tests))).toEqual(expected);
	});
});

test('the table has a row per group and a column per n8n', () => {
	expect(tableOf([newest(['Editor', 12]), { n8n: '1.123.81', node: 20, groups: [] }])).toBe(
		[
			'| in a whole n8n | 2.41.1, Node.js 24 | 1.123.81, Node.js 20 |',
			'| -------------- | -----------------: | -------------------: |',
			'| Editor         |                 12 |                    – |',
		].join('\n'),
	);
});

test('a README without a place for the table is refused', () => {
	expect(() => withTable('# Nothing', '')).toThrow('README.md has no <!-- compatibility');
});

test('the table in README.md is that of docs/compatibility.json', () => {
	expect(isReadmeUpToDate()).toBe(true);
});
