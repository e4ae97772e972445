/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- not published */
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { addCounts, type BehaviourCounts, BEHAVIOURS, countsText } from '../../test/simulator/behaviours';
import { type History, replayHistory } from '../../test/simulator/play';
import { EVENTS } from '../../test/simulator/settings';
import { forkPart, type Part, type PartReport } from './playPart';
import { playWithoutRules } from './withoutRules';

const HELP = `Plays the stored and then random histories of the service, n8n and a Prospector Trigger in virtual time, and checks
what the trigger emits.
Prints the first violation as a readable history, and how often each behaviour occurred.

  --seed N         determines the histories (default: a new one each time)
  --histories N    number of histories (default 2000; fewer than 600 may not contain each behaviour)
  --event NAME     ${EVENTS.join(', ')} (default: all)
  --processes N    number of processes (default: one per processor)
  --history FILE   plays one stored history: a violation contains it, as JSON
  --without-rules  removes each rule in tools/simulate/rules.ts from a copy of the trigger, and plays histories until
                   one notices that the rule is missing, at most N per rule (default 300)
  --rule TEXT      with --without-rules: removes only the rules with this text in their names
  --help           shows this text

Exit codes: 0 if all checks passed, 1 if one failed, if a behaviour never occurred or if a missing rule was not noticed,
2 if the command is invalid.`;

/** Plays all parts, each in a process. Ends all processes after the first violation. */
async function playParts(parts: Part[]): Promise<PartReport[]> {
	const forks = parts.map((part) => forkPart(part));
	const endAll = (report: PartReport | undefined) => {
		if (report?.found) for (const { child } of forks) child.kill();
		return report ?? [];
	};
	const reports = (await Promise.all(forks.map(async ({ report }) => endAll(await report)))).flat();
	if (reports.length < parts.length && !reports.some(({ found }) => found)) {
		throw new Error('A process has ended without a report');
	}
	return reports;
}

function violationText({ message, history }: NonNullable<PartReport['found']>): string {
	const { event, settings, steps } = history;
	const start = JSON.stringify({ event, settings }).slice(0, -1);
	const lines = steps.map((step) => JSON.stringify(step)).join(',\n');
	return `${message}\n\nTo play it in each test, add it to test/simulator/histories.json:\n${start},"steps":[\n${lines}\n]}`;
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;
const OPTIONS = {
	...{ seed: TEXT, histories: TEXT, event: TEXT, processes: TEXT, history: TEXT },
	...{ 'without-rules': FLAG, rule: TEXT, help: FLAG },
} as const;

/** @throws Error if the command is invalid */
function readCommand(args: string[]) {
	const { 'without-rules': withoutRules, ...values } = parseArgs({ args, options: OPTIONS }).values;
	const toNumber = (text: string | undefined, usual: number) => {
		if (text !== undefined && !/^-?\d{1,10}$/.test(text)) throw new Error(`"${text}" is not a whole number.`);
		return text === undefined ? usual : Number(text);
	};
	const event = EVENTS.find((name) => name === values.event);
	if (values.event !== undefined && !event) throw new Error(`There is no event "${values.event}".`);
	return {
		...values,
		withoutRules,
		event,
		seed: toNumber(values.seed, randomInt(1_000_000_000)),
		histories: toNumber(values.histories, withoutRules ? 300 : 2000),
		processes: toNumber(values.processes, availableParallelism()),
	};
}

/** @returns the exit code */
async function main(command: ReturnType<typeof readCommand>): Promise<number> {
	const { seed, histories, event, processes, history, withoutRules, rule } = command;
	if (history !== undefined) {
		const stored = JSON.parse(await readFile(history, 'utf8')) as History;
		const violation: unknown = await replayHistory(stored).catch((failure: unknown) => failure);
		console.log(violation instanceof Error ? violation.message : 'The history violates no rule.');
		return violation ? 1 : 0;
	}
	const begin = performance.now();
	const options = [
		...[`--seed ${seed} --histories ${histories}`, event && `--event ${event}`],
		...[withoutRules && '--without-rules', rule !== undefined && `--rule '${rule}'`],
	];
	console.log(`npm run simulate -- ${options.filter(Boolean).join(' ')}`);
	if (withoutRules) return (await playWithoutRules(command)) > 0 ? 1 : 0;
	const events = event ? [event] : [...EVENTS];
	const parts = Array.from({ length: processes }, (_, first) => ({
		seed,
		histories,
		events,
		first,
		processes,
		playsStored: first === 0,
	}));
	const reports = await playParts(parts);
	const seconds = Math.round((performance.now() - begin) / 1000);
	const found = reports.find((report) => report.found)?.found;
	if (found) {
		console.log(`\nA history violates a rule, found after ${seconds} s:\n\n${violationText(found)}`);
		return 1;
	}
	const counts: BehaviourCounts = new Map();
	for (const report of reports) addCounts(counts, report.counts);
	const played = reports.reduce((sum, report) => sum + report.histories, 0);
	const missing = BEHAVIOURS.filter((name) => !counts.has(name));
	console.log(`\n${countsText(counts)}\n\n${played} histories in ${seconds} s`);
	if (missing.length > 0) console.log(`These behaviours never occurred: ${missing.join('; ')}`);
	console.log(`${played} passed, 0 failed`);
	return missing.length > 0 ? 1 : 0;
}

async function start(): Promise<void> {
	try {
		const command = readCommand(process.argv.slice(2));
		if (command.help) console.log(HELP);
		else process.exitCode = await main(command);
	} catch (failure) {
		console.log(`${(failure as Error).message}\n\n${HELP}`);
		process.exitCode = 2;
	}
}

void start();
