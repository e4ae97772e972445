import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runTests } from './runTests';
import { SetUpError } from './setUp/commands';
import { ROOT } from './setUp/folders';
import { installPacked } from './setUp/packed';
import { USUAL } from './setUp/releases';
import { findServices } from './setUp/services';
import { prepareTarget } from './setUp/targets';

const PICTURES = join(ROOT, 'docs/screenshots');

const say = (line: string) => console.log(line);

/** `npm run screenshots`: makes the pictures of the documentation anew, by the browser's test on the newest n8n. */
async function main(): Promise<number> {
	const services = findServices(say);
	const { program, missing } = services.chromium;
	if (!program) throw new SetUpError(`Pictures need a browser: ${missing}`);
	const folder = mkdtempSync(join(tmpdir(), 'prospector-screenshots-'));
	try {
		const target = prepareTarget(USUAL[0], installPacked(folder), say, services);
		// What no test takes a picture of any more must not stay.
		rmSync(PICTURES, { recursive: true, force: true });
		mkdirSync(PICTURES, { recursive: true });
		process.env.E2E_PICTURES = PICTURES;
		const { passed, failed } = await runTests(target, folder, ['firstSteps']);
		for (const file of readdirSync(PICTURES)) {
			const path = join(PICTURES, file);
			say(`${relative(ROOT, path)}  ${Math.ceil(statSync(path).size / 1024)} KB`);
		}
		say(`\n${passed} passed, ${failed} failed`);
		return failed === 0 ? 0 : 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

main().then(
	(status) => (process.exitCode = status),
	(error: unknown) => {
		console.error(error instanceof SetUpError ? error.message : error);
		process.exitCode = 1;
	},
);
