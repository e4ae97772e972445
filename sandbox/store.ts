import { inventCompanyName, type Company } from './companies';
import { ApiError } from './errors';
import { digest, createIdGenerator } from './ids';
import { Collection } from './pagination';
import type { ListItem } from './pagination';
import { resultOffset, runProgress } from './runProgress';
import type { RunPlan } from './runProgress';
import type { Fields, SandboxSettings } from './settings';
import type { Clock } from './types';
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

/** Not visible before `createdAt`, which can be in the future. */
export interface ResultRecord extends ListItem {
	leadId: string;
	companyName: string;
}

export interface RunRecord extends ListItem {
	workflowId: string;
	plan: RunPlan;
	results: Collection<ResultRecord>;
	origin: Origin;
	idempotencyKey: string | null;
}

export interface RunStart {
	origin: Origin;
	plan?: RunPlan;
	createdAt?: number;
	idempotencyKey?: string | null;
}

// Ignored in request bodies. The contract doesn't say how the service treats them.
const SET_BY_SERVICE = ['id', 'object', 'created_at', 'updated_at'];

/** The prospector data of the workspace. All changes are synchronous, so that no request sees a part of one. */
export class Store {
	readonly workflows = new Collection<WorkflowRecord>();
	readonly runs = new Collection<RunRecord>();
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
		createdAt = this.clock(),
		companies: readonly Company[] = [],
	): WorkflowRecord {
		const { name, status, fields } = readBody(body);
		if (origin === 'request') this.workflowsCreated++;
		return this.workflows.add({
			id: this.workflowId(),
			sequence: ++this.sequence,
			createdAt,
			updatedAt: createdAt,
			name: name ?? this.settings.workflowName,
			status: status ?? this.settings.workflowStatus,
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
	 * Deletes a workflow but not its runs. Returns its last state.
	 * @throws ApiError 404
	 */
	deleteWorkflow(id: string): WorkflowRecord {
		const workflow = this.workflow(id);
		workflow.status = this.settings.deletedWorkflowStatus ?? workflow.status;
		workflow.updatedAt = this.clock();
		this.workflows.remove(id);
		this.workflowsDeleted++;
		return workflow;
	}

	/** @throws ApiError 404 */
	startRun(workflowId: string, start: RunStart): RunRecord {
		const workflow = this.workflow(workflowId);
		const plan = start.plan ?? this.planFor(workflowId);
		const run: RunRecord = {
			id: this.runId(),
			sequence: ++this.sequence,
			createdAt: start.createdAt ?? this.clock(),
			workflowId,
			plan,
			results: new Collection(),
			origin: start.origin,
			idempotencyKey: start.idempotencyKey ?? null,
		};
		for (let index = 0; index < plan.results; index++) {
			this.addResult(run, run.createdAt + resultOffset(plan, index), nextCompany(workflow));
		}
		this.runsOf(workflowId).add(run);
		return this.runs.add(run);
	}

	/**
	 * Sets a run's status from now on, instead of the planned statuses.
	 * @throws ApiError 404
	 */
	setRunStatus(id: string, status: string): void {
		const run = this.run(id);
		const elapsed = Math.max(this.clock() - run.createdAt, 0);
		const previous = runProgress(run.plan, elapsed).status;
		run.plan = { ...run.plan, statuses: [previous, status], stageMs: elapsed };
	}

	addResult(run: RunRecord, createdAt: number, fields: Company = {}) {
		const seed = `${run.id}:${run.results.size + 1}`;
		return run.results.add({
			id: `res_${digest(`result:${seed}`)}`,
			sequence: ++this.sequence,
			createdAt,
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
		// Contract 2.3 types both as strings in responses, so only strings can be stored.
		if (value !== undefined && typeof value !== 'string') throw new ApiError(400, `${field} is not a string`);
	}
	const fields = copyWithoutPrototype(
		Object.entries(rest).filter(([field]) => !SET_BY_SERVICE.includes(field)),
	);
	return { name: name as string | undefined, status: status as string | undefined, fields };
}
