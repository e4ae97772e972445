import { parse } from '../../test/e2e/options';
import { UsageError } from '../../test/e2e/setUp/commands';

export const SCENARIOS = ['paged', 'reads', 'limit', 'load'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

/** Defaults of the options that are numbers. */
const FULL = { rounds: 3, results: 100_000, reads: 1000, items: 150, limit: 60, loads: 20 };

export interface BenchOptions extends Record<keyof typeof FULL, number> {
	scenarios: ScenarioName[];
	/** Folder of the built package. */
	packageDirectory: string;
	help: boolean;
}

export const HELP = `Compares this node with n8n's HTTP Request node and with undici, on a sandbox of the service.

  --scenario S    only ${SCENARIOS.join(', ')}; can be repeated (default all)
  --rounds N      measurements of each contender (default ${FULL.rounds})
  --results N     results of the paged run (default ${FULL.results})
  --reads N       single reads (default ${FULL.reads})
  --items N       items with the rolling limit (default ${FULL.items})
  --limit N       requests per minute of that limit (default ${FULL.limit})
  --loads N       measurements of loading the package (default ${FULL.loads})
  --package DIR   an already built package
  --help          shows this text

Only a full run writes docs/engineering.md and docs/benchmark.*: every scenario, each number at its default or above, and the default limit.`;

/** @throws UsageError when the arguments are invalid */
export function readOptions(args: string[]): BenchOptions {
	const values = readValues(args);
	const {
		scenario = SCENARIOS,
		package: packageDirectory = '.',
		help = false,
	} = values as { scenario?: string[]; package?: string; help?: boolean };
	const unknown = scenario.find((name) => !(SCENARIOS as readonly string[]).includes(name));
	if (unknown !== undefined) throw new UsageError(`There is no scenario '${unknown}'.`);
	const numbers = Object.entries(FULL).map(([name, byDefault]) => {
		const text = String(values[name] ?? byDefault);
		if (/^[1-9]\d{0,6}$/.test(text)) return [name, Number(text)];
		throw new UsageError(`--${name} takes a whole number, not '${text}'.`);
	});
	return {
		...(Object.fromEntries(numbers) as typeof FULL),
		scenarios: SCENARIOS.filter((name) => scenario.includes(name)),
		packageDirectory,
		help,
	};
}

function readValues(args: string[]): Record<string, unknown> {
	const numbers = Object.keys(FULL).map((name) => [name, { type: 'string' }] as const);
	const options = {
		...Object.fromEntries(numbers),
		scenario: { type: 'string', multiple: true },
		package: { type: 'string' },
		help: { type: 'boolean' },
	} as const;
	return parse({ args, options }).values;
}

/** Whether the run measures everything that the documentation shows. */
export const isFull = (options: BenchOptions): boolean =>
	options.scenarios.length === SCENARIOS.length &&
	options.limit === FULL.limit &&
	Object.entries(FULL).every(([name, minimum]) => options[name as keyof typeof FULL] >= minimum);
