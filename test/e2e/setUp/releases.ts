import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { E2E } from './folders';

/** The n8n releases that the tests bring, newest first; each has a folder `n8n-<name>` with its lock file. */
export const RELEASES = ['2.41', '1.123'] as const;
export type Release = (typeof RELEASES)[number];

export const recipeOf = (release: Release) => join(E2E, `n8n-${release}`);

/** An n8n release on a major version of Node.js. */
export interface Pair {
	release: Release;
	node: number;
}

/** The newest on the newest Node.js and the oldest on the oldest. */
export const USUAL: Pair[] = [
	{ release: '2.41', node: 24 },
	{ release: '1.123', node: 20 },
];

/** All that each release says it runs on. */
export const ALL: Pair[] = [USUAL[0], ...[20, 22, 24].map((node) => ({ release: '1.123' as const, node }))];

/**
 * The pairs that a command line names; without a Node.js, those that are usually tested.
 * @param n8n, node as a person has written them
 */
export const choosePairs = ({ n8n, node, all }: { n8n?: string; node?: string; all?: boolean }): Pair[] =>
	(all || node !== undefined ? ALL : USUAL).filter(
		(pair) =>
			(n8n === undefined || (pair.release as string) === n8n) &&
			(node === undefined || String(pair.node) === node),
	);

interface Recipe {
	dependencies: Record<string, string>;
	optionalDependencies: Record<string, string>;
}

export const readRecipe = (release: Release) =>
	JSON.parse(readFileSync(join(recipeOf(release), 'package.json'), 'utf8')) as Recipe;
