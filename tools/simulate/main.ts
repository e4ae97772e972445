import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { log, UsageError } from '../../test/e2e/setUp/commands';
import { addCounts, type BehaviourCounts, BEHAVIOURS, countsText } from '../../test/simulator/behaviours';
import { EVENTS } from '../../test/simulator/settings';
import { FLAG, parseCount, runCommand, TEXT } from '../shared/command';
import { forkPart, type Part, type PartReport } from './playPart';
import { playWithoutRules } from './withoutRules';

/** Plays all parts, each in a process. Ends all processes after the first violation. */
async function playParts(parts: Part[]): Promise<PartReport[]> {
	const forks = parts.map((part) => forkPart(part));
	const endAll = (report: PartReport | undefined) => {
		if (report?.found) for (const { child } of forks) child.kill();
		return report ?? [];
	};
	const reports = (await Promise.all(forks.map(async ({ result }) => endAll(await result)))).flat();
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

/** Plays random histories with the complete trigger. @returns the exit code */
async function play(options: Pick<Part, 'seed' | 'histories' | 'events'>): Promise<number> {
	const begin = performance.now();
	const processes = availableParallelism();
	const parts = Array.from({ length: processes }, (_, first) => ({
		...options,
		...{ first, processes, playsStored: first === 0 },
	}));
	const reports = await playParts(parts);
	const seconds = Math.round((performance.now() - begin) / 1000);
	const found = reports.find((report) => report.found)?.found;
	if (found) {
		log(`\nA history violates a rule, found after ${seconds} s:\n\n${violationText(found)}`);
		return 1;
	}
	const counts: BehaviourCounts = new Map();
	for (const report of reports) addCounts(counts, report.counts);
	const played = reports.reduce((sum, report) => sum + report.histories, 0);
	const missing = BEHAVIOURS.filter((name) => !counts.has(name));
	log(`\n${countsText(counts)}\n\n${played} histories in ${seconds} s`);
	if (missing.length > 0) log(`These behaviours never occurred: ${missing.join('; ')}`);
	log(`${played} passed, 0 failed`);
	return missing.length > 0 ? 1 : 0;
}

const MAX_SEED = 1_000_000_000;

const OPTIONS = {
	...{ seed: TEXT, histories: TEXT, event: TEXT, rule: TEXT },
	...{ 'without-rules': FLAG },
} as const;

runCommand('simulate', OPTIONS, async ({ 'without-rules': withoutRules, rule, ...values }) => {
	const event = EVENTS.find((name) => name === values.event);
	if (values.event !== undefined && !event) throw new UsageError(`There is no event "${values.event}".`);
	const seed = parseCount('seed', values.seed ?? String(randomInt(1, MAX_SEED)), MAX_SEED);
	const histories = parseCount('histories', values.histories ?? (withoutRules ? '300' : '2000'));
	const repetition = [
		...[`--seed ${seed} --histories ${histories}`, event && `--event ${event}`],
		...[withoutRules && '--without-rules', rule !== undefined && `--rule '${rule}'`],
	];
	log(`npm run simulate -- ${repetition.filter(Boolean).join(' ')}`);
	if (withoutRules) return (await playWithoutRules({ seed, histories, event, rule })) > 0 ? 1 : 0;
	return await play({ seed, histories, events: event ? [event] : [...EVENTS] });
});
