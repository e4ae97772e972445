import { ApiError, ControlError } from './errors';
import type { Fields } from './settings';
import type { ResultSeed, RunSeed, SeedOutcome, SeedRequest, WorkflowSeed } from './types';
import type { World } from './world';

const HOUR_MS = 3_600_000;

/** What a fresh sandbox shows: three workflows with finished runs, and a paused one without any. */
export function seedDemo(world: World): void {
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
export function addSeed(world: World, request: SeedRequest): SeedOutcome {
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

function addWorkflow(world: World, seed: WorkflowSeed, outcome: SeedOutcome): void {
	const { store, clock } = world;
	const number = store.workflows.size + 1;
	const body: Fields = { name: `Seeded workflow ${number}`, ...seed.fields };
	if (seed.name !== undefined) body.name = seed.name;
	if (seed.status !== undefined) body.status = seed.status;
	const { id } = store.createWorkflow(body, 'seed', time(seed.createdAt) ?? clock());
	outcome.workflows.push(id);
	for (const run of many(seed.runs, 'runs')) addRun(world, { ...run, workflowId: id }, outcome);
}

function addRun({ store, settings }: World, seed: RunSeed, outcome: SeedOutcome): void {
	if (seed.workflowId === undefined) throw new ControlError(400, 'Bad seed: a run needs a "workflowId".');
	const { results } = seed;
	if (results !== undefined && !(Number.isInteger(results) && results >= 0)) {
		throw new ControlError(400, 'Bad seed: "results" of a run must be a whole number.');
	}
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

function addResults({ store, clock }: World, seed: ResultSeed, outcome: SeedOutcome): void {
	const run = store.run(seed.runId);
	for (let added = 0; added < (seed.count ?? 1); added++) {
		outcome.results.push(store.addResult(run, time(seed.createdAt) ?? clock(), seed).id);
	}
}

/** A number stands for that many empty seeds. */
function many<T extends object>(given: number | T[] | undefined, name: string): T[] {
	if (given === undefined) return [];
	if (typeof given === 'number' && Number.isInteger(given) && given >= 0) {
		return Array.from({ length: given }, () => ({}) as T);
	}
	if (Array.isArray(given) && given.every((item) => typeof item === 'object' && item !== null)) return given;
	throw new ControlError(
		400,
		`Bad seed: "${name}" must be an array of objects, or a number where that is allowed.`,
	);
}

function time(given: string | undefined): number | undefined {
	if (given === undefined) return undefined;
	const ms = Date.parse(given);
	if (Number.isNaN(ms)) throw new ControlError(400, 'Bad seed: "createdAt" must be an ISO 8601 time.');
	return ms;
}
