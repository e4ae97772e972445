import { hasUsableId } from '../methods/pickable';
import { endpoints } from '../transport/endpoints';
import { pages } from '../transport/pagination';
import { noteTime, type Poll } from './pollUnderWay';
import type { TriggerState } from './triggerState';

/** Milliseconds for which a workflow that is not listed any more is remembered. */
const REMEMBERED = 30 * 24 * 3_600_000;

/**
 * The Prospector workflows of this poll, by id: those that were tried longest ago come first, so that one that cannot
 * be read keeps back no other. Workflows that were taken off the choice are forgotten.
 *
 * @throws NodeApiError when all are wanted and they cannot be listed
 */
export async function workflowsToPoll(work: Poll): Promise<string[]> {
	const { state, settings } = work;
	const ids = new Set(settings.workflowIds ?? (await listedAndUnfinished(work)));
	if (!state.hasBegun && !settings.startWithExisting) state.toBegin = [...ids];
	state.hasBegun = true;
	state.toBegin = state.toBegin.filter((id) => ids.has(id));
	if (settings.workflowIds !== undefined) forget(state, (id) => !ids.has(id));
	const triedAt = (id: string) => state.triedAt[id] ?? 0;
	return [...ids].sort((a, b) => triedAt(a) - triedAt(b));
}

/** Also those that are no longer listed, while one of their runs may still bring something. */
async function listedAndUnfinished(work: Poll): Promise<string[]> {
	const { client, settings, state, now } = work;
	const call = { endpoint: endpoints.listWorkflows };
	const listed = new Set<string>();
	for await (const { resources } of pages(client, call, { pageSize: settings.pageSize })) {
		for (const workflow of resources.filter(hasUsableId)) {
			listed.add(String(workflow.id));
			noteTime(work, workflow);
		}
	}
	forget(state, (id) => !listed.has(id) && now - (state.triedAt[id] ?? 0) > REMEMBERED);
	const unlisted = Object.entries(state.workflows).filter(([id]) => !listed.has(id));
	const unfinished = unlisted.filter(([, { watched }]) => Object.keys(watched).length > 0);
	return [...listed, ...unfinished.map(([id]) => id)];
}

function forget({ workflows, triedAt }: TriggerState, isForgotten: (id: string) => boolean): void {
	for (const id of Object.keys({ ...workflows, ...triedAt }).filter(isForgotten)) {
		delete workflows[id];
		delete triedAt[id];
	}
}
