import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { command, SetUpError } from './commands';
import { cacheFolder, E2E } from './folders';
import { readRecipe, recipeOf, type Pair, type Release } from './releases';

/** An n8n that is ready to be started. */
export interface Installation {
	release: Release;
	/** Such as `2.41.1`. */
	version: string;
	/** The `n8n` command, a file for Node.js. */
	bin: string;
	/** Folder in which Node.js keeps code that it has compiled. */
	compileCache: string;
	/** Major version of Node.js → its program. */
	nodes: Record<number, string>;
	/** Where n8n was found, or how long it took to install it, in seconds. */
	tookSeconds: number | 'cached';
}

/** To be raised when the steps below change, so that what older ones have left is not used. */
const STEPS = 1;

/**
 * Installs an n8n release with the Node.js that it needs, from its lock file, once: later calls find it in the cache.
 * About a minute and 2 GB for each release.
 *
 * @throws SetUpError where something could not be installed or compiled
 */
export function installN8n(release: Release): Installation {
	const recipe = recipeOf(release);
	const identity = ['package.json', 'pnpm-lock.yaml'].map((file) => readFileSync(join(recipe, file), 'utf8'));
	const key = createHash('sha256')
		.update(JSON.stringify([STEPS, process.platform, process.arch, identity]))
		.digest('hex')
		.slice(0, 12);
	const folder = join(cacheFolder(), `n8n-${release}-${key}`);
	const started = Date.now();
	const cached = existsSync(folder);
	if (!cached) {
		forgetUnused(release);
		build(release, folder);
	}
	// Its time says when it was last used.
	utimesSync(folder, new Date(), new Date());
	return {
		release,
		version: readRecipe(release).dependencies.n8n,
		bin: join(folder, 'node_modules/n8n/bin/n8n'),
		compileCache: join(folder, 'compiled'),
		nodes: nodesIn(release, folder),
		tookSeconds: cached ? 'cached' : (Date.now() - started) / 1000,
	};
}

const UNUSED_MS = 14 * 86_400_000;

/** Removes what earlier lock files have left, and interrupted installations. */
function forgetUnused(release: Release): void {
	mkdirSync(cacheFolder(), { recursive: true });
	for (const name of readdirSync(cacheFolder())) {
		const folder = join(cacheFolder(), name);
		if (!name.startsWith(`n8n-${release}-`) || Date.now() - statSync(folder).mtimeMs < UNUSED_MS) continue;
		rmSync(folder, { recursive: true, force: true });
	}
}

// In a folder of its own that gets its name at the end: what was interrupted is never taken for whole.
function build(release: Release, folder: string): void {
	const unfinished = `${folder}.${process.pid}`;
	mkdirSync(unfinished, { recursive: true });
	try {
		cpSync(recipeOf(release), unfinished, { recursive: true });
		command(
			process.execPath,
			[join(E2E, 'node_modules/pnpm/bin/pnpm.cjs'), 'install', '--frozen-lockfile', '--ignore-scripts'],
			{
				cwd: unfinished,
				env: { ...process.env, CI: 'true' },
				advice: `n8n ${release} could not be installed. Check the connection to the npm registry and the free disk space (about 4 GB), then run the same command again.`,
			},
		);
		compileDatabase(release, unfinished);
		if (!existsSync(folder)) renameSync(unfinished, folder);
	} finally {
		rmSync(unfinished, { recursive: true, force: true });
	}
}

/** The only module of n8n's that comes as source, as its maker's ready-made file is no package of the registry's. */
function compileDatabase(release: Release, folder: string): void {
	const nodes = nodesIn(release, folder);
	// Node-API: what the oldest loads, the newer ones load too, but not the other way round.
	const node = nodes[Math.min(...Object.keys(nodes).map(Number))];
	const sqlite = dirname(
		createRequire(realpathSync(join(folder, 'node_modules/n8n/package.json'))).resolve(
			'sqlite3/package.json',
		),
	);
	const gyp = createRequire(join(sqlite, 'package.json')).resolve('node-gyp/bin/node-gyp.js');
	const headers = dirname(dirname(node));
	command(node, [gyp, 'rebuild', ...(existsSync(join(headers, 'include')) ? [`--nodedir=${headers}`] : [])], {
		cwd: sqlite,
		// One big file, which the compiler's optimisation makes three times as slow to build.
		env: {
			...process.env,
			CFLAGS: '-O0',
			CXXFLAGS: '-O0',
			PATH: `${dirname(node)}:${process.env.PATH ?? ''}`,
		},
		advice: `n8n's database could not be compiled. It needs python3, make and g++ (Debian: apt-get install python3 make g++).`,
	});
	for (const program of Object.values(nodes)) {
		command(program, ['-e', `require(${JSON.stringify(sqlite)})`], {
			cwd: folder,
			advice: `n8n's database does not load in ${program}.`,
		});
	}
}

function nodesIn(release: Release, folder: string): Record<number, string> {
	const nodes: Record<number, string> = {};
	for (const alias of Object.keys(readRecipe(release).optionalDependencies)) {
		const program = join(folder, 'node_modules', alias, 'bin/node');
		if (existsSync(program)) nodes[Number(alias.split('-')[1])] = program;
	}
	const own = Number(process.versions.node.split('.')[0]);
	// Where the registry has no Node.js for this system, the one that runs this.
	if (Object.keys(nodes).length === 0) nodes[own] = process.execPath;
	return nodes;
}

/**
 * The Node.js program of a pair.
 *
 * @throws SetUpError where there is none for this system
 */
export function nodeFor({ nodes }: Installation, { release, node }: Pair): string {
	if (nodes[node]) return nodes[node];
	throw new SetUpError(
		`There is no Node.js ${node} for n8n ${release} on ${process.platform} ${process.arch}, only ${Object.keys(nodes).join(', ')}. Run this command with Node.js ${node}, or choose another one with --node.`,
	);
}
