/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
// `npm run tool -- verify`: n8n's own tools accept the package, and build the same one. `npm run lint` runs their rules.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, log, ROOT, runMain, SetUpError } from '../test/e2e/setUp/commands';
import { packTarball } from '../test/e2e/setUp/targets';
import { scanPackage, scanSources } from './release/scan';

const run = (program: string, ...args: string[]) =>
	command(program, args, { cwd: ROOT, advice: 'A command has failed.' });

const n8nNode = (...args: string[]) =>
	run('node', 'tools/node_modules/@n8n/node-cli/bin/n8n-node.mjs', ...args);

function requireCloudSupport(): void {
	const text = n8nNode('cloud-support');
	if (!/Cloud support is\s\S*ENABLED/.test(text)) throw new SetUpError(`n8n-node cloud-support:\n${text}`);
	log("n8n's tool says that the package can be verified for n8n Cloud.");
}

/** Packs what is built now, and unpacks it. @returns its folder */
function pack(folder: string): string {
	mkdirSync(folder);
	run('tar', '-xzf', packTarball(folder), '-C', folder);
	return join(folder, 'package');
}

const readFiles = (folder: string) =>
	new Map(
		readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name))
			.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'latin1')]),
	);

/** @throws SetUpError with the files that only one of two folders has, or that differ */
function requireSameFiles(folder: string, otherFolder: string): void {
	const [files, otherFiles] = [readFiles(folder), readFiles(otherFolder)];
	const names = new Set([...files.keys(), ...otherFiles.keys()]);
	const different = [...names].filter((name) => files.get(name) !== otherFiles.get(name));
	if (different.length > 0) throw new SetUpError(`n8n-node build: other files: ${different.join(', ')}`);
	log(`n8n's tool builds the same package (${names.size} files).`);
}

async function main(): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'prospector-verify-'));
	try {
		requireCloudSupport();
		const packed = pack(join(folder, 'npm-run-build'));
		n8nNode('build');
		requireSameFiles(packed, pack(join(folder, 'n8n-node-build')));
		await scanPackage(packed);
		await scanSources(ROOT);
	} finally {
		run('npm', 'run', '--silent', 'build');
		rmSync(folder, { recursive: true, force: true });
	}
	return 0;
}

runMain(main);
