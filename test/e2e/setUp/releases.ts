import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { E2E } from './folders';

/** The n8n releases that the tests bring, newest first; each has a folder `n8n-<name>` with its lock file. */
export const RELEASES = ['2.41', '1.123'] as const;
export type Release = (typeof RELEASES)[number];

export const recipeOf = (release: Release) => join(E2E, `n8n-${release}`);

/** What n8n polls with: timers in memory, or jobs in its database, an option of newer releases. */
export const SCHEDULERS = ['classic', 'durable'] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

/** An n8n release on a major version of Node.js. With the durable scheduler, only the tests of the trigger run. */
export interface Pair {
	release: Release;
	node: number;
	scheduler: Scheduler;
}

const NEWEST: Pair[] = SCHEDULERS.map((scheduler) => ({ release: '2.41', node: 24, scheduler }));

const OLDEST: Pair[] = [20, 22, 24].map((node) => ({ release: '1.123', node, scheduler: 'classic' }));

/** The newest on the newest Node.js, with each scheduler, and the oldest on the oldest. */
export const USUAL: Pair[] = [...NEWEST, OLDEST[0]];

/** All that each release says it runs on. */
export const ALL: Pair[] = [...NEWEST, ...OLDEST];

/** The releases with the Node.js versions on which each of them runs. */
export const nodesInWords = (): string =>
	ALL.filter(({ scheduler }) => scheduler === 'classic')
		.map(({ release, node }) => `${release}: ${node}`)
		.join(', ');

/** Names a pair in output. */
export const nameOf = ({ release, node, scheduler }: Pair): string =>
	`${release} on Node.js ${node}${scheduler === 'durable' ? ' with the durable scheduler' : ''}`;

/** The parts of a pair that a command line names. */
export type Wanted = Partial<Record<'n8n' | 'node' | 'scheduler', string>>;

/** Returns the pairs that fit a command line; if it names no Node.js, only those that are usually tested. */
export const choosePairs = ({ n8n, node, scheduler, all }: Wanted & { all?: boolean }): Pair[] =>
	(all || node !== undefined ? ALL : USUAL).filter((pair) => {
		const fits = (wanted: string | undefined, value: unknown) =>
			wanted === undefined || wanted === String(value);
		return fits(n8n, pair.release) && fits(node, pair.node) && fits(scheduler, pair.scheduler);
	});

interface Recipe {
	dependencies: Record<string, string>;
	optionalDependencies: Record<string, string>;
}

export const readRecipe = (release: Release) =>
	JSON.parse(readFileSync(join(recipeOf(release), 'package.json'), 'utf8')) as Recipe;
