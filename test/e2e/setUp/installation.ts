/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
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
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { command, E2E, log, SetUpError } from './commands';
import { readManifest, releaseFolder, type Platform, type Release } from './platforms';

export interface Installation {
	release: Release;
	/** Such as `2.41.1`. */
	version: string;
	folder: string;
	/** The script of the `n8n` command. */
	bin: string;
	/** Folder in which Node.js caches compiled code. */
	compileCache: string;
	/** Major version of Node.js → path of its program. */
	nodes: Record<number, string>;
}

/** Change this number when the steps below change, so that older installations are not used. */
const STEPS = 1;

/** Installations are kept between runs and shared by all clones of the repository. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-prospector');

/**
 * Installs an n8n release and its Node.js versions from the lock file, unless they are in the cache. Takes about a
 * minute and 2 GB per release.
 *
 * @throws SetUpError if something can't be installed or compiled
 */
export function installN8n(release: Release): Installation {
	const identity = ['package.json', 'pnpm-lock.yaml'].map((file) =>
		readFileSync(join(releaseFolder(release), file), 'utf8'),
	);
	const key = createHash('sha256')
		.update(JSON.stringify([STEPS, process.platform, process.arch, identity]))
		.digest('hex')
		.slice(0, 12);
	const folder = join(CACHE, `n8n-${release}-${key}`);
	const { n8n: version } = readManifest(release).dependencies;
	if (existsSync(folder)) log(`n8n ${version} is in the cache.`);
	else {
		const startedAt = Date.now();
		removeUnused(release);
		build(release, folder);
		log(`n8n ${version} installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
	}
	// The modification time says when the installation was last used.
	utimesSync(folder, new Date(), new Date());
	return {
		release,
		version,
		folder,
		bin: join(folder, 'node_modules/n8n/bin/n8n'),
		compileCache: join(folder, 'compiled'),
		nodes: findNodePrograms(release, folder),
	};
}

const MAX_UNUSED_MS = 14 * 86_400_000;

/** Removes installations of earlier lock files and interrupted installations. */
function removeUnused(release: Release): void {
	mkdirSync(CACHE, { recursive: true });
	for (const name of readdirSync(CACHE)) {
		const folder = join(CACHE, name);
		const unusedMs = Date.now() - statSync(folder).mtimeMs;
		if (name.startsWith(`n8n-${release}-`) && unusedMs > MAX_UNUSED_MS) {
			rmSync(folder, { recursive: true, force: true });
		}
	}
}

// The folder gets its name at the end, so that an interrupted installation is never used.
function build(release: Release, folder: string): void {
	const unfinished = `${folder}.${process.pid}`;
	mkdirSync(unfinished, { recursive: true });
	try {
		cpSync(releaseFolder(release), unfinished, { recursive: true });
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

/** Compiles SQLite, because its prebuilt binary is not in the npm registry. */
function compileDatabase(release: Release, folder: string): void {
	const nodes = findNodePrograms(release, folder);
	// A module compiled for the oldest Node.js also loads in newer ones (Node-API).
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
		// Optimization makes the compilation three times slower.
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

function findNodePrograms(release: Release, folder: string): Record<number, string> {
	const nodes: Record<number, string> = {};
	for (const alias of Object.keys(readManifest(release).optionalDependencies)) {
		const program = join(folder, 'node_modules', alias, 'bin/node');
		if (existsSync(program)) nodes[Number(alias.split('-')[1])] = program;
	}
	const own = Number(process.versions.node.split('.')[0]);
	// The registry has no Node.js for this system.
	if (Object.keys(nodes).length === 0) nodes[own] = process.execPath;
	return nodes;
}

/** @throws SetUpError if the registry has no such Node.js for this system */
export function nodeProgram(nodes: Installation['nodes'], { release, node }: Platform): string {
	if (nodes[node]) return nodes[node];
	throw new SetUpError(
		`There is no Node.js ${node} for n8n ${release} on ${process.platform} ${process.arch}, only ${Object.keys(nodes).join(', ')}. Run this command with Node.js ${node}, or choose another one with --node.`,
	);
}
