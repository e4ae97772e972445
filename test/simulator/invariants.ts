import type { TriggerState } from '../../nodes/Prospector/trigger/state';
import { Turns } from '../built';
import { fromDist } from '../fromDist';

const { parseState, serializeState } = fromDist<typeof import('../../nodes/Prospector/trigger/state')>(
	'nodes/Prospector/trigger/state.js',
);

const MAX_STATE_BYTES = 1_000_000;
const MAX_AHEAD_MS = 600_000;

/** Returns the rules that a stored state violates. @param latestMs the later one of the service's and n8n's clock */
export async function checkInvariants(stateText: string, latestMs: number): Promise<string[]> {
	const bytes = Buffer.byteLength(JSON.stringify(stateText));
	if (bytes > MAX_STATE_BYTES) return [`the state has ${bytes} bytes`];
	const turns = new Turns({ now: () => 0 });
	const state = await parseState(stateText, turns);
	if (state === undefined) return ["the state can't be parsed"];
	const violations = findLateTimes(state, latestMs + MAX_AHEAD_MS, 'state');
	const serialized = await serializeState(state, turns);
	if (serialized.stateText !== stateText) violations.push('the state is serialized to another text');
	for (const { runs } of state.workflows.values()) {
		for (const [runId, run] of runs) {
			if ((run.nextCheckAtMs === undefined) !== (run.changedAtMs === undefined))
				violations.push(`run ${runId} has only one of the times of a watched run`);
		}
	}
	return violations;
}

/** Finds the times of items after `latestMs`. When something was read may be, after n8n's clock was set back. */
function findLateTimes(value: unknown, latestMs: number, path: string): string[] {
	if (typeof value === 'number') {
		const isItemTime = /[cC]reatedAtMs|ignoreBeforeMs/.test(path);
		return isItemTime && value > latestMs ? [`${path} is ${new Date(value).toISOString()}`] : [];
	}
	if (typeof value !== 'object' || value === null) return [];
	const entries = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
	return entries.flatMap(([name, one]) => findLateTimes(one, latestMs, `${path}.${name}`));
}

/** Returns before which time the trigger may have forgotten a run (`workflow`), or a result (`workflow run`), by ID. */
export function readBounds(state: TriggerState | undefined): Map<string, number> {
	const bounds = new Map<string, number>();
	for (const [id, { ignoreBeforeMs, runs }] of state?.workflows ?? []) {
		bounds.set(id, ignoreBeforeMs);
		for (const [runId, run] of runs) bounds.set(`${id} ${runId}`, run.ignoreBeforeMs ?? 0);
	}
	return bounds;
}
