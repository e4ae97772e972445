import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLine, noTests } from '../../scripts/totals.mjs';
import { readOptions, USAGE } from './options';
import { runTests } from './runTests';
import { SetUpError } from './setUp/commands';
import { installN8n, nodeFor } from './setUp/installation';
import { installPacked } from './setUp/packed';
import { findServices } from './setUp/services';

const say = (line: string) => console.log(line);

/** `npm run test:e2e`, after scripts/e2e.mjs has installed what this needs. */
function main(): number {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		say(USAGE);
		return 0;
	}
	const services = findServices(say);
	const folder = mkdtempSync(join(tmpdir(), 'prospector-e2e-'));
	try {
		const packed = installPacked(folder);
		const totals = noTests();
		for (const pair of options.pairs) {
			say(`\nn8n ${pair.release} on Node.js ${pair.node} …`);
			const installation = installN8n(pair.release);
			const { version, bin, tookSeconds } = installation;
			say(
				tookSeconds === 'cached'
					? `n8n ${version} is in the cache.`
					: `n8n ${version} installed in ${Math.round(tookSeconds)} s.`,
			);
			const report = runTests(
				{
					release: pair.release,
					version,
					nodeMajor: pair.node,
					node: nodeFor(installation, pair),
					bin,
					packed,
					redis: services.redis.program,
					chromium: services.chromium.program,
				},
				folder,
				options.jest,
			);
			totals.passed += report.passed;
			totals.failed += report.failed;
			totals.skipped += report.skipped.length;
			report.skipped.forEach((title) => say(`Skipped: ${title}`));
		}
		for (const [name, { missing }] of Object.entries(services)) {
			if (missing) say(`Tests with ${name} were skipped: ${missing}`);
		}
		say(`\n${closingLine(totals)}`);
		return totals.failed > 0 ? 1 : 0;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

try {
	process.exitCode = main();
} catch (error) {
	console.error(error instanceof SetUpError || error instanceof TypeError ? error.message : error);
	process.exitCode = 1;
}
