import { companyName } from './companies';
import { ApiError } from './errors';
import { digest, idMaker } from './ids';
import { Collection } from './paging';
import type { Listed } from './paging';
import { resultOffset, runProgress } from './runProgress';
import type { RunPlan } from './runProgress';
import type { Fields, SandboxSettings } from './settings';
import type { Clock } from './types';
import { record } from './values';

export type Origin = 'request' | 'seed';

export interface WorkflowRecord extends Listed {
	updatedAt: number;
	name: string;
	status: string;
	/** What else the bodies held. */
	fields: Fields;
	origin: Origin;
}

export interface ResultRecord extends Listed {
	/** `createdAt` may lie ahead: until then the result is not there. */
	leadId: string;
	companyName: string;
}

export interface RunRecord extends Listed {
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

// The service sets these itself; the contract does not say what it does with such a body field.
const SET_BY_SERVICE = ['id', 'object', 'created_at', 'updated_at'];

/** The prospector data of the workspace. Every change is made in one turn, so none is ever half done. */
export class Store {
	readonly workflows = new Collection<WorkflowRecord>();
	readonly runs = new Collection<RunRecord>();
	readonly configCreatedAt: number;
	workflowsCreated = 0;
	workflowsDeleted = 0;
	private readonly runsByWorkflow = new Map<string, Collection<RunRecord>>();
	private readonly workflowId = idMaker('wf');
	private readonly runId = idMaker('run');
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

	/** Runs of a workflow, also of a deleted one. */
	runsOf(workflowId: string): Collection<RunRecord> {
		let runs = this.runsByWorkflow.get(workflowId);
		if (!runs) this.runsByWorkflow.set(workflowId, (runs = new Collection()));
		return runs;
	}

	/** @throws ApiError 400 when name or status is no string */
	createWorkflow(body: Fields, origin: Origin, createdAt = this.clock()): WorkflowRecord {
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
		});
	}

	/** Changes what the body names and leaves the rest. @throws ApiError 400, 404 */
	updateWorkflow(id: string, body: Fields): WorkflowRecord {
		const workflow = this.workflow(id);
		const { name, status, fields } = readBody(body);
		workflow.name = name ?? workflow.name;
		workflow.status = status ?? workflow.status;
		workflow.fields = record([...Object.entries(workflow.fields), ...Object.entries(fields)]);
		workflow.updatedAt = this.clock();
		return workflow;
	}

	/** Gives the workflow as it was deleted; its runs stay. @throws ApiError 404 */
	deleteWorkflow(id: string): WorkflowRecord {
		const workflow = this.workflow(id);
		workflow.status = this.settings.deletedWorkflowStatus ?? workflow.status;
		workflow.updatedAt = this.clock();
		this.workflows.remove(id);
		this.workflowsDeleted++;
		return workflow;
	}

	/** @throws ApiError 404 when there is no such workflow */
	startRun(workflowId: string, start: RunStart): RunRecord {
		this.workflow(workflowId);
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
			this.addResult(run, run.createdAt + resultOffset(plan, index));
		}
		this.runsOf(workflowId).add(run);
		return this.runs.add(run);
	}

	/** A run's status from now on, whatever was planned. @throws ApiError 404 */
	setRunStatus(id: string, status: string): void {
		const run = this.run(id);
		const elapsed = Math.max(this.clock() - run.createdAt, 0);
		const before = runProgress(run.plan, elapsed).status;
		run.plan = { ...run.plan, statuses: [before, status], stageMs: elapsed };
	}

	addResult(run: RunRecord, createdAt: number, given: { leadId?: string; companyName?: string } = {}) {
		const name = `${run.id}:${run.results.size + 1}`;
		return run.results.add({
			id: `res_${digest(`result:${name}`)}`,
			sequence: ++this.sequence,
			createdAt,
			leadId: given.leadId ?? `lead_${digest(`lead:${name}`)}`,
			companyName: given.companyName ?? companyName(name),
		});
	}

	/** The plan of a run that is started now. */
	planFor(workflowId: string, results = this.settings.resultsPerRun): RunPlan {
		const statuses = [...this.settings.runStatuses];
		const ending = new Map(Object.entries(this.settings.runEndings)).get(workflowId);
		if (ending !== undefined) statuses[statuses.length - 1] = ending;
		return { statuses, stageMs: this.settings.runStageMs, results };
	}
}

function readBody(body: Fields): { name?: string; status?: string; fields: Fields } {
	const { name, status, ...rest } = body;
	for (const [field, value] of Object.entries({ name, status })) {
		// Responses type both as strings (contract 2.3), so nothing else can be taken in.
		if (value !== undefined && typeof value !== 'string') throw new ApiError(400, `${field} is no string`);
	}
	const fields = record(Object.entries(rest).filter(([field]) => !SET_BY_SERVICE.includes(field)));
	return { name: name as string | undefined, status: status as string | undefined, fields };
}
