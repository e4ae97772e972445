import { hasUsableId } from '../methods/pickable';
import { endpoints } from '../transport/endpoints';
import { pages } from '../transport/pagination';
import { noteTime, type Poll } from './poll';

/** Milliseconds for which a workflow that is not listed any more is remembered. */
const REMEMBERED = 30 * 24 * 3_600_000;

/**
 * The Prospector workflows of this poll, by id: those that were polled longest ago come first. Workflows that were
 * taken off the choice are forgotten.
 *
 * @throws NodeApiError when all are wanted and they cannot be listed
 */
export async function workflowsToPoll(work: Poll): Promise<string[]> {
	const { state, settings } = work;
	const chosen = settings.workflowIds ?? (await listedAndUnfinished(work));
	if (settings.workflowIds !== undefined) {
		for (const id of Object.keys(state.workflows)) if (!chosen.includes(id)) delete state.workflows[id];
	}
	const polledAt = (id: string) => state.workflows[id]?.polledAt ?? 0;
	return [...new Set(chosen)].sort((a, b) => polledAt(a) - polledAt(b));
}

/** Also those that are no longer listed, while one of their runs may still bring something. */
async function listedAndUnfinished(work: Poll): Promise<string[]> {
	const { client, settings, state, now } = work;
	const listed = new Set<string>();
	for await (const { resources } of pages(
		client,
		{ endpoint: endpoints.listWorkflows },
		{ pageSize: settings.pageSize },
	)) {
		for (const workflow of resources.filter(hasUsableId)) {
			listed.add(String(workflow.id));
			noteTime(work, workflow);
		}
	}
	const unlisted = Object.entries(state.workflows).filter(([id]) => !listed.has(id));
	for (const [id, { polledAt }] of unlisted) if (now - polledAt > REMEMBERED) delete state.workflows[id];
	const unfinished = unlisted.filter(([, { watched }]) => Object.keys(watched).length > 0);
	return [...listed, ...unfinished.map(([id]) => id)];
}
