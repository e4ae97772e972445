import { Executions, failureOf, type Execution } from '../n8n/executions';
import { eventually, RestError, type Rest } from '../n8n/rest';

/** What a person has to look at: an execution that did not succeed, and no retry of it has. */
export interface Unfinished {
	execution: Execution;
	node: string;
	message: string;
}

const IN_PROGRESS = ['new', 'running', 'unknown'];

interface Page {
	results: Execution[];
	nextCursor?: string | null;
}

/** Lists all executions of an n8n workflow, oldest first, without their data. */
export async function listExecutions(rest: Rest, workflowId: string): Promise<Execution[]> {
	const byId = new Map<string, Execution>();
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

/** Presses Retry in the list of executions, as the documentation says. */
export class Person {
	readonly retried: Unfinished[] = [];
	private readonly executions: Executions;

	constructor(private readonly rest: Rest) {
		this.executions = new Executions(rest);
	}

	/** Retries each execution that did not succeed, until it does or has been retried three times. */
	async retryAll(workflowIds: string[]): Promise<Unfinished[]> {
		const left: Unfinished[] = [];
		for (const workflowId of workflowIds) {
			for (const unfinished of await this.unfinished(workflowId)) {
				this.retried.push(unfinished);
				const succeeds = await this.retry(unfinished.execution, 3);
				if (!succeeds) left.push(unfinished);
			}
		}
		return left;
	}

	/** Executions that did not succeed. A trigger's own ones have no items, so they can't be retried. */
	private async unfinished(workflowId: string): Promise<Unfinished[]> {
		const all = await listExecutions(this.rest, workflowId);
		const byId = new Map(all.map((each) => [each.id, each]));
		const succeeded = new Set(
			all.filter(({ status }) => status === 'success').map(({ id }) => originalOf(byId, id)),
		);
		const unfinished: Unfinished[] = [];
		for (const { id, status, retryOf } of all) {
			if (retryOf || succeeded.has(id) || IN_PROGRESS.includes(status)) continue;
			const execution = await this.executions.get(id);
			const node = execution.data?.resultData.lastNodeExecuted ?? '';
			const message = failureOf(execution)?.split('\n', 1)[0] ?? execution.status;
			if (node !== 'Trigger' || status === 'crashed') unfinished.push({ execution, node, message });
		}
		return unfinished;
	}

	private async retry({ id, workflowId }: Execution, times: number): Promise<boolean> {
		const before = new Set((await listExecutions(this.rest, workflowId)).map((each) => each.id));
		try {
			await this.rest.post(`/rest/executions/${id}/retry`, { loadWorkflow: false });
		} catch (error) {
			if (error instanceof RestError) return false;
			throw error;
		}
		const retry = await eventually(`the retry of execution ${id}`, async () =>
			(await listExecutions(this.rest, workflowId)).find(
				({ id: retryId, retryOf }) => retryOf === id && !before.has(retryId),
			),
		);
		const { status } = await this.executions.ended(retry.id, 400_000);
		if (status === 'success') return true;
		return times > 1 && (await this.retry(await this.executions.get(id), times - 1));
	}
}
