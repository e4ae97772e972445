/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PICTURES } from './record';
import { runTests } from '../../test/e2e/runTests';
import { log, ROOT, runMain, SetUpError } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM } from '../../test/e2e/setUp/platforms';
import { findServices } from '../../test/e2e/setUp/services';
import { installPackage, prepareTarget } from '../../test/e2e/setUp/targets';

/** `npm run tool -- screenshots`: a test of the browser takes the pictures of the documentation in the newest n8n. */
async function main(): Promise<number> {
	const services = findServices();
	const { program, missing } = services.chromium;
	if (!program) throw new SetUpError(`Pictures need a browser: ${missing}`);
	const folder = mkdtempSync(join(tmpdir(), 'prospector-screenshots-'));
	try {
		const target = await prepareTarget(DEFAULT_PLATFORM, installPackage(folder), services);
		rmSync(PICTURES, { recursive: true, force: true });
		mkdirSync(PICTURES, { recursive: true });
		process.env.E2E_PICTURES = 'write';
		const { passed, failed } = await runTests(target, folder, { files: ['pictures/'] });
		for (const file of readdirSync(PICTURES)) {
			const path = join(PICTURES, file);
			log(`${relative(ROOT, path)}  ${Math.ceil(statSync(path).size / 1024)} KB`);
		}
		log(`\n${passed} passed, ${failed} failed`);
		return failed === 0 ? 0 : 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

runMain(main);
