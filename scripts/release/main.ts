/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
// The steps of the workflow Publish, after scripts/run.mjs has installed and built what they need.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageOf } from '../commands.cjs';
import { runMain, SetUpError, UsageError } from '../../test/e2e/setUp/commands';
import { packTarball } from '../../test/e2e/setUp/targets';
import { writeBills } from './bills';
import { checksumOf } from './checksum';
import { describeChecksum, readNotes } from './notes';
import { scanPublished } from './scan';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
	'name' | 'version',
	string
>;

function prepare(folder: string, tag = `v${version}`): void {
	if (tag !== `v${version}`)
		throw new SetUpError(`The tag is ${tag}, but package.json has version ${version}.`);
	mkdirSync(folder, { recursive: true });
	const checksum = checksumOf(readFileSync(packTarball(folder)));
	const notes = readNotes(readFileSync('CHANGELOG.md', 'utf8'), version);
	writeFileSync(join(folder, 'notes.md'), `${notes}\n\n${describeChecksum(name, version, checksum)}\n`);
	writeBills(folder, name);
}

async function main(): Promise<number> {
	const [step, folder, tag] = process.argv.slice(2);
	if (step === 'prepare' && folder) prepare(folder, tag);
	else if (step === 'scan') await scanPublished(name, version, sleep);
	else throw new UsageError(`There is no step '${process.argv.slice(2).join(' ')}'.`);
	return 0;
}

runMain(main, usageOf('release'));
