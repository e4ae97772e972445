import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { readOptions } from '../cli';
import {
	mergeReports,
	replayCommand,
	reportText,
	runTriggerCampaign,
	type TriggerCampaignOptions,
	type TriggerCampaignReport,
} from './triggerCampaign';

const HELP = `Plays random histories of a Prospector Trigger and the service, with many faults, and checks that each new run,
result or status is emitted exactly once.

  --seed N       determines the histories and the faults (default 1)
  --polls N      number of polls (default 100000)
  --first N      number of the first history (default 0)
  --processes N  number of processes that share the histories (default: one per processor)
  --help         shows this text

Exit codes: 0 if all checks passed, 1 if a check failed, 2 if the command is invalid.`;

const DEFAULTS = { seed: 1, polls: 100_000, first: 0, processes: availableParallelism() };

/** Plays a part of the histories in a separate process. */
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

/** @returns the exit code */
async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2), { help: HELP, defaults: DEFAULTS });
	if ('message' in options) {
		console.log(options.message);
		return options.exitCode;
	}
	console.log(replayCommand(options));
	const { polls, first, processes } = options;
	const begin = performance.now();
	const progress = Array.from({ length: processes }, () => 0);
	let shown = 0;
	const reports = progress.map(async (_, index) => {
		const part = { ...options, polls: Math.ceil(polls / processes), first: first + index };
		return await runInProcess(part, (count) => {
			progress[index] = count;
			const total = progress.reduce((sum, one) => sum + one, 0);
			if (total < shown + polls / 20) return;
			shown = total;
			console.log(`  ${total} polls after ${Math.round((performance.now() - begin) / 1000)} s`);
		});
	});
	const report = mergeReports(await Promise.all(reports));
	console.log(`\n${reportText(report, options)}`);
	return report.failed.length > 0 ? 1 : 0;
}

/** Runs in the process that {@link runInProcess} starts. */
async function runPart(options: TriggerCampaignOptions): Promise<void> {
	const send = (message: unknown) => void process.send!(message);
	send(await runTriggerCampaign({ ...options, onProgress: send }));
	process.disconnect();
}

if (process.send) void runPart(JSON.parse(process.argv[2]) as TriggerCampaignOptions);
else void main().then((code) => (process.exitCode = code));
