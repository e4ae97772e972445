import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../campaign/seededRandom';
import { startN8n } from '../n8n/instance';
import { eventually } from '../n8n/rest';
import type { Target } from '../n8n/target';
import { Workflows } from '../n8n/workflows';
import { startPostgres } from '../outside/postgresServer';
import { Disturbances, type Counts } from './disturbances';
import { Monitor, type Sample } from './monitor';
import { N8nUnderTest } from './n8nUnderTest';
import { listExecutions, Person, type Unfinished } from './person';
import { pipelines, SETTINGS, TABLES, type Credentials, type PipelineName } from './pipelines';
import { startService } from './service';
import { HOUR_MS } from './time';
import { saveEvidence } from './saveEvidence';
import { judge, type Evidence, type Verdict } from './verdict';
import { Week } from './week';

export interface SoakOptions {
	minutes: number;
	seed: number;
	target: Target;
	log: (line: string) => void;
	/** A file for everything that the verdict is based on. */
	evidenceFile?: string;
}

export interface SoakReport {
	minutes: number;
	seed: number;
	n8n: string;
	verdict: Verdict;
	counts: Counts;
	deletedWithUnfinishedRuns: number;
	runs: number;
	/** Requests of n8n, by status. 0 for those without a response. */
	requests: Record<string, number>;
	retriesLogged: number;
	skippedPolls: number;
	/** Executions by n8n workflow and status. */
	executions: Record<string, Record<string, number>>;
	/** Executions that a person retried, by message. */
	retriedByHand: Record<string, number>;
	samples: Sample[];
	catchUpSeconds: number;
}

const CATCH_UP_TIMEOUT_MS = 8 * 60_000;

/** Lets n8n, a database and the service work together for a time in which much goes wrong, and compares the data. */
export async function runSoak({
	minutes,
	seed,
	target,
	log,
	evidenceFile,
}: SoakOptions): Promise<SoakReport> {
	const isShort = minutes < 10;
	const service = await startService();
	const postgres = await startPostgres().catch(async (error: unknown) => {
		await service.close();
		throw error;
	});
	let close = async () => {
		await postgres.close();
		await service.close();
	};
	let week: Week | undefined;
	let monitor: Monitor | undefined;
	try {
		for (const statement of TABLES) await postgres.query(statement);
		const n8n = await startN8n({ N8N_METRICS: 'true', N8N_LOG_LEVEL: 'info' }, target);
		const closeOthers = close;
		close = async () => {
			await n8n.close();
			await closeOthers();
		};
		const { rest } = n8n;
		const workflows = new Workflows(rest);
		const random = (purpose: string) => seededRandom('soak', seed, purpose);
		week = new Week(service, random('week'), isShort ? 6 : 1);

		const credential = async (type: string, data: object): Promise<Credentials> => {
			const { id } = await rest.post<{ id: string }>('/rest/credentials', { name: type, type, data });
			return { [type]: { id, name: type } };
		};
		const { baseUrl } = service.sandbox;
		const prospector = await credential('prospectorApi', { baseUrl, apiKey: service.secret });
		const database = await credential('postgres', postgres.credential);
		const files = pipelines({
			...{ prospector, postgres: database, daily: week.daily, isShort },
			startedAt: service.clock.startedAt,
		});
		const ids = {} as Record<PipelineName, string>;
		for (const name of Object.keys(files) as PipelineName[]) {
			const saved = await workflows.create(files[name], SETTINGS[name]);
			ids[name] = saved.id;
			await workflows.activate(saved);
		}
		await eventually('the first polls', () => service.journal().length >= 2);
		await pause(3000);

		const underTest = new N8nUnderTest(n8n);
		monitor = new Monitor(underTest, { newResults: ids.newResults, failedRuns: ids.failedRuns });
		monitor.start();
		const disturbances = new Disturbances({
			...{ service, week, n8n: underTest, postgres, prospector, log },
			...{ random: random('disturbances'), maxSeconds: isShort ? 10 : 60 },
		});
		log(`The week begins: ${minutes} minutes.`);
		week.start();
		await disturbances.run(minutes * 60_000);
		week.stop();
		const endedAt = Date.now();
		const expected = await service.readResults();
		log(`The week is over: ${expected.size} results. n8n catches up, and a person retries executions.`);
		// Runs without changes are checked less and less often, so half a day passes.
		service.control.advanceClock(12 * HOUR_MS);

		const deletedWorkflows = new Set(week.deletions.map(({ workflowId }) => workflowId));
		const deletedRuns = new Set(
			service.control
				.runs()
				.runs.filter(({ workflowId }) => deletedWorkflows.has(workflowId))
				.map(({ id }) => id),
		);
		const person = new Person(rest);
		let left: Unfinished[] = [];
		const isComplete = async () => {
			left = await person.retryAll(Object.values(ids));
			const rows = await postgres.query<{ id: string }>('SELECT DISTINCT result_id AS id FROM deliveries');
			const delivered = new Set(rows.map(({ id }) => id));
			const known = monitor?.knownRuns.get('newResults');
			const isReadable = (runId: string) => known?.has(runId) || !deletedRuns.has(runId);
			const missing = [...expected.values()].filter(
				({ id, runId }) => !delivered.has(id) && isReadable(runId),
			).length;
			log(`  ${missing} results are not there yet (${Math.round((Date.now() - endedAt) / 1000)} s)`);
			await pause(5000);
			return missing === 0;
		};
		await eventually('every result', isComplete, isShort ? 120_000 : CATCH_UP_TIMEOUT_MS).catch(() => {});
		const catchUpSeconds = Math.round((Date.now() - endedAt) / 1000);
		await pause(isShort ? 12_000 : 60_000);
		await monitor.sample();
		await monitor.stop();

		const inactive: string[] = [];
		for (const name of Object.keys(ids) as PipelineName[]) {
			const { active } = await workflows.get(ids[name]);
			if (!active) inactive.push(name);
			await workflows.deactivate({ id: ids[name] });
		}
		const listAll = async () => {
			const lists = await Promise.all(Object.values(ids).map(async (id) => await listExecutions(rest, id)));
			return lists.flat();
		};
		await eventually(
			'the last executions',
			async () => (await listAll()).every(({ status }) => !['new', 'running'].includes(status)),
			180_000,
		).catch(() => {});
		left = await person.retryAll(Object.values(ids));
		const all = await listAll();
		const evidence: Evidence = {
			...{ service, postgres, expected, left, inactive, endedAt },
			...{ kills: underTest.kills, deletions: week.deletions, knownRuns: monitor.knownRuns },
			executions: new Map(all.map((each) => [each.id, each])),
		};
		const verdict = await judge(evidence);
		if (evidenceFile !== undefined) await saveEvidence(evidenceFile, evidence, verdict, n8n.log());
		const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
		const executions: SoakReport['executions'] = {};
		for (const { workflowId, status } of all) {
			const counts = (executions[names.get(workflowId) ?? ''] ??= {});
			counts[status] = (counts[status] ?? 0) + 1;
		}
		return {
			...{ minutes, seed, n8n: target.version, verdict, executions, catchUpSeconds },
			counts: disturbances.counts,
			deletedWithUnfinishedRuns: week.deletions.filter((each) => each.hasUnfinishedRuns).length,
			runs: service.control.runs().runs.length,
			requests: count(service.journal().map(({ status }) => String(status ?? 0))),
			retriesLogged: n8n.log().split('Trying again').length - 1,
			skippedPolls: n8n.log().split('so this one is skipped').length - 1,
			retriedByHand: count(person.retried.map(({ node, message }) => `${node}: ${withoutDetails(message)}`)),
			samples: monitor.samples,
		};
	} finally {
		week?.stop();
		await monitor?.stop();
		await close();
	}
}

function count(list: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const each of list.sort()) counts[each] = (counts[each] ?? 0) + 1;
	return counts;
}

/** Removes what differs between messages of the same kind. */
const withoutDetails = (message: string) =>
	message
		.replace(/ \(request \w+\)/g, '')
		.replace(/(?:wf|run|res|req)_\w+/g, '…')
		.replace(/:\d+$/, '');
