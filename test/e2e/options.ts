import { parseArgs } from 'node:util';
import { SetUpError } from './setUp/commands';
import { choosePairs, nameOf, nodesInWords, RELEASES, SCHEDULERS, USUAL, type Pair } from './setUp/releases';

export interface Options {
	pairs: Pair[];
	/** Parts of the names of test files; none for all. */
	jest: string[];
	/** Write what ran into README and docs, in place of comparing it. */
	record: boolean;
	/** Test the tests: break the package on purpose, and see that they notice. */
	broken: boolean;
	help: boolean;
}

export const USAGE = `npm run test:e2e -- [OPTIONS] [TEST FILES]

Tests the packed package in a whole n8n. Without options: n8n ${USUAL.map(nameOf).join(', ')}.

  --n8n RELEASE     only this one (${RELEASES.join(', ')})
  --node MAJOR      on this Node.js (${nodesInWords()})
  --scheduler NAME  with this scheduler of n8n's (${SCHEDULERS.join(', ')}); the durable one: only tests of the trigger
  --all             every pair above
  --record          write the compatibility table from what ran
  --broken          break the package in one way after the other, and see that tests notice
  --help            this text

Parts of file names choose tests: npm run test:e2e -- --n8n 2.41 rest/editor`;

/**
 * Reads the command line.
 * @throws SetUpError, or a TypeError of Node.js's, on an unknown option or pair, with a message for a person
 */
export function readOptions(args: string[]): Options {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			n8n: { type: 'string' },
			node: { type: 'string' },
			scheduler: { type: 'string' },
			all: { type: 'boolean', default: false },
			record: { type: 'boolean', default: false },
			broken: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const pairs = choosePairs(values);
	if (pairs.length === 0)
		throw new SetUpError(
			`There is no n8n ${values.n8n ?? 'here'} on Node.js ${values.node ?? 'of any version'}${values.scheduler === undefined ? '' : ` with the scheduler '${values.scheduler}'`}.\n\n${USAGE}`,
		);
	const { record, broken, help } = values;
	return { pairs, jest: positionals, record, broken, help };
}
