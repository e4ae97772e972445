/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './setUp/commands';
import { choosePlatforms, type Platform } from './setUp/platforms';

/** Which test files run on a platform. `default` omits the long ones and the canaries, unless the command line names them. */
export type Scope = 'all' | 'default' | 'trigger';

export interface Options {
	runs: Array<{ platform: Platform; scope: Scope }>;
	/** Parts of the names of test files. Empty for all files of the scope. */
	files: string[];
	/** Whether to write the compatibility table, if `comparesTable`, instead of comparing it. */
	record: boolean;
	comparesTable: boolean;
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

/** @throws UsageError on an unknown option */
export function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
	try {
		return parseArgs(config);
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

/** @throws UsageError on an unknown option or platform */
export function readOptions(args: string[]): Options {
	const options = { n8n: TEXT, node: TEXT, scheduler: TEXT, all: FLAG, record: FLAG };
	const { values, positionals } = parse({ args, allowPositionals: true, options });
	const { n8n, node, scheduler, all, record } = values;
	const platforms = choosePlatforms(values);
	if (platforms.length === 0) {
		const chosen = Object.entries({ n8n, node, scheduler }).filter(([, value]) => value !== undefined);
		const named = chosen.map(([option, value]) => `--${option} ${value}`).join(' ');
		throw new UsageError(`There is no platform with ${named}.`);
	}
	const scopeOf = (platform: Platform): Scope => {
		if (platform.scheduler === 'durable') return 'trigger';
		return all || record ? 'all' : 'default';
	};
	const runs = platforms.map((platform) => ({ platform, scope: scopeOf(platform) }));
	const comparesTable = (all || record) && positionals.length === 0;
	return { runs, files: positionals, record, comparesTable };
}
