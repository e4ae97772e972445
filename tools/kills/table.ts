import type { Scheduler } from '../../test/e2e/setUp/platforms';
import { POINTS } from '../../test/e2e/trigger/killPoints';
import { markdownTable, readRecord, writeRecord, writeSection, type Section } from '../shared/docs';

/** How n8n polls. */
export interface Column {
	scheduler: Scheduler;
	durableCursors: boolean;
}

/** What has become of an item after n8n was killed, started again, and has polled twice. */
export interface Fate {
	point: string;
	/** How often the next node has taken effect. */
	times: number;
	/** Number of crashed executions with the item. */
	crashed: number;
	/** How often the next node has taken effect after a person has retried the crashed executions. */
	timesAfterRetry: number;
}

/** One SIGKILL, with the new items of all points. */
export interface Kill extends Column {
	fates: Fate[];
}

/** What the documentation says about the items, from best to worst. */
const EFFECTS = ['nothing', 'retry', 'retry repeats', 'repeated', 'lost'] as const;
type Effect = (typeof EFFECTS)[number];

/** Number of items, by point and effect. */
type Effects = Record<string, Partial<Record<Effect, number>>>;

interface Records {
	n8n: string;
	columns: Array<Column & { kills: number; items: Effects }>;
}

export const COLUMNS: Column[] = [
	{ scheduler: 'classic', durableCursors: false },
	{ scheduler: 'classic', durableCursors: true },
	{ scheduler: 'durable', durableCursors: false },
	{ scheduler: 'durable', durableCursors: true },
];

export const nameOf = ({ scheduler, durableCursors }: Column): string =>
	`${scheduler === 'classic' ? 'default' : scheduler}${durableCursors ? ' with durable cursors' : ''}`;

function effectOf({ times, crashed, timesAfterRetry }: Fate): Effect {
	if (timesAfterRetry === 0) return 'lost';
	if (times > 1 || timesAfterRetry - times > 1) return 'repeated';
	if (crashed === 0) return 'nothing';
	return times === 0 ? 'retry' : 'retry repeats';
}

function countEffects(kills: Kill[]): Effects {
	const effects: Effects = {};
	for (const fate of kills.flatMap(({ fates }) => fates)) {
		const counts = (effects[fate.point] ??= {});
		const effect = effectOf(fate);
		counts[effect] = (counts[effect] ?? 0) + 1;
	}
	return effects;
}

const FILE = 'kills.json';

/** Returns the section of docs/n8n-behaviour.md. Schedulers with the same effects share a column. */
export function killSection({ n8n, columns } = readRecord<Records>(FILE)): Section {
	const cell = (counts: Effects[string]) =>
		Object.entries(counts)
			.map(([effect, count], _, { length }) => (length > 1 ? `${effect} (${count})` : effect))
			.join(', ');
	const namesByCells = new Map<string, string[]>();
	for (const column of columns) {
		const cells = JSON.stringify(POINTS.map(({ name }) => cell(column.items[name])));
		namesByCells.set(cells, [...(namesByCells.get(cells) ?? []), nameOf(column)]);
	}
	const grouped = [...namesByCells].map(([cells, names]) => [
		names.join(', '),
		...(JSON.parse(cells) as string[]),
	]);
	const titles = ['n8n is killed', ...POINTS.map(({ title }) => title)];
	const rows = titles.map((title, row) => [title, ...grouped.map((column) => column[row])]);
	const kills = Math.min(...columns.map((column) => column.kills));
	const caption = `n8n ${n8n}, PostgreSQL, at least ${kills} kills per row and scheduler:`;
	return { page: 'n8n-behaviour.md', name: 'kills', text: `${caption}\n\n${markdownTable(rows)}` };
}

export function recordKills(n8n: string, kills: Kill[]): void {
	const columns = COLUMNS.map((column) => {
		const ofColumn = kills.filter((kill) => nameOf(kill) === nameOf(column));
		return { ...column, kills: ofColumn.length, items: countEffects(ofColumn) };
	});
	writeRecord(FILE, { n8n, columns });
	writeSection(killSection({ n8n, columns }));
}

/** Lists the effects of a kill that are worse than the recorded ones at the same point. */
export function findWorse(kill: Kill): string[] {
	const recorded =
		readRecord<Records>(FILE).columns.find((column) => nameOf(column) === nameOf(kill))?.items ?? {};
	const worst = (counts: Effects[string] = {}) =>
		Math.max(-1, ...Object.keys(counts).map((effect) => EFFECTS.indexOf(effect as Effect)));
	return Object.entries(countEffects([kill]))
		.filter(([point, counts]) => worst(counts) > worst(recorded[point]))
		.map(([point, counts]) => `${nameOf(kill)}, ${point}: ${Object.keys(counts).join(', ')}`);
}
