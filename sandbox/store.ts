import type { Clock } from './clock';
import { inventCompanyName, type Company } from './companies';
import { ApiError } from './errors';
import { digest, createIdGenerator } from './ids';
import { Collection } from './pagination';
import type { ListItem } from './pagination';
import { resultOffset, runProgress } from './runProgress';
import type { RunPlan } from './runProgress';
import type { Fields, SandboxSettings } from './settings';
import { copyWithoutPrototype } from './values';

export type Origin = 'request' | 'seed';

export interface WorkflowRecord extends ListItem {
	updatedAt: number;
	name: string;
	status: string;
	/** All other fields of the request bodies. */
	fields: Fields;
	origin: Origin;
	/** Found by its runs, one after the other. When all were found, their names repeat. */
	companies: readonly Company[];
	companiesFound: number;
}

export interface ResultRecord extends ListItem {
	leadId: string;
	companyName: string;
}

export interface RunRecord extends ListItem {
	workflowId: string;
	/** When the plan starts. Differs from `createdAt` if that is after `visibleAt`. */
	startedAt: number;
	plan: RunPlan;
	results: Collection<ResultRecord>;
	/** Including removed ones, so that IDs stay unique. */
	resultsAdded: number;
	origin: Origin;
	idempotencyKey: string | null;
}

/** What a seed can choose of any resource. */
export interface Appearance {
	/** Default: a new ID. */
	id?: unknown;
	/** Default now. */
	createdAt?: number;
	/** Default `createdAt`. */
	visibleAt?: number;
}

export interface RunStart extends Appearance {
	origin: Origin;
	plan?: RunPlan;
	idempotencyKey?: string | null;
}

// Ignored in request bodies. The contract doesn't say how the service treats them.
const SET_BY_SERVICE = ['id', 'object', 'created_at', 'updated_at'];

/** The prospector data of the workspace. All changes are synchronous, so that no request sees a part of one. */
export class Store {
	readonly workflows = new Collection<WorkflowRecord>();
	/** The last run with each ID. */
	readonly runs = new Collection<RunRecord>();
	/** Deleted workflows by ID, as before their deletion. */
	readonly deleted = new Map<string, WorkflowRecord>();
	readonly configCreatedAt: number;
	workflowsCreated = 0;
	workflowsDeleted = 0;
	private readonly runsByWorkflow = new Map<string, Collection<RunRecord>>();
	private readonly workflowId = createIdGenerator('wf');
	private readonly runId = createIdGenerator('run');
	private sequence = 0;

	constructor(
		private readonly clock: Clock,
		private readonly settings: SandboxSettings,
	) {
		this.configCreatedAt = clock();
	}

	/** @throws ApiError 404 */
	workflow(id: string): WorkflowRecord {
		const workflow = this.workflows.get(id);
		if (!workflow) throw new ApiError(404, 'no such workflow');
		return workflow;
	}

	/** @throws ApiError 404 */
	run(id: string): RunRecord {
		const run = this.runs.get(id);
		if (!run) throw new ApiError(404, 'no such run');
		return run;
	}

	/** Returns a workflow's runs, even if it was deleted. */
	runsOf(workflowId: string): Collection<RunRecord> {
		let runs = this.runsByWorkflow.get(workflowId);
		if (!runs) this.runsByWorkflow.set(workflowId, (runs = new Collection()));
		return runs;
	}

	/** @throws ApiError 400 if the name or status is not a string */
	createWorkflow(
		body: Fields,
		origin: Origin,
		appearance: Appearance = {},
		companies: readonly Company[] = [],
	): WorkflowRecord {
		const { name, status, fields } = readBody(body);
		if (origin === 'request') this.workflowsCreated++;
		const item = this.createItem(appearance, this.workflowId);
		return this.workflows.add({
			...item,
			updatedAt: item.createdAt,
			name: name ?? 'Untitled workflow',
			status: status ?? 'active',
			fields,
			origin,
			companies,
			companiesFound: 0,
		});
	}

	/** @throws ApiError 400, 404 */
	updateWorkflow(id: string, body: Fields): WorkflowRecord {
		const workflow = this.workflow(id);
		const { name, status, fields } = readBody(body);
		workflow.name = name ?? workflow.name;
		workflow.status = status ?? workflow.status;
		workflow.fields = copyWithoutPrototype([...Object.entries(workflow.fields), ...Object.entries(fields)]);
		workflow.updatedAt = this.clock();
		return workflow;
	}

	/**
	 * Deletes a workflow but not its runs. Returns it as the response shows it.
	 * @throws ApiError 404
	 */
	deleteWorkflow(id: string): WorkflowRecord {
		const workflow = this.workflow(id);
		this.workflows.remove(id);
		this.deleted.set(id, workflow);
		this.workflowsDeleted++;
		return { ...workflow, updatedAt: this.clock() };
	}

	/** Returns whether there was such a deleted workflow. */
	restoreWorkflow(id: string): boolean {
		const workflow = this.deleted.get(id);
		if (workflow) this.workflows.add(workflow);
		return this.deleted.delete(id);
	}

	/** Removes a run from all lists. Returns whether there was such a run. */
	deleteRun(id: string): boolean {
		for (const runs of this.runsByWorkflow.values()) runs.remove(id);
		return this.runs.remove(id);
	}

	/** Removes a result from the first run that has it. Returns whether there was such a result. */
	deleteResult(id: string): boolean {
		return this.runs.all().some(({ results }) => results.remove(id));
	}

	/** @throws ApiError 404 */
	startRun(workflowId: string, start: RunStart): RunRecord {
		const workflow = this.workflow(workflowId);
		const plan = start.plan ?? this.planFor(workflowId);
		const item = this.createItem(start, this.runId);
		const run: RunRecord = {
			...item,
			workflowId,
			startedAt: Math.min(item.createdAt, item.visibleAt),
			plan,
			results: new Collection(),
			resultsAdded: this.runs.get(item.id)?.resultsAdded ?? 0,
			origin: start.origin,
			idempotencyKey: start.idempotencyKey ?? null,
		};
		for (let index = 0; index < plan.results; index++) {
			const offsetMs = resultOffset(plan, index);
			const times = { createdAt: run.createdAt + offsetMs, visibleAt: run.visibleAt + offsetMs };
			this.addResult(run, times, nextCompany(workflow));
		}
		this.runsOf(workflowId).add(run);
		return this.runs.add(run);
	}

	/**
	 * Sets a run's status from now on, instead of the planned statuses.
	 * @throws ApiError 404
	 */
	setRunStatus(id: string, status: unknown): void {
		const run = this.run(id);
		const elapsed = Math.max(this.clock() - run.startedAt, 0);
		const previous = runProgress(run.plan, elapsed).status;
		run.plan = { ...run.plan, statuses: [previous, status], stageMs: elapsed };
	}

	addResult(run: RunRecord, appearance: Appearance = {}, fields: Company = {}): ResultRecord {
		const seed = `${run.id}:${++run.resultsAdded}`;
		return run.results.add({
			...this.createItem(appearance, () => `res_${digest(`result:${seed}`)}`),
			leadId: fields.leadId ?? `lead_${digest(`lead:${seed}`)}`,
			companyName: fields.companyName ?? inventCompanyName(seed),
		});
	}

	planFor(workflowId: string, results = this.settings.resultsPerRun): RunPlan {
		const statuses = [...this.settings.runStatuses];
		const finalStatus = new Map(Object.entries(this.settings.finalStatusByWorkflow)).get(workflowId);
		if (finalStatus !== undefined) statuses[statuses.length - 1] = finalStatus;
		return { statuses, stageMs: this.settings.runStageMs, results };
	}

	private createItem(appearance: Appearance, newId: () => string): ListItem {
		const { id: chosen, createdAt = this.clock(), visibleAt = createdAt } = appearance;
		const id = typeof chosen === 'string' && chosen !== '' ? chosen : newId();
		const shownId = chosen === undefined ? id : chosen;
		return { id, shownId, createdAt, visibleAt, sequence: ++this.sequence };
	}
}

function nextCompany(workflow: WorkflowRecord): Company {
	const { companies } = workflow;
	if (companies.length === 0) return {};
	const position = workflow.companiesFound++;
	const company = companies[position % companies.length];
	return position < companies.length ? company : { companyName: company.companyName };
}

function readBody(body: Fields): { name?: string; status?: string; fields: Fields } {
	const { name, status, ...rest } = body;
	for (const [field, value] of Object.entries({ name, status })) {
		// Both are text in responses (contract, section 2.3), so only text can be stored.
		if (value !== undefined && typeof value !== 'string') throw new ApiError(400, `${field} is not a string`);
	}
	const fields = copyWithoutPrototype(
		Object.entries(rest).filter(([field]) => !SET_BY_SERVICE.includes(field)),
	);
	return { name: name as string | undefined, status: status as string | undefined, fields };
}
