import { ControlError } from './errors';
import { iso } from './ids';
import { runProgress } from './runProgress';
import { addSeed } from './seed';
import { mergeSettings } from './settingsCheck';
import type { RunRecord } from './store';
import type { Control, RunsSummary, RunTruth, SandboxState } from './types';
import { MAX_SPAN_MS, record } from './values';
import type { ServiceState } from './world';

export interface ControlHost {
	world(): ServiceState;
	renew(): void;
	/** How far the clock has been moved, in milliseconds. */
	ahead(): number;
	advance(ms: number): void;
	baseUrl(): string;
}

/** The verbs of the control API (see Control). */
export function createControlApi(host: ControlHost): Control {
	const world = () => host.world();
	const state = () => stateOf(world(), host.baseUrl());
	return {
		state,
		patchSettings(patch) {
			const { settings } = world();
			return { ...Object.assign(settings, mergeSettings(settings, patch)) };
		},
		seed: (request) => addSeed(world(), request),
		createKey: (key) => world().keys.create(key),
		rotateKey: (name) => world().keys.rotate(name),
		revokeKey: (name) => world().keys.revoke(name),
		faults: () => world().faults.list(),
		addFault: (rule) => world().faults.add(rule),
		clearFaults: (id) => world().faults.clear(id),
		journal: () => world().journal.list(),
		clearJournal: () => world().journal.clear(),
		runs: () => summarizeRuns(world()),
		setRunStatus(id, status) {
			const { store, clock } = world();
			if (typeof status !== 'string' || status === '') {
				throw new ControlError(400, '"status" must be a string of 1 character or more.');
			}
			if (!store.runs.get(id)) throw new ControlError(404, `There is no run "${id}".`);
			store.setRunStatus(id, status);
			return runTruth(store.run(id), clock());
		},
		reset() {
			host.renew();
			return state();
		},
		advanceClock(ms) {
			if (!Number.isFinite(ms) || ms < 0) throw new ControlError(400, '"ms" must be a number from 0.');
			if (host.ahead() + ms > MAX_SPAN_MS) {
				throw new ControlError(400, '"ms" may add up to 100 years: reset the sandbox to start again.');
			}
			host.advance(ms);
			return { now: iso(world().clock()) };
		},
	};
}

function stateOf(world: ServiceState, baseUrl: string): SandboxState {
	const { store, keys, journal, faults, settings, clock } = world;
	const runs = summarizeRuns(world);
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
		perWorkflow: record(perWorkflow),
		runs: runs.map((run) => runTruth(run, now)),
	};
}

function runTruth(run: RunRecord, now: number): RunTruth {
	return {
		id: run.id,
		workflowId: run.workflowId,
		status: runProgress(run.plan, now - run.createdAt).status,
		createdAt: iso(run.createdAt),
		origin: run.origin,
		idempotencyKey: run.idempotencyKey,
		results: run.results.all().filter((result) => result.createdAt <= now).length,
		resultsInTheEnd: run.results.size,
	};
}
