/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
// `npm run tool -- newest-n8n [VERSION]` makes the tests of the newest n8n use another version of it, by default the
// newest on npm: it writes its package.json and its lock file.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, E2E, log, ROOT, runMain, SetUpError } from '../test/e2e/setUp/commands';
import { readManifest, releaseFolder, RELEASES } from '../test/e2e/setUp/platforms';

const PNPM = join(E2E, 'node_modules/pnpm/bin/pnpm.cjs');
const FILES = ['package.json', 'pnpm-lock.yaml'];

function findVersion(wanted: string): string {
	const advice = `npm has no n8n ${wanted}, or can't be reached.`;
	const found = command('npm', ['view', `n8n@${wanted}`, 'version'], { cwd: ROOT, advice }).trim();
	if (!/^\d+\.\d+\.\d+\S*$/.test(found)) throw new SetUpError(advice);
	return found;
}

/** @throws SetUpError that names the package that npm does not have, if it is one */
function writeLockFile(folder: string, version: string): void {
	try {
		const flags = ['--lockfile-only', '--no-frozen-lockfile', '--ignore-scripts'];
		command(process.execPath, [PNPM, 'install', ...flags], { cwd: folder, advice: '' });
	} catch (error) {
		const { message } = error as SetUpError;
		const missing = /No matching version found for (\S+)/.exec(message)?.[1];
		const reason = missing ? `npm has no ${missing}.` : message;
		throw new SetUpError(`n8n ${version} can't be installed: ${reason}`);
	}
}

async function main(): Promise<number> {
	const [release] = RELEASES;
	const version = findVersion(process.argv[2] ?? 'latest');
	const manifest = readManifest(release);
	const before = manifest.dependencies.n8n;
	const folder = mkdtempSync(join(tmpdir(), 'prospector-n8n-'));
	try {
		manifest.dependencies.n8n = version;
		writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
		writeLockFile(folder, version);
		for (const file of FILES) copyFileSync(join(folder, file), join(releaseFolder(release), file));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	log(`The tests of the newest n8n use n8n ${version} in place of ${before}.`);
	return 0;
}

runMain(main);
