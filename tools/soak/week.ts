import { happens, randomInteger, randomOne } from './random';
import { repeat } from './serial';
import type { Service } from './service';
import { HOUR_MS, SPEED } from './time';

const TICK_MS = 500;

/** What happens per simulated hour in a whole week. */
const RATES = { run: 1, appended: 0.6, statusChange: 0.25, workflow: 0.07 };

/** Late results of a finished run are found for a day after its last change, so these come earlier. */
const LATE_RESULTS_MS = 12 * HOUR_MS;

const MIN_WORKFLOWS = 4;
const MAX_WORKFLOWS = 7;

interface Run {
	id: string;
	workflowId: string;
	/** Infinity while nobody knows. */
	finishedAt: number;
}

export interface Deletion {
	workflowId: string;
}

/** What other people do in the service: runs that start, find results, wait, fail; late results; bursts; deletions. */
export class Week {
	/** The Prospector workflow of the scheduled runs, which nobody deletes. */
	readonly daily: string;
	readonly deletions: Deletion[] = [];
	private workflows: string[] = [];
	private runs: Run[] = [];
	private lastTick = 0;

	constructor(private readonly service: Service) {
		this.daily = this.createWorkflow('Daily');
		for (let i = 0; i < MIN_WORKFLOWS; i++) this.workflows.push(this.createWorkflow(`Campaign ${i}`));
	}

	/** Starts the week. After `close`, nothing new is started, but unfinished runs continue. */
	start() {
		this.lastTick = Date.now();
		return repeat(TICK_MS, async () => this.tick());
	}

	/** Deletes a Prospector workflow, with unfinished runs if there is one. */
	async deleteWorkflow(): Promise<void> {
		const now = this.service.clock.now();
		const isUnfinished = (id: string) =>
			this.runs.some(({ workflowId, finishedAt }) => workflowId === id && finishedAt > now);
		const candidates = this.workflows.filter((id) => this.runs.some(({ workflowId }) => workflowId === id));
		const unfinished = candidates.filter(isUnfinished);
		const workflowId = randomOne(unfinished.length > 0 && happens(0.7) ? unfinished : candidates);
		if (workflowId === undefined) return;
		this.deletions.push({ workflowId });
		this.workflows = this.workflows.filter((id) => id !== workflowId);
		await this.service.deleteWorkflow(workflowId);
		if (this.workflows.length < MIN_WORKFLOWS) this.addWorkflow();
	}

	/** A run finds hundreds of results at once. */
	burst(): void {
		const run = randomOne(this.growing()) ?? this.startRun();
		this.append(run, randomInteger(100, 300));
	}

	private tick(): void {
		const hours = ((Date.now() - this.lastTick) * SPEED) / HOUR_MS;
		this.lastTick = Date.now();
		if (happens(RATES.run * hours)) this.startRun();
		if (happens(RATES.workflow * hours) && this.workflows.length < MAX_WORKFLOWS) this.addWorkflow();
		const growing = this.growing();
		if (growing.length === 0) return;
		if (happens(RATES.appended * hours)) this.append(randomOne(growing), randomInteger(1, 5));
		if (happens(RATES.statusChange * hours)) this.changeStatus(randomOne(growing));
	}

	/** Runs that can still get results. */
	private growing(): Run[] {
		const now = this.service.clock.now();
		return this.runs.filter(({ finishedAt }) => now - finishedAt < LATE_RESULTS_MS);
	}

	private append({ id }: Run, count: number): void {
		this.service.control.seed({ results: [{ runId: id, count }] });
	}

	/** An unfinished run waits for somebody, or ends. */
	private changeStatus(run: Run): void {
		const { clock, control } = this.service;
		if (run.finishedAt < clock.now()) return;
		const status = randomOne(['waiting', 'completed', 'completed', 'failed']);
		control.setRunStatus(run.id, status);
		run.finishedAt = status === 'waiting' ? Infinity : clock.now();
	}

	private startRun(): Run {
		const { clock, control } = this.service;
		const workflowId = randomOne([...this.workflows, this.daily]);
		const isLong = happens(0.4);
		const { runStageMs } = control.state().settings;
		// Some runs take more than a day.
		const stageHours = isLong ? randomInteger(2, happens(0.25) ? 30 : 6) : randomInteger(1, 4) / 4;
		const stageMs = stageHours * HOUR_MS;
		control.patchSettings({ runStageMs: stageMs });
		const status = happens(0.15) ? 'failed' : 'completed';
		const results = randomInteger(0, isLong ? 60 : 30);
		const [id] = control.seed({ runs: [{ workflowId, live: true, status, results }] }).runs;
		control.patchSettings({ runStageMs });
		const run = { id, workflowId, finishedAt: clock.now() + 2 * stageMs };
		this.runs.push(run);
		return run;
	}

	private addWorkflow(): void {
		this.workflows.push(this.createWorkflow(`Campaign ${this.service.clock.now()}`));
	}

	private createWorkflow(name: string): string {
		return this.service.control.seed({ workflows: [{ name }] }).workflows[0];
	}
}
