import { ApiError, ControlError } from './errors';
import type { Fields } from './settings';
import type { ResultSeed, RunSeed, SeedOutcome, SeedRequest, WorkflowSeed } from './types';
import { isJson, isObject, isWhole, MAX_SEEDED } from './values';
import type { ServiceState } from './world';

const HOUR_MS = 3_600_000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const COUNT = `a whole number from 0 to ${MAX_SEEDED}`;

/** What a fresh sandbox shows: three workflows with finished runs, and a paused one without any. */
export function seedDemo(world: ServiceState): void {
	const now = world.clock();
	const ago = (hours: number) => new Date(now - hours * HOUR_MS).toISOString();
	addSeed(world, {
		workflows: [
			{
				name: 'SaaS founders in Germany',
				createdAt: ago(30 * 24),
				fields: { description: 'Founders of software companies with 10 to 50 people' },
				runs: [
					{ createdAt: ago(49), live: true, results: 12 },
					{ createdAt: ago(25), live: true, results: 8 },
				],
			},
			{
				name: 'Logistics leads, Benelux',
				createdAt: ago(21 * 24),
				fields: { description: 'Heads of operations at freight and warehouse companies' },
				runs: [{ createdAt: ago(30), live: true, results: 15 }],
			},
			{
				name: 'Clinics opening this quarter',
				createdAt: ago(9 * 24),
				runs: [{ createdAt: ago(4), live: true, results: 5 }],
			},
			{ name: 'Trade fair follow-up', status: 'paused', createdAt: ago(3 * 24) },
		],
	});
}

/**
 * Adds data past the API: no key, no limit, no journal.
 * @throws ControlError 400 on a bad seed, 404 on an unknown workflow or run id; what came before it stays
 */
export function addSeed(world: ServiceState, request: SeedRequest): SeedOutcome {
	const stray = Object.keys(request).find((field) => !['workflows', 'runs', 'results'].includes(field));
	if (stray !== undefined) {
		throw new ControlError(400, `Unknown field "${stray}". There are: workflows, runs, results.`);
	}
	const outcome: SeedOutcome = { workflows: [], runs: [], results: [] };
	try {
		for (const workflow of many(request.workflows, 'workflows')) addWorkflow(world, workflow, outcome);
		for (const run of many(request.runs, 'runs')) addRun(world, run, outcome);
		for (const result of many(request.results, 'results')) addResults(world, result, outcome);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		throw new ControlError(error.status === 404 ? 404 : 400, `Bad seed: ${error.reason}.`);
	}
	return outcome;
}

function addWorkflow(world: ServiceState, seed: WorkflowSeed, outcome: SeedOutcome): void {
	const { store, clock } = world;
	demand(
		seed.fields === undefined || (isObject(seed.fields) && isJson(seed.fields)),
		'fields',
		'a JSON object',
	);
	const number = store.workflows.size + 1;
	const body: Fields = { name: `Seeded workflow ${number}`, ...seed.fields };
	if (seed.name !== undefined) body.name = seed.name;
	if (seed.status !== undefined) body.status = seed.status;
	const { id } = store.createWorkflow(body, 'seed', time(seed.createdAt) ?? clock());
	outcome.workflows.push(id);
	for (const run of many(seed.runs, 'runs')) addRun(world, { ...run, workflowId: id }, outcome);
}

function addRun({ store, settings }: ServiceState, seed: RunSeed, outcome: SeedOutcome): void {
	const { results, status, live } = seed;
	demand(typeof seed.workflowId === 'string', 'workflowId', 'the id of the workflow of a run');
	demand(results === undefined || isWhole(results, 0, MAX_SEEDED), 'results', COUNT);
	demand(status === undefined || typeof status === 'string', 'status', 'a string');
	demand(live === undefined || typeof live === 'boolean', 'live', 'true or false');
	const plan = store.planFor(seed.workflowId, results);
	const last = seed.status ?? plan.statuses[plan.statuses.length - 1];
	const still = { statuses: [last], stageMs: 0, results: plan.results };
	const run = store.startRun(seed.workflowId, {
		origin: 'seed',
		plan: seed.live ? { ...plan, statuses: [...settings.runStatuses.slice(0, -1), last] } : still,
		createdAt: time(seed.createdAt),
	});
	outcome.runs.push(run.id);
	outcome.results.push(...run.results.all().map(({ id }) => id));
}

function addResults({ store, clock }: ServiceState, seed: ResultSeed, outcome: SeedOutcome): void {
	const { runId, count = 1, companyName, leadId } = seed;
	demand(typeof runId === 'string', 'runId', 'the id of the run of a result');
	demand(isWhole(count, 0, MAX_SEEDED), 'count', COUNT);
	demand(companyName === undefined || typeof companyName === 'string', 'companyName', 'a string');
	demand(leadId === undefined || typeof leadId === 'string', 'leadId', 'a string');
	const run = store.run(runId);
	for (let added = 0; added < count; added++) {
		outcome.results.push(store.addResult(run, time(seed.createdAt) ?? clock(), seed).id);
	}
}

/** A number stands for that many empty seeds. */
function many<T extends object>(given: number | T[] | undefined, name: string): T[] {
	if (given === undefined) return [];
	if (isWhole(given, 0, MAX_SEEDED)) return Array.from({ length: given }, () => ({}) as T);
	demand(Array.isArray(given) && given.every(isObject), name, `an array of objects or ${COUNT}`);
	return given;
}

function time(given: string | undefined): number | undefined {
	if (given === undefined) return undefined;
	const ms = typeof given === 'string' ? Date.parse(given) : NaN;
	demand(ms >= FIRST_MS && ms <= LAST_MS, 'createdAt', 'an ISO 8601 time of the years 1 to 9999');
	return ms;
}

/** @throws ControlError 400 unless the condition holds */
function demand(condition: boolean, field: string, what: string): asserts condition {
	if (!condition) throw new ControlError(400, `Bad seed: "${field}" must be ${what}.`);
}
