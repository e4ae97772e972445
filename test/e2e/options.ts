import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './setUp/commands';
import {
	choosePlatforms,
	DEFAULT_PLATFORM,
	listNodeVersions,
	platformName,
	RELEASES,
	SCHEDULERS,
	type Platform,
} from './setUp/platforms';

/** Which test files run on a platform. `default` omits those that take long, unless the command line names them. */
export type Scope = 'all' | 'default' | 'trigger';

export interface TestRun {
	platform: Platform;
	scope: Scope;
}

export interface Options {
	runs: TestRun[];
	/** Parts of the names of test files. Empty for all files of the scope. */
	files: string[];
	/** Whether to write the compatibility table instead of comparing it. */
	record: boolean;
	/** Whether to compare the compatibility table, or to write it. */
	comparesTable: boolean;
	/** Whether to break the package and check that the tests fail. */
	broken: boolean;
	help: boolean;
}

export const USAGE = `npm run test:e2e -- [OPTIONS] [TEST FILES]

Tests the packed package in a whole n8n, by default in n8n ${platformName(DEFAULT_PLATFORM)}.

  --n8n RELEASE     in this release (${RELEASES.join(', ')})
  --node MAJOR      on this Node.js (${listNodeVersions()})
  --scheduler NAME  with this scheduler of n8n (${SCHEDULERS.join(', ')}); with the durable one, only tests of the trigger
  --all             in every n8n above that matches, also the tests that take long, and compare the compatibility table
  --record          also the tests that take long, then write the compatibility table
  --broken          break the package in several ways, and check that tests fail each time
  --help            this text

Parts of file names select tests: npm run test:e2e -- --n8n 1.123 rest/editor`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
	try {
		return parseArgs(config);
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

/** @throws UsageError on an unknown option or platform */
export function readOptions(args: string[]): Options {
	const { values, positionals } = parse({
		args,
		allowPositionals: true,
		options: {
			...{ n8n: TEXT, node: TEXT, scheduler: TEXT },
			...{ all: FLAG, record: FLAG, broken: FLAG, help: FLAG },
		},
	});
	const { n8n, node, scheduler, all, record, broken, help } = values;
	const platforms = choosePlatforms(values);
	if (platforms.length === 0) {
		const withScheduler = scheduler === undefined ? '' : ` with the scheduler '${scheduler}'`;
		throw new UsageError(
			`There is no n8n ${n8n ?? 'here'} on Node.js ${node ?? 'of any version'}${withScheduler}.`,
		);
	}
	const scopeOf = (platform: Platform): Scope => {
		if (platform.scheduler === 'durable') return 'trigger';
		return all || record ? 'all' : 'default';
	};
	const runs = platforms.map((platform) => ({ platform, scope: scopeOf(platform) }));
	const comparesTable = (all || record) && positionals.length === 0;
	return { runs, files: positionals, record, comparesTable, broken, help };
}

export interface EditorOptions {
	platform: Platform;
	/** The port n8n must use. By default the first free port from {@link DEFAULT_EDITOR_PORT}. */
	port?: number;
	/** Whether to keep n8n's folder. */
	keep: boolean;
	/** Whether to compile changed sources into n8n, which reloads them. */
	dev: boolean;
	help: boolean;
}

/** n8n's usual port. */
export const DEFAULT_EDITOR_PORT = 5678;

export const EDITOR_USAGE = `npm run editor [-- OPTIONS]

Opens a whole n8n on 127.0.0.1 with this package, the sandbox, credentials and examples, until Ctrl+C. Its data is
deleted then.

  --port N        n8n's port (default: ${DEFAULT_EDITOR_PORT}, or the next free one)
  --n8n RELEASE   ${RELEASES.join(' or ')} (default ${RELEASES[0]})
  --node MAJOR    on this Node.js (${listNodeVersions()})
  --keep          keep n8n's folder with its log and database
  --dev           compile changed sources into n8n, which reloads them (npm run dev)
  --help          this text`;

/** @throws UsageError on an unknown option, platform or port */
export function readEditorOptions(args: string[]): EditorOptions {
	const { values } = parse({
		args,
		options: { n8n: TEXT, node: TEXT, port: TEXT, keep: FLAG, dev: FLAG, help: FLAG },
	});
	const { n8n = RELEASES[0], node, keep, dev, help } = values;
	const [platform] = choosePlatforms({ n8n, node, scheduler: 'classic' });
	if (!platform) {
		throw new UsageError(`There is no n8n ${n8n}${node === undefined ? '' : ` on Node.js ${node}`} here.`);
	}
	return { platform, port: parsePort(values.port), keep, dev, help };
}

function parsePort(port: string | undefined): number | undefined {
	if (port === undefined) return undefined;
	if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return Number(port);
	throw new UsageError(`--port takes a number from 1 to 65535, not '${port}'.`);
}
