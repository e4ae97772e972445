/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- not published */
import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import {
	addCounts,
	type Behaviour,
	type BehaviourCounts,
	BEHAVIOURS,
	countsText,
} from '../../test/simulator/behaviours';
import {
	EVENTS,
	type History,
	HistoryViolation,
	playHistories,
	replayHistory,
	type TriggerEvent,
} from '../../test/simulator/play';

const HELP = `Plays random histories of the service, n8n and a Prospector Trigger in virtual time, and checks what the trigger emits.
Prints the first violation as a readable history, and how often each behaviour occurred.

  --seed N         determines the histories (default: a new one each time)
  --histories N    number of histories (default 2000; fewer than 600 may not contain each behaviour)
  --event NAME     ${EVENTS.join(', ')} (default: all)
  --processes N    number of processes (default: one per processor)
  --history FILE   plays one stored history: a violation contains it, as JSON
  --help           shows this text

Exit codes: 0 if all checks passed, 1 if one failed or a behaviour never occurred, 2 if the command is invalid.`;

/** Number of histories with one fast-check seed. */
const CHUNK = 10;

/** What one process plays: each n-th chunk. */
interface Part {
	seed: number;
	histories: number;
	events: TriggerEvent[];
	first: number;
	processes: number;
}

interface PartReport {
	counts: Array<[Behaviour, number]>;
	histories: number;
	/** The violation as text. */
	found?: string;
}

async function playPart({ seed, histories, events, first, processes }: Part): Promise<PartReport> {
	const counts: BehaviourCounts = new Map();
	let played = 0;
	for (let chunk = first; chunk * CHUNK < histories; chunk += processes) {
		const found = await playHistories(events[chunk % events.length], seed + chunk, CHUNK, counts);
		if (found) return { counts: [...counts], histories: played, found: violationText(found) };
		played += CHUNK;
	}
	return { counts: [...counts], histories: played };
}

/** Plays all parts, each in a process. Ends all processes after the first violation. */
async function playParts(parts: Part[]): Promise<PartReport[]> {
	const reports: PartReport[] = [];
	const children = parts.map((part) =>
		fork(__filename, [JSON.stringify(part)], { execArgv: process.execArgv }),
	);
	await Promise.all(
		children.map(async (child) => {
			child.on('message', (report: PartReport) => {
				reports.push(report);
				if (report.found) for (const other of children) other.kill();
			});
			await once(child, 'exit');
		}),
	);
	if (reports.length < parts.length && !reports.some(({ found }) => found)) {
		throw new Error('A process has ended without a report');
	}
	return reports;
}

function violationText({ message, history: { event, settings, steps } }: HistoryViolation): string {
	const start = JSON.stringify({ event, settings }).slice(0, -1);
	const lines = steps.map((step) => JSON.stringify(step)).join(',\n');
	return `${message}\n\nTo play it in each test, add it to test/simulator/histories.json:\n${start},"steps":[\n${lines}\n]}`;
}

const TEXT = { type: 'string' } as const;
const OPTIONS = {
	...{ seed: TEXT, histories: TEXT, event: TEXT, processes: TEXT, history: TEXT },
	help: { type: 'boolean' },
} as const;

/** @throws Error if the command is invalid */
function readCommand(args: string[]) {
	const { values } = parseArgs({ args, options: OPTIONS });
	const toNumber = (text: string | undefined, usual: number) => {
		if (text !== undefined && !/^-?\d{1,10}$/.test(text)) throw new Error(`"${text}" is not a whole number.`);
		return text === undefined ? usual : Number(text);
	};
	const event = EVENTS.find((name) => name === values.event);
	if (values.event !== undefined && !event) throw new Error(`There is no event "${values.event}".`);
	return {
		...values,
		event,
		seed: toNumber(values.seed, randomInt(1_000_000_000)),
		histories: toNumber(values.histories, 2000),
		processes: toNumber(values.processes, availableParallelism()),
	};
}

/** @returns the exit code */
async function main(command: ReturnType<typeof readCommand>): Promise<number> {
	const { seed, histories, event, processes, history } = command;
	if (history !== undefined) {
		const violation: unknown = await replayHistory(
			JSON.parse(await readFile(history, 'utf8')) as History,
		).catch((failure: unknown) => failure);
		console.log(violation instanceof Error ? violation.message : 'The history violates no rule.');
		return violation ? 1 : 0;
	}
	const begin = performance.now();
	console.log(
		`npm run simulate -- --seed ${seed} --histories ${histories}${event ? ` --event ${event}` : ''}`,
	);
	const events = event ? [event] : [...EVENTS];
	const parts = Array.from({ length: processes }, (_, first) => ({
		seed,
		histories,
		events,
		first,
		processes,
	}));
	const reports = await playParts(parts);
	const seconds = Math.round((performance.now() - begin) / 1000);
	const found = reports.find((report) => report.found)?.found;
	if (found) {
		console.log(`\nA history violates a rule, found after ${seconds} s:\n\n${found}`);
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
	if (process.send) {
		const report = await playPart(JSON.parse(process.argv[2]) as Part);
		process.send(report, () => process.disconnect());
		return;
	}
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
