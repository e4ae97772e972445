import { randomInt } from 'node:crypto';
import { runCampaign } from './campaign';
import { readOptions } from './cli';
import { watchOutput } from './outputWatch';
import { testRateLimits } from './rateLimits';
import { replayCommand, reportText } from './report';

const HELP = `Creates Prospector workflows and starts runs in n8n's own engine while three of ten requests fail, and checks that
each operation was done exactly once. Then reads at 99 kinds of rate limits in virtual time.

  --seed N        determines the operations and the faults (default 1)
  --operations N  number of creations and starts (default 10000)
  --limits-seed N determines the work at the rate limits (default: a new one each time)
  --help          shows this text

Exit codes: 0 if all checks passed, 1 if a check failed, 2 if the command is invalid.`;

// n8n's logs are hidden until this process ends.
const write = process.stdout.write.bind(process.stdout);
const show = (line: string) => void write(`${line}\n`);

/** @returns the exit code */
async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2), {
		help: HELP,
		defaults: { seed: 1, operations: 10_000, 'limits-seed': randomInt(1_000_000_000) },
	});
	if ('message' in options) {
		show(options.message);
		return options.exitCode;
	}
	show(replayCommand(options));
	const begin = performance.now();
	let tenths = 0;
	const onProgress = (ended: number, planned: number) => {
		if (ended < (planned * (tenths + 1)) / 10) return;
		tenths = Math.floor((10 * ended) / planned);
		show(`  ${ended} of ${planned} planned executions have ended`);
	};
	const report = await runCampaign({ ...options, onProgress });
	show(`  The campaign took ${Math.round((performance.now() - begin) / 1000)} s`);
	show(`\n${reportText(report, options)}`);
	const limits = await testRateLimits(options['limits-seed']);
	show(limits.line);
	return Object.keys(report.violations).length > 0 || !limits.hasPassed ? 1 : 0;
}

watchOutput([]);
main().then(
	(code) => (process.exitCode = code),
	(error: Error) => {
		show(error.stack ?? String(error));
		process.exitCode = 1;
	},
);
