import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import {
	mergeReports,
	replayCommand,
	reportText,
	runTriggerCampaign,
	type TriggerCampaignOptions,
	type TriggerCampaignReport,
} from './triggerCampaign';

const HELP = `Plays random histories of a Prospector Trigger and the service, in which much goes wrong, and checks that each new run,
result or status is emitted, and none of them twice.

  --seed N       settles what happens and what goes wrong (default 1)
  --polls N      number of polls (default 100000)
  --first N      number of the first history (default 0)
  --processes N  number of processes that share the histories (default: one per processor)
  --help         this text

It ends with 0 when all is well, with 1 when something does not hold, and with 2 when it was called in a wrong way.`;

const DEFAULTS = { seed: '1', polls: '100000', first: '0', processes: String(availableParallelism()) };

function readOptions() {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		options: { seed: text, polls: text, first: text, processes: text, help: { type: 'boolean' } },
	});
	const { help, ...given } = { ...DEFAULTS, ...values };
	for (const value of Object.values(given)) {
		if (!/^\d{1,9}$/.test(value)) throw new Error(`"${value}" is not a whole number.`);
	}
	const [seed, polls, first, processes] = [given.seed, given.polls, given.first, given.processes].map(Number);
	return { help, seed, polls, first, processes };
}

/** Plays a share of the histories in a process of its own. */
async function runInProcess(
	options: TriggerCampaignOptions,
	onProgress: (polls: number) => void,
): Promise<TriggerCampaignReport> {
	const child = fork(__filename, [JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
	let report: TriggerCampaignReport | undefined;
	child.on('message', (message: number | TriggerCampaignReport) => {
		if (typeof message === 'number') onProgress(message);
		else report = message;
	});
	await once(child, 'exit');
	if (!report) throw new Error('A process has ended without a report');
	return report;
}

async function main(): Promise<number> {
	let options: ReturnType<typeof readOptions>;
	try {
		options = readOptions();
	} catch (error) {
		console.log(`${(error as Error).message}\n\n${HELP}`);
		return 2;
	}
	const { help, seed, polls, first, processes } = options;
	if (help) {
		console.log(HELP);
		return 0;
	}
	console.log(replayCommand(options));
	const begin = performance.now();
	const progress = Array.from({ length: processes }, () => 0);
	let shown = 0;
	const showProgress = () => {
		const total = progress.reduce((sum, count) => sum + count, 0);
		if (total < shown + polls / 20) return;
		shown = total;
		console.log(`  ${total} polls after ${Math.round((performance.now() - begin) / 1000)} s`);
	};
	const reports = progress.map(async (_, index) => {
		const share = { seed, polls: Math.ceil(polls / processes), first: first + index, processes };
		return await runInProcess(share, (count) => {
			progress[index] = count;
			showProgress();
		});
	});
	const report = mergeReports(await Promise.all(reports));
	console.log(`\n${reportText(report, options)}`);
	return report.failed.length > 0 ? 1 : 0;
}

/** A process that {@link runInProcess} has started. */
async function runShare(options: TriggerCampaignOptions): Promise<void> {
	const send = (message: unknown) => void process.send!(message);
	send(await runTriggerCampaign({ ...options, onProgress: send }));
	process.disconnect();
}

if (process.send) void runShare(JSON.parse(process.argv[2]) as TriggerCampaignOptions);
else void main().then((code) => void (process.exitCode = code));
