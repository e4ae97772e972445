import { startContender, type WaitingContender } from './contenderProcess';
import type { ScenarioFigures } from './figures';
import type { Job } from './job';
import type { BenchOptions } from './options';
import { requestFigures } from './requestFigures';
import { contenderFigures, progressLine, type Round } from './rounds';
import type { Contender, Scenario } from './scenarios';
import { startService, type Service } from './service';

/** Lets the contenders of a scenario work, round by round, on one sandbox. */
export async function measure(scenario: Scenario, options: BenchOptions): Promise<ScenarioFigures> {
	const { name, title, floor, optimumMs, settings, contenders } = scenario;
	const service = await startService(settings);
	try {
		const task = await scenario.seed(service);
		const course: Course = { service, scenario, task, packageDirectory: options.packageDirectory };
		if (!scenario.together) {
			// The first requests that a sandbox answers are slow, and nobody's fault.
			await inTurn(course, 'warm_up', [contenders.find((contender) => contender.name === floor)!]);
		}
		const rounds: Round[] = [];
		for (let round = 0; round < options.rounds; round++) {
			const work = scenario.together ? together : inTurn;
			rounds.push(...(await work(course, `round_${round + 1}`, rotated(contenders, round))));
			await service.clearJournal();
		}
		const figures = contenders.map((contender) => contenderFigures(contender, rounds));
		return { name, title, floor, optimumMs, contenders: figures };
	} finally {
		service.close();
	}
}

/** Everyone is first in some round. */
export const rotated = <T>(list: T[], by: number): T[] => {
	const at = by % list.length;
	return [...list.slice(at), ...list.slice(0, at)];
};

interface Course extends Pick<Job, 'task' | 'packageDirectory'> {
	service: Service;
	scenario: Scenario;
}

async function inTurn(course: Course, round: string, contenders: Contender[]): Promise<Round[]> {
	const done: Round[] = [];
	for (const contender of contenders) {
		const loaded = await load(course, round, contender);
		done.push(await loaded.work());
	}
	return done;
}

/** Nobody begins while others still load. */
async function together(course: Course, round: string, contenders: Contender[]): Promise<Round[]> {
	const loaded = await Promise.all(contenders.map(async (contender) => await load(course, round, contender)));
	return await Promise.all(loaded.map(async ({ work }) => await work()));
}

async function load(course: Course, round: string, { name, label, means }: Contender) {
	const { service, scenario, ...rest } = course;
	const key = `${scenario.name}_${name}_${round}`;
	const apiKey = await service.newKey(key);
	const { baseUrl } = service;
	const { continueOnFail } = scenario;
	const contender = await startContender({ ...rest, means, continueOnFail, baseUrl, apiKey });
	return {
		async work(): Promise<Round> {
			const ended: Round = { name, ...(await outcome(contender, course, key)) };
			console.log(`  ${round.replace('_', ' ')}: ${label}: ${progressLine(ended)}`);
			return ended;
		},
	};
}

async function outcome(
	contender: WaitingContender,
	{ service, scenario: { expected } }: Course,
	key: string,
) {
	const report = await contender.begin();
	if ('reason' in report) return report;
	const got = report.distinct + report.failedItems;
	if (got !== expected) return { reason: `It gave ${got} of ${expected} items` };
	return { ...report, ...requestFigures(await service.requestsOf(key)) };
}
