import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runTests } from './runTests';
import { log, ROOT, runMain, SetUpError } from './setUp/commands';
import { DEFAULT_PLATFORMS } from './setUp/platforms';
import { findServices } from './setUp/services';
import { installPackage, prepareTarget } from './setUp/targets';

const SCREENSHOTS = join(ROOT, 'docs/screenshots');

/** `npm run screenshots`: the browser's test takes the screenshots of the documentation in the newest n8n. */
async function main(): Promise<number> {
	const services = findServices();
	const { program, missing } = services.chromium;
	if (!program) throw new SetUpError(`Screenshots need a browser: ${missing}`);
	const folder = mkdtempSync(join(tmpdir(), 'prospector-screenshots-'));
	try {
		const target = await prepareTarget(DEFAULT_PLATFORMS[0], installPackage(folder), services);
		rmSync(SCREENSHOTS, { recursive: true, force: true });
		mkdirSync(SCREENSHOTS, { recursive: true });
		process.env.E2E_PICTURES = SCREENSHOTS;
		const { passed, failed } = await runTests(target, folder, { files: ['firstSteps'] });
		for (const file of readdirSync(SCREENSHOTS)) {
			const path = join(SCREENSHOTS, file);
			log(`${relative(ROOT, path)}  ${Math.ceil(statSync(path).size / 1024)} KB`);
		}
		log(`\n${passed} passed, ${failed} failed`);
		return failed === 0 ? 0 : 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

runMain(main);
