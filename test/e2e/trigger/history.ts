import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/types';
import type { Environment } from '../environment';
import { jsonOf, type Execution } from '../n8n/executions';

/** What has happened in the service, or what triggers have emitted, by event. */
export interface History {
	/** Sorted IDs. An ID that was emitted twice is listed twice. */
	newRun: string[];
	newResult: string[];
	runFailed: string[];
	/** The last status of each run. If a status change is missing, the text says where. */
	runStatusChanged: Record<string, string>;
}

export type Event = keyof History;

export const EVENTS: Event[] = ['newRun', 'newResult', 'runFailed', 'runStatusChanged'];

/** Returns what the sandbox says has happened to runs that are not in `before`. */
export async function readChanges(
	{ control, baseUrl, keys }: Sandbox,
	before: Set<string>,
): Promise<History> {
	const runs = control.runs().runs.filter(({ id }) => !before.has(id));
	const headers = { authorization: `Bearer ${keys.full}` };
	const results: string[] = [];
	for (const { id } of runs) {
		const url = `${baseUrl}/api/public/v1/prospector/runs/${id}/results?limit=100`;
		const response = await fetch(url, { headers });
		const { data } = (await response.json()) as { data: Array<{ id: string }> };
		results.push(...data.map((result) => result.id));
	}
	const idsOf = (some: typeof runs) => some.map(({ id }) => id).sort();
	return {
		newRun: idsOf(runs),
		newResult: results.sort(),
		runFailed: idsOf(runs.filter(({ status }) => status === 'failed')),
		runStatusChanged: Object.fromEntries(runs.map(({ id, status }) => [id, status])),
	};
}

/** Returns what an active trigger has emitted, over all executions. */
export async function readEmitted<E extends Event>(
	e2e: Environment,
	event: E,
	workflowId: string,
): Promise<History[E]> {
	const { items, ended } = await readPolls(e2e, workflowId);
	expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
	const sortedIds = items.map(({ id }) => String(id)).sort();
	return (event === 'runStatusChanged' ? chains(items) : sortedIds) as History[E];
}

/** Returns the executions that an active trigger has started, when they have ended, and the items that it has emitted. */
export async function readPolls({ executions }: Environment, workflowId: string) {
	const started = (await executions.of(workflowId)).filter(({ mode }) => mode === 'trigger');
	const ended: Execution[] = [];
	for (const { id } of started) ended.push(await executions.ended(id));
	return { ended, items: ended.flatMap((execution) => jsonOf(execution, 'Trigger')) };
}

function chains(items: IDataObject[]): Record<string, string> {
	const last = new Map<string, string>();
	for (const { id, status, previous_status: previous } of items as Array<Record<string, string | null>>) {
		const known = last.get(id as string) ?? null;
		last.set(id as string, known === previous ? (status as string) : `${known} | ${previous} → ${status}`);
	}
	return Object.fromEntries(last);
}
