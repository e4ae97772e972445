import { parseArgs } from 'node:util';
import { runCampaign } from './campaign';
import type { CampaignOptions } from './options';
import { watchOutput } from './outputWatch';
import { replayCommand, reportText } from './reportText';

const HELP = `Creates Prospector workflows and starts runs through n8n's own engine while almost every third reply of the
service goes wrong, and checks that each was done exactly once.

  --seed N        settles what is done and what goes wrong (default 1)
  --operations N  creations and starts of runs (default 10000)
  --help          this text

It ends with 0 when all is well, with 1 when something does not hold, and with 2 when it was called in a wrong way.`;

class UsageError extends Error {}

function readOptions(): CampaignOptions | 'help' {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean' } as const;
	try {
		const { values } = parseArgs({ options: { seed: text, operations: text, help: flag } });
		if (values.help) return 'help';
		return {
			seed: wholeNumber('seed', values.seed ?? '1'),
			operations: wholeNumber('operations', values.operations ?? '10000'),
		};
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function wholeNumber(flag: string, text: string): number {
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new UsageError(`--${flag} takes a whole number, not "${text}".`);
}

/** @returns the exit code */
async function main(show: (line: string) => void): Promise<number> {
	const options = readOptions();
	if (options === 'help') {
		show(HELP);
		return 0;
	}
	show(replayCommand(options));
	let tenths = 0;
	const onProgress = (ended: number, planned: number) => {
		if (ended < (planned * (tenths + 1)) / 10) return;
		tenths = Math.floor((10 * ended) / planned);
		show(`  ${ended} of ${planned} planned executions have ended`);
	};
	const report = await runCampaign({ ...options, onProgress });
	show(`\n${reportText(report, options)}`);
	return Object.keys(report.violations).length > 0 ? 1 : 0;
}

// What n8n logs, up to the end of this process, is looked at and not shown.
const write = process.stdout.write.bind(process.stdout);
const show = (line: string) => void write(`${line}\n`);
watchOutput([]);
main(show).then(
	(code) => {
		process.exitCode = code;
	},
	(error: Error) => {
		const usage = error instanceof UsageError;
		show(usage ? `${error.message}\n\n${HELP}` : (error.stack ?? String(error)));
		process.exitCode = usage ? 2 : 1;
	},
);
