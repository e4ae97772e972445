import { parse } from '../../test/e2e/options';
import { UsageError } from '../../test/e2e/setUp/commands';
import type { Configuration } from './figures';

export const SCALING_USAGE = `npm run scaling -- [--only workers/keys[/concurrency] | --waiting] [--record]

Measures n8n in queue mode with 1, 2, 4 and 8 workers on one API key and on eight, with a limit of 60 requests
per minute and a concurrency of 2, and once of 5. --only 8/1/5 measures one of these. Takes about an hour.
--waiting measures what a worker uses while 0, 10 and 20 executions wait, in about six minutes. --record writes
docs/scaling.json.`;

/** Eight API keys have eight times the limit, and get eight times the items. */
const CONFIGURATIONS: Configuration[] = [
	...[1, 8].flatMap((keys) =>
		[1, 2, 4, 8].map((workers) => ({ workers, keys, executions: keys === 1 ? 60 : 24, concurrency: 2 })),
	),
	{ workers: 8, keys: 1, executions: 60, concurrency: 5 },
];

/** @throws UsageError on an unknown option or configuration */
export function readScalingOptions(args: string[]) {
	const flag = { type: 'boolean', default: false } as const;
	const options = { only: { type: 'string' }, waiting: flag, record: flag, help: flag } as const;
	const { only, waiting, record, help } = parse({ args, options }).values;
	const isChosen = ({ workers, keys, concurrency }: Configuration) =>
		only === undefined || `${workers}/${keys}/${concurrency}/`.startsWith(`${only}/`);
	const configurations = CONFIGURATIONS.filter(isChosen);
	if (configurations.length === 0) throw new UsageError(`There is no configuration '${only}'.`);
	return { configurations, waiting, record, help };
}
