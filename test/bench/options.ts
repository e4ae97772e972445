import { parseArgs } from 'node:util';

export const SCENARIOS = ['paged', 'reads', 'limit', 'load'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export interface BenchOptions {
	scenarios: ScenarioName[];
	rounds: number;
	/** Results of the paged run. */
	results: number;
	/** Input items of the single reads. */
	reads: number;
	/** Input items on the rolling limit. */
	items: number;
	/** Requests per minute of that limit. */
	limit: number;
	/** How often the package is loaded. */
	loads: number;
	/** Where the built package is. */
	packageDirectory: string;
	help: boolean;
}

const FULL = { rounds: 3, results: 100_000, reads: 1000, items: 150, limit: 60, loads: 20 };

export const HELP = `Compares this node with n8n's HTTP Request node and with undici, on a sandbox of the service.

  --scenario S    only ${SCENARIOS.join(', ')}; may be given several times (default all)
  --rounds N      how often each contender works (default ${FULL.rounds})
  --results N     results of the paged run (default ${FULL.results})
  --reads N       single reads (default ${FULL.reads})
  --items N       items on the rolling limit (default ${FULL.items})
  --limit N       requests per minute of that limit (default ${FULL.limit})
  --loads N       how often the package is loaded (default ${FULL.loads})
  --package DIR   a built package elsewhere; nothing is built then
  --help          this text

docs/benchmark.* are written by a full run only: every scenario, in every size at its default or above, and with
the default limit.`;

export class UsageError extends Error {}

/** @throws UsageProblem on what cannot be understood */
export function readOptions(args: string[]): BenchOptions {
	const flags = parsed(args);
	const chosen = flags.scenario ?? [...SCENARIOS];
	return {
		scenarios: SCENARIOS.filter((name) => chosen.some((given) => check(given) === name)),
		rounds: count('rounds', flags.rounds),
		results: count('results', flags.results),
		reads: count('reads', flags.reads),
		items: count('items', flags.items),
		limit: count('limit', flags.limit),
		loads: count('loads', flags.loads),
		packageDirectory: flags.package ?? '.',
		help: flags.help ?? false,
	};
}

/** Whether nothing was left out that the documentation shows. */
export const isFull = (options: BenchOptions): boolean =>
	options.scenarios.length === SCENARIOS.length &&
	options.limit === FULL.limit &&
	Object.entries(FULL).every(([name, least]) => options[name as keyof typeof FULL] >= least);

function parsed(args: string[]) {
	const text = { type: 'string' } as const;
	const sizes = { rounds: text, results: text, reads: text, items: text, limit: text, loads: text };
	try {
		return parseArgs({
			args,
			options: {
				...sizes,
				scenario: { type: 'string', multiple: true },
				package: text,
				help: { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function check(given: string): ScenarioName {
	const name = SCENARIOS.find((known) => known === given);
	if (!name) throw new UsageError(`There is no scenario '${given}'.`);
	return name;
}

function count(name: keyof typeof FULL, given: string | undefined): number {
	if (given === undefined) return FULL[name];
	if (!/^[1-9]\d{0,6}$/.test(given))
		throw new UsageError(`--${name} takes a whole number, not '${given}'.`);
	return Number(given);
}
