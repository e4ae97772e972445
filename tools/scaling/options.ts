import { parse } from '../../test/e2e/options';
import { UsageError } from '../../test/e2e/setUp/commands';
import type { Configuration } from './figures';

export const SCALING_USAGE = `npm run scaling -- [--only workers/keys] [--record]

Measures n8n in queue mode with 1, 2, 4 and 8 workers on one API key and on eight, with a limit of 60 requests
per minute. --only 8/1 measures one of these. --record writes docs/scaling.json. Takes about an hour.`;

/** Eight API keys have eight times the limit, and get eight times the items. */
const CONFIGURATIONS: Configuration[] = [1, 8].flatMap((keys) =>
	[1, 2, 4, 8].map((workers) => ({ workers, keys, executions: keys === 1 ? 60 : 24, concurrency: 2 })),
);

/** @throws UsageError on an unknown option or configuration */
export function readScalingOptions(args: string[]) {
	const flag = { type: 'boolean', default: false } as const;
	const options = { only: { type: 'string' }, record: flag, help: flag } as const;
	const { only, record, help } = parse({ args, options }).values;
	const isChosen = ({ workers, keys }: Configuration) => only === undefined || only === `${workers}/${keys}`;
	const configurations = CONFIGURATIONS.filter(isChosen);
	if (configurations.length === 0) throw new UsageError(`There is no configuration '${only}'.`);
	return { configurations, record, help };
}
