/* eslint-disable @n8n/community-nodes/require-node-api-error -- not published */
import type { Company } from './companies';
import { ApiError, ControlError } from './errors';
import type { ServiceState } from './serviceState';
import type { Fields } from './settings';
import type { Appearance } from './store';
import type { AppearanceSeed, ResultSeed, RunSeed, SeedOutcome, SeedRequest, WorkflowSeed } from './types';
import { isJson, isObject, isIntegerBetween, MAX_SEED_COUNT } from './values';

const MIN_TIME_MS = Date.parse('0001-01-01T00:00:00.000Z');
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z');
const COUNT = `a whole number from 0 to ${MAX_SEED_COUNT}`;

/**
 * Adds data without using the API. If an entry is invalid, the entries before it stay.
 * @throws ControlError 400 on an invalid seed, 404 on an unknown workflow or run ID
 */
export function addSeed(state: ServiceState, request: SeedRequest): SeedOutcome {
	const unknown = Object.keys(request).find((field) => !['workflows', 'runs', 'results'].includes(field));
	if (unknown !== undefined) {
		throw new ControlError(400, `Unknown field "${unknown}". Fields: workflows, runs, results.`);
	}
	const outcome: SeedOutcome = { workflows: [], runs: [], results: [] };
	try {
		for (const workflow of toArray(request.workflows, 'workflows')) addWorkflow(state, workflow, outcome);
		for (const run of toArray(request.runs, 'runs')) addRun(state, run, outcome);
		for (const result of toArray(request.results, 'results')) addResults(state, result, outcome);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		throw new ControlError(error.status === 404 ? 404 : 400, `Invalid seed: ${error.reason}.`);
	}
	return outcome;
}

function addWorkflow(state: ServiceState, seed: WorkflowSeed, outcome: SeedOutcome): void {
	requireThat(
		seed.fields === undefined || (isObject(seed.fields) && isJson(seed.fields)),
		'fields',
		'a JSON object',
	);
	const number = state.store.workflows.size + 1;
	const body: Fields = { name: `Seeded workflow ${number}`, ...seed.fields };
	if (seed.name !== undefined) body.name = seed.name;
	if (seed.status !== undefined) body.status = seed.status;
	const companies = toArray(seed.companies, 'companies').map(readCompany);
	const { id } = state.store.createWorkflow(body, 'seed', readAppearance(seed), companies);
	outcome.workflows.push(id);
	for (const run of toArray(seed.runs, 'runs')) addRun(state, { ...run, workflowId: id }, outcome);
}

function addRun({ store, settings }: ServiceState, seed: RunSeed, outcome: SeedOutcome): void {
	const { results, status, live } = seed;
	requireThat(typeof seed.workflowId === 'string', 'workflowId', "the ID of the run's workflow");
	requireThat(results === undefined || isIntegerBetween(results, 0, MAX_SEED_COUNT), 'results', COUNT);
	requireThat(status === undefined || isJson(status), 'status', 'JSON');
	requireThat(live === undefined || typeof live === 'boolean', 'live', 'true or false');
	const plan = store.planFor(seed.workflowId, results);
	const last = status === undefined ? plan.statuses[plan.statuses.length - 1] : status;
	const fixedPlan = { statuses: [last], stageMs: 0, results: plan.results };
	const run = store.startRun(seed.workflowId, {
		origin: 'seed',
		plan: seed.live ? { ...plan, statuses: [...settings.runStatuses.slice(0, -1), last] } : fixedPlan,
		...readAppearance(seed),
	});
	outcome.runs.push(run.id);
	outcome.results.push(...run.results.all().map(({ id }) => id));
}

function addResults({ store }: ServiceState, seed: ResultSeed, outcome: SeedOutcome): void {
	const { runId, count = 1 } = seed;
	requireThat(typeof runId === 'string', 'runId', "the ID of the result's run");
	requireThat(isIntegerBetween(count, 0, MAX_SEED_COUNT), 'count', COUNT);
	const company = readCompany(seed);
	const appearance = readAppearance(seed);
	const run = store.run(runId);
	for (let added = 0; added < count; added++) {
		outcome.results.push(store.addResult(run, appearance, company).id);
	}
}

function readCompany({ companyName, leadId }: Company): Company {
	requireThat(companyName === undefined || typeof companyName === 'string', 'companyName', 'a string');
	requireThat(leadId === undefined || typeof leadId === 'string', 'leadId', 'a string');
	return { companyName, leadId };
}

/** Expands a number to as many empty seeds. */
function toArray<T extends object>(value: number | T[] | undefined, name: string): T[] {
	if (value === undefined) return [];
	if (isIntegerBetween(value, 0, MAX_SEED_COUNT)) return Array.from({ length: value }, () => ({}) as T);
	requireThat(Array.isArray(value) && value.every(isObject), name, `an array of objects or ${COUNT}`);
	return value;
}

function readAppearance({ id, createdAt, visibleAt }: AppearanceSeed): Appearance {
	requireThat(id === undefined || isJson(id), 'id', 'JSON');
	return { id, createdAt: parseTime(createdAt, 'createdAt'), visibleAt: parseTime(visibleAt, 'visibleAt') };
}

function parseTime(given: string | undefined, field: string): number | undefined {
	if (given === undefined) return undefined;
	const ms = typeof given === 'string' ? Date.parse(given) : NaN;
	requireThat(ms >= MIN_TIME_MS && ms <= MAX_TIME_MS, field, 'an ISO 8601 time of the years 1 to 9999');
	return ms;
}

function requireThat(condition: boolean, field: string, requirement: string): asserts condition {
	if (!condition) throw new ControlError(400, `Invalid seed: "${field}" must be ${requirement}.`);
}
