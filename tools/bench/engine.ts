/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { requestFigures, type Round } from './figures';
import type { Job, Message } from './job';
import type { BenchOptions } from './options';
import { logRound, rotate } from './rounds';
import type { Contender, Scenario } from './scenarios';
import { startService, type Service } from './service';

/** Maximum duration of loading, and of the work. */
const TIMEOUT_MS = 15 * 60_000;

interface Course extends Pick<Job, 'task' | 'packageDirectory'> {
	service: Service;
	scenario: Scenario;
}

/** Measures the contenders of a scenario in several rounds, on one sandbox. */
export async function measureInEngine(scenario: Scenario, options: BenchOptions): Promise<Round[]> {
	const { settings, contenders, together } = scenario;
	const service = await startService(settings);
	try {
		const task = await scenario.seed(service, scenario.count);
		const course: Course = { service, scenario, task, packageDirectory: options.packageDirectory };
		// The first requests that a sandbox answers are slow.
		if (!together) await inTurn(course, 'warm_up', contenders.slice(-1));
		const rounds: Round[] = [];
		for (let round = 0; round < options.rounds; round++) {
			const rotated = rotate(contenders, round);
			rounds.push(...(await (together ? atOnce : inTurn)(course, `round_${round + 1}`, rotated)));
			await service.clearJournal();
		}
		return rounds;
	} finally {
		service.close();
	}
}

async function inTurn(course: Course, round: string, contenders: Contender[]): Promise<Round[]> {
	const rounds: Round[] = [];
	for (const contender of contenders) rounds.push(await (await load(course, round, contender))());
	return rounds;
}

/** No contender starts while others are still loading. */
async function atOnce(course: Course, round: string, contenders: Contender[]): Promise<Round[]> {
	const loaded = await Promise.all(contenders.map(async (contender) => await load(course, round, contender)));
	return await Promise.all(loaded.map(async (work) => await work()));
}

/** Loads a contender in its own process; returns a function that lets it work. */
async function load({ service, scenario, ...rest }: Course, round: string, contender: Contender) {
	const { name, label, means } = contender;
	const keyName = `${scenario.name}_${name}_${round}`;
	const apiKey = await service.newKey(keyName);
	const { baseUrl } = service;
	const { continueOnFail, count } = scenario;
	const child = fork(join(__dirname, 'contender.ts'), {
		execArgv: ['--import', 'tsx'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const job: Job = { ...rest, means, continueOnFail, baseUrl, apiKey };
	child.send(job);
	const ready = await nextMessage(child);
	return async (): Promise<Round> => {
		let message = ready;
		if (message.type === 'ready') {
			const next = nextMessage(child);
			child.send('begin');
			message = await next;
		}
		const result = await complete(message);
		logRound(round.replace('_', ' '), label, { name, ...result });
		return { name, ...result };
	};

	async function complete(message: Message) {
		if (message.type !== 'done')
			return { reason: message.type === 'failed' ? message.reason : 'It was ready twice' };
		const { report, distinct } = message;
		const items = distinct + report.failedItems;
		if (items !== count) return { reason: `It returned ${items} of ${count} items` };
		return { figures: { ...report, ...requestFigures(await service.requestsOf(keyName)) } };
	}
}

async function nextMessage(child: ChildProcess): Promise<Message> {
	return await new Promise((resolve) => {
		const settle = (message: Message) => {
			clearTimeout(timer);
			child.removeAllListeners();
			resolve(message);
		};
		const fail = (reason: string) => settle({ type: 'failed', reason });
		const timer = setTimeout(() => {
			child.kill('SIGKILL');
			fail(`It did not end within ${TIMEOUT_MS / 60_000} minutes`);
		}, TIMEOUT_MS);
		child.once('message', (message) => settle(message as Message));
		child.once('exit', (code, signal) => fail(`Its process ended early (${signal ?? code})`));
		child.once('error', (error) => fail(error.message));
	});
}
