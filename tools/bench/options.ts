import { parse } from '../../test/e2e/options';
import { UsageError } from '../../test/e2e/setUp/commands';

export const SCENARIOS = ['reader', 'paged', 'delay', 'n8n', 'reads', 'limit', 'load'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

/** Defaults of the options that are numbers. */
const FULL = { rounds: 5, results: 100_000, page: 100, reads: 1000, items: 150, limit: 60, loads: 20 };

export interface BenchOptions extends Record<keyof typeof FULL, number> {
	scenarios: ScenarioName[];
	/** Folder of the built package. */
	packageDirectory: string;
	help: boolean;
}

export const HELP = `Compares this node with n8n's HTTP Request node and n8n's HTTP helper, on a sandbox of the service.

  --scenario S    only this one; can be repeated (default all):
                  reader   the reader of JSON responses alone, beside JSON.parse
                  paged    a list in n8n's engine, beside n8n's HTTP helper, with pages of 1,000 and of 100
                  delay    the longest delay of the event loop while a page of 4 MB is read
                  n8n      a list in a whole n8n, beside HTTP Request with Pagination and Split Out
                  reads    single reads in a whole n8n, beside HTTP Request
                  limit    a rolling limit in n8n's engine, beside HTTP Request
                  load     loading the package, beside HTTP Request
  --rounds N      measurements of each contender (default ${FULL.rounds})
  --results N     results of the list (default ${FULL.results})
  --page N        results per page in a whole n8n (default ${FULL.page})
  --reads N       single reads (default ${FULL.reads})
  --items N       items with the rolling limit (default ${FULL.items})
  --limit N       requests per minute of that limit (default ${FULL.limit})
  --loads N       measurements of loading the package (default ${FULL.loads})
  --package DIR   an already built package
  --help          shows this text

Only a full run writes docs/engineering.md and docs/benchmark.*: every scenario, each number at its default or above, and the default page and limit.`;

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
	options.page === FULL.page &&
	Object.entries(FULL).every(([name, minimum]) => options[name as keyof typeof FULL] >= minimum);
