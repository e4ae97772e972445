import { ControlError } from './errors';
import { renderExactJson } from './exactJson';
import { iso } from './ids';
import { mergeSettings } from './mergeSettings';
import { runProgress } from './runProgress';
import { addSeed } from './seed';
import type { ServiceState } from './serviceState';
import type { RunRecord } from './store';
import type { Control, RunsSummary, RunSummary, SandboxState } from './types';
import { copyWithoutPrototype, isJson, MAX_SPAN_MS } from './values';

export interface ControlHost {
	state(): ServiceState;
	reset(): void;
	clockOffsetMs(): number;
	advanceClock(ms: number): void;
	baseUrl(): string;
}

export function createControlApi(host: ControlHost): Control {
	const describe = () => describeState(host.state(), host.baseUrl());
	return {
		state: describe,
		patchSettings(patch) {
			const { settings } = host.state();
			return { ...Object.assign(settings, mergeSettings(settings, patch)) };
		},
		seed: (request) => addSeed(host.state(), request),
		createKey: (key) => host.state().keys.create(key),
		rotateKey: (name) => host.state().keys.rotate(name),
		faults: () => host.state().faults.list(),
		addFault: (rule) => host.state().faults.add(rule),
		clearFaults: (id) => host.state().faults.clear(id),
		journal: () => host.state().journal.list(),
		clearJournal: () => host.state().journal.clear(),
		runs: () => summarizeRuns(host.state()),
		setRunStatus(id, status) {
			const { store, clock } = host.state();
			if (!isJson(status)) throw new ControlError(400, '"status" must be JSON.');
			requireFound(store.runs.get(id) !== undefined, 'run', id);
			store.setRunStatus(id, status);
			return summarizeRun(store.run(id), clock());
		},
		deleteRun: (id) => requireFound(host.state().store.deleteRun(id), 'run', id),
		deleteResult: (id) => requireFound(host.state().store.deleteResult(id), 'result', id),
		deleteWorkflow(id) {
			const { store } = host.state();
			requireFound(store.workflows.get(id) !== undefined, 'workflow', id);
			store.deleteWorkflow(id);
		},
		restoreWorkflow: (id) => requireFound(host.state().store.restoreWorkflow(id), 'deleted workflow', id),
		reset() {
			host.reset();
			return describe();
		},
		advanceClock(ms) {
			if (!Number.isFinite(ms) || ms < 0) {
				throw new ControlError(400, '"ms" must be a number of 0 or more.');
			}
			if (host.clockOffsetMs() + ms > MAX_SPAN_MS) {
				throw new ControlError(
					400,
					'"ms" would move the clock by more than 100 years: reset the sandbox first.',
				);
			}
			host.advanceClock(ms);
			return { now: iso(host.state().clock()) };
		},
	};
}

function requireFound(isFound: boolean, kind: string, id: string): void {
	if (!isFound) throw new ControlError(404, `There is no ${kind} "${id}".`);
}

function describeState(state: ServiceState, baseUrl: string): SandboxState {
	const { store, keys, journal, faults, settings, clock } = state;
	const runs = summarizeRuns(state);
	return {
		baseUrl,
		now: iso(clock()),
		settings: { ...settings },
		keys: keys.list(),
		counts: {
			workflows: store.workflows.size,
			workflowsCreated: store.workflowsCreated,
			workflowsDeleted: store.workflowsDeleted,
			runs: store.runs.size,
			runsStarted: runs.started,
			results: runs.runs.reduce((sum, run) => sum + run.results, 0),
			journal: journal.size,
			faults: faults.list().length,
		},
	};
}

function summarizeRuns({ store, clock }: ServiceState): RunsSummary {
	const now = clock();
	const perWorkflow = new Map<string, number>();
	const runs = store.runs.all();
	const requested = runs.filter((run) => run.origin === 'request');
	for (const { workflowId } of requested) {
		perWorkflow.set(workflowId, (perWorkflow.get(workflowId) ?? 0) + 1);
	}
	return {
		started: requested.length,
		seeded: runs.length - requested.length,
		perWorkflow: copyWithoutPrototype(perWorkflow),
		runs: runs.map((run) => summarizeRun(run, now)),
	};
}

function summarizeRun(run: RunRecord, now: number): RunSummary {
	const { status } = runProgress(run.plan, now - run.startedAt);
	return {
		id: run.id,
		workflowId: run.workflowId,
		status: typeof status === 'string' ? status : renderExactJson(status),
		createdAt: iso(run.createdAt),
		origin: run.origin,
		idempotencyKey: run.idempotencyKey,
		results: run.results.all().filter((result) => result.visibleAt <= now).length,
		finalResults: run.results.size,
	};
}
