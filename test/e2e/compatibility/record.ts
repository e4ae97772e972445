import type { Report } from '../runTests';

/** What was tested in one n8n: its groups of tests in the order of the table. */
export interface TestedN8n {
	/** Such as `2.41.1`. */
	n8n: string;
	/** Major version of Node.js. */
	node: number;
	/** Absent if classic. */
	scheduler?: 'durable';
	groups: TestedGroup[];
}

export interface TestedGroup {
	title: string;
	tests: number;
}

/** Folders of the tests, as a person meets the things in them. */
const ORDER = ['browser', 'rest', 'exactlyOnce', 'stop', 'trigger', 'hostile', 'agent', 'editor'];
const rank = (file: string) => {
	const at = ORDER.indexOf(file.split('/')[0]);
	return at < 0 ? ORDER.length : at;
};

/** What a test run has shown: how many tests of each group have passed. */
export function recordOf({ target, tests }: Report): TestedN8n {
	const sorted = [...tests].sort((a, b) => rank(a.file) - rank(b.file) || a.file.localeCompare(b.file, 'en'));
	const groups = new Map<string, number>();
	for (const { title, outcome } of sorted) {
		groups.set(title[0], (groups.get(title[0]) ?? 0) + (outcome === 'passed' ? 1 : 0));
	}
	return {
		n8n: target.version,
		node: target.nodeMajor,
		...(target.scheduler === 'durable' && { scheduler: target.scheduler }),
		groups: [...groups].map(([title, count]) => ({ title, tests: count })),
	};
}

const same = (a: TestedN8n, b: TestedN8n) =>
	a.n8n === b.n8n && a.node === b.node && a.scheduler === b.scheduler;

/** The records with new ones in the place of those about the same n8n, Node.js and scheduler; newest n8n first. */
export function merge(records: TestedN8n[], newer: TestedN8n[]): TestedN8n[] {
	const kept = records.filter((record) => !newer.some((other) => same(record, other)));
	return [...kept, ...newer].sort(
		(a, b) =>
			b.n8n.localeCompare(a.n8n, 'en', { numeric: true }) ||
			a.node - b.node ||
			Number(a.scheduler !== undefined) - Number(b.scheduler !== undefined),
	);
}

/**
 * What the records say otherwise than a test run has shown, in words. A group of which something was not run, since the
 * machine lacks a program, is not looked at.
 */
export function differences(records: TestedN8n[], report: Report): string[] {
	const shown = recordOf(report);
	const known = records.find((record) => same(record, shown));
	const name = `n8n ${shown.n8n} on Node.js ${shown.node}${shown.scheduler ? ' with the durable scheduler' : ''}`;
	if (!known) return [`${name} is not in it`];
	const skipped = new Set(
		report.tests.filter(({ outcome }) => outcome === 'skipped').map(({ title }) => title[0]),
	);
	const titles = new Set([...known.groups, ...shown.groups].map(({ title }) => title));
	const count = ({ groups }: TestedN8n, title: string) =>
		groups.find((group) => group.title === title)?.tests ?? 0;
	return [...titles]
		.filter((title) => !skipped.has(title) && count(known, title) !== count(shown, title))
		.map((title) => `${name}: "${title}" has ${count(shown, title)} tests, and not ${count(known, title)}`);
}
