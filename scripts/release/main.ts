// The steps of the workflow Publish, after scripts/run.mjs has installed and built what they need.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMain, SetUpError, UsageError } from '../../test/e2e/setUp/commands';
import { writeBills } from './bills';
import { readNotes } from './notes';
import { loadScanner, repeatScan, requirePassed } from './scan';

const USAGE = `main.ts prepare FOLDER [TAG]  writes the tarball, its bills of materials and the notes of the release
                              into a folder, and scans sources and tarball as n8n does
main.ts scan                  waits until npm has the version of package.json, and scans it`;

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
	'name' | 'version',
	string
>;

async function prepare(folder: string, tag = `v${version}`): Promise<void> {
	if (tag !== `v${version}`)
		throw new SetUpError(`The tag is ${tag}, but package.json has version ${version}.`);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'notes.md'), `${readNotes(readFileSync('CHANGELOG.md', 'utf8'), version)}\n`);
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder]);
	writeBills(folder, name);
	await scanBefore(join(folder, `${name}-${version}.tgz`));
}

/** Scans what n8n scans after the publication, when it would be too late. */
async function scanBefore(tarball: string): Promise<void> {
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await loadScanner();
	requirePassed('The source', await analyzePackage(process.cwd(), SOURCE_FILE_PATTERNS));
	const unpacked = mkdtempSync(join(tmpdir(), 'prospector-scan-'));
	try {
		execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
		requirePassed('The tarball', await analyzePackage(unpacked, ['**/*.js', 'package.json']));
	} finally {
		rmSync(unpacked, { recursive: true, force: true });
	}
}

async function scan(): Promise<void> {
	const { analyzePackageByName } = await loadScanner();
	const result = await repeatScan(() => analyzePackageByName(name, version), sleep);
	requirePassed(`${name}@${version}`, result);
}

async function main(): Promise<number> {
	const [step, folder, tag] = process.argv.slice(2);
	if (step === 'prepare' && folder) await prepare(folder, tag);
	else if (step === 'scan') await scan();
	else throw new UsageError(`There is no step '${process.argv.slice(2).join(' ')}'.`);
	return 0;
}

runMain(main, USAGE);
