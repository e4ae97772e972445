import { Executions, failureOf, isInProgress, type Execution } from '../../test/e2e/n8n/executions';
import { eventually, RestError, type Rest } from '../../test/e2e/n8n/rest';
import { TRIGGERS } from './pipelines';

/** What a person has to look at: an execution that did not succeed, and no retry of it has. */
export interface Unfinished {
	execution: Execution;
	node: string;
	message: string;
}

/** An execution in n8n's list, without its data. */
export interface Listed extends Execution {
	startedAt?: string;
}

interface Page {
	results: Listed[];
	nextCursor?: string | null;
}

/** Lists all executions of an n8n workflow, oldest first, without their data. */
export async function listExecutions(rest: Rest, workflowId: string): Promise<Listed[]> {
	const byId = new Map<string, Listed>();
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	let query = '';
	for (;;) {
		const page = await rest.get<Page>(`/rest/executions?limit=100&filter=${filter}${query}`);
		const sizeBefore = byId.size;
		for (const each of page.results) byId.set(each.id, each);
		if (page.results.length < 100 || byId.size === sizeBefore) break;
		const lastId = Math.min(...page.results.map(({ id }) => Number(id)));
		query = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : `&lastId=${lastId}`;
		if (page.nextCursor === null) break;
	}
	return [...byId.values()].sort((a, b) => Number(a.id) - Number(b.id));
}

/** Returns the execution that an execution repeats, over all retries. */
export function originalOf(executions: Map<string, Execution>, id: string): string {
	const { retryOf } = executions.get(id) ?? {};
	return retryOf ? originalOf(executions, retryOf) : id;
}

/** A person gives up after these. */
const MAX_RETRIES = 5;

/** An export can take minutes, because all n8n workflows share a rate limit. */
export const RETRY_TIMEOUT_MS = 400_000;

/** Presses Retry in the list of executions, as the documentation says. */
export class Person {
	/** What had to be retried, by the execution's ID, and how often. */
	readonly retried = new Map<string, Unfinished & { times: number }>();
	private readonly executions: Executions;

	constructor(private readonly rest: Rest) {
		this.executions = new Executions(rest);
	}

	/** Retries each execution that did not succeed once. Returns those that have not succeeded then, either. */
	async look(workflowIds: string[]): Promise<Unfinished[]> {
		const left: Unfinished[] = [];
		for (const workflowId of workflowIds) {
			for (const unfinished of await this.unfinished(workflowId)) {
				const { id } = unfinished.execution;
				const times = this.retried.get(id)?.times ?? 0;
				if (times < MAX_RETRIES) this.retried.set(id, { ...unfinished, times: times + 1 });
				const succeeds = times < MAX_RETRIES && (await this.retry(unfinished.execution));
				if (!succeeds) left.push(unfinished);
			}
		}
		return left;
	}

	/** Executions that did not succeed. A trigger's own ones have no items, so they can't be retried. */
	private async unfinished(workflowId: string): Promise<Unfinished[]> {
		const all = await listExecutions(this.rest, workflowId);
		const byId = new Map(all.map((each) => [each.id, each]));
		const isDone = (status: string) => status === 'success' || isInProgress(status);
		const done = new Set(all.filter(({ status }) => isDone(status)).map(({ id }) => originalOf(byId, id)));
		const unfinished: Unfinished[] = [];
		for (const { id, retryOf } of all) {
			if (retryOf || done.has(id)) continue;
			const execution = await this.executions.get(id);
			const node = execution.data?.resultData.lastNodeExecuted ?? '';
			const message = failureOf(execution)?.split('\n', 1)[0] ?? execution.status;
			const hasItems = !TRIGGERS.includes(node) || execution.status === 'crashed';
			if (hasItems) unfinished.push({ execution, node, message });
		}
		return unfinished;
	}

	private async retry({ id, workflowId }: Execution): Promise<boolean> {
		const before = new Set((await listExecutions(this.rest, workflowId)).map((each) => each.id));
		try {
			await this.rest.post(`/rest/executions/${id}/retry`, { loadWorkflow: false });
		} catch (error) {
			if (error instanceof RestError) return false;
			throw error; // eslint-disable-line @n8n/community-nodes/require-node-api-error -- not published
		}
		const retry = await eventually(`the retry of execution ${id}`, async () =>
			(await listExecutions(this.rest, workflowId)).find(
				({ id: retryId, retryOf }) => retryOf === id && !before.has(retryId),
			),
		);
		return (await this.executions.ended(retry.id, RETRY_TIMEOUT_MS)).status === 'success';
	}
}
