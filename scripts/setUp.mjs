// What a fresh clone lacks is installed by the command that needs it: `ignore-scripts` in .npmrc turns hooks off.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const OLDEST_NODE = [20, 19];

/** Runs a command in the repository; ends this process with the command's exit code where that is not 0. */
export function run(command, args, { cwd = root, quiet = false, env = {}, onFailure } = {}) {
	const { status, error, stdout, stderr } = spawnSync(command, args, {
		cwd,
		stdio: quiet ? 'pipe' : 'inherit',
		encoding: 'utf8',
		env: { ...process.env, ...env },
	});
	if (!error && status === 0) return;
	if (quiet) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
	if (onFailure !== '')
		console.error(
			onFailure ?? `\n'${[command, ...args].join(' ')}' did not succeed${error ? `: ${error.message}` : '.'}`,
		);
	process.exit(status || 1);
}

/** Installs the packages of a folder's lock file, unless exactly these are installed. */
export function install(folder = '.') {
	const directory = join(root, folder);
	if (isInstalled(directory)) return;
	console.log(
		`Installing what ${folder === '.' ? 'this repository' : folder} needs (about a minute, once) …`,
	);
	run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
		cwd: directory,
		quiet: true,
		onFailure:
			'\nThe packages could not be installed. Check the connection to the npm registry and the free disk space (about 1.2 GB), then run the same command again.',
	});
}

/** Compares the lock file with the record that npm leaves at the end of an installation. */
function isInstalled(directory) {
	const record = join(directory, 'node_modules', '.package-lock.json');
	if (!existsSync(record)) return false;
	const packages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
	const installed = packages(record);
	return Object.entries(packages(join(directory, 'package-lock.json'))).every(
		([path, { version, optional, peer }]) =>
			path === '' || optional || peer || installed[path]?.version === version,
	);
}

/** Builds the package into dist/. */
export function build() {
	// A file that was renamed must not remain in the package.
	rmSync(join(root, 'dist'), { recursive: true, force: true });
	const onFailure = '\nThe package could not be built. The compiler says why above.';
	for (const program of [
		['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
		['node_modules/gulp/bin/gulp.js', 'assets', '--silent'],
	])
		run(process.execPath, program, { quiet: true, onFailure });
}

export function requireNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = OLDEST_NODE;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	console.error(`Node.js ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
	process.exit(1);
}
