import type { IDataObject } from 'n8n-workflow';
import type { E2e } from '../bench';
import { jsonOf } from '../n8n/executions';

/** What has happened, or what was put out of it, in a form that can be compared. */
export interface History {
	/** Ids, sorted: one that came twice stands there twice. */
	runs: string[];
	results: string[];
	/** The status that each run has in the end; a broken chain of statuses shows as such. */
	statuses: Record<string, string>;
}

/** Ids of the n8n workflows, one for each event. */
export type Watchers = Record<'newRun' | 'newResult' | 'runStatusChanged', string>;

/** What has happened in the service since `before`, by its own word. */
export async function happened({ control, sandbox }: E2e, before: Set<string>): Promise<History> {
	const runs = control.runs().runs.filter(({ id }) => !before.has(id));
	const results: string[] = [];
	for (const { id } of runs) {
		const list = await fetch(`${sandbox.baseUrl}/api/public/v1/prospector/runs/${id}/results?limit=100`, {
			headers: { authorization: `Bearer ${sandbox.keys.full}` },
		});
		const { data } = (await list.json()) as { data: Array<{ id: string }> };
		results.push(...data.map((result) => result.id));
	}
	return {
		runs: runs.map(({ id }) => id).sort(),
		results: results.sort(),
		statuses: Object.fromEntries(runs.map(({ id, status }) => [id, status])),
	};
}

/** What the active triggers have put out, over all executions. */
export async function putOut(e2e: E2e, watchers: Watchers): Promise<History> {
	const ids = async (event: keyof Watchers) =>
		(await itemsPutOut(e2e, watchers[event])).map(({ id }) => id as string).sort();
	return {
		runs: await ids('newRun'),
		results: await ids('newResult'),
		statuses: chains(await itemsPutOut(e2e, watchers.runStatusChanged)),
	};
}

async function itemsPutOut({ executions }: E2e, workflowId: string): Promise<IDataObject[]> {
	const started = (await executions.of(workflowId)).filter(({ mode }) => mode === 'trigger');
	const ended = [];
	for (const { id } of started) ended.push(await executions.ended(id));
	expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
	return ended.flatMap((execution) => jsonOf(execution, 'Trigger'));
}

function chains(items: IDataObject[]): Record<string, string> {
	const last = new Map<string, string>();
	for (const { id, status, previous_status: previous } of items as Array<Record<string, string | null>>) {
		const known = last.get(id as string) ?? null;
		last.set(id as string, known === previous ? (status as string) : `${known} | ${previous} → ${status}`);
	}
	return Object.fromEntries(last);
}
