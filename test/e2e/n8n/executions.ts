import { parse } from 'flatted';
import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import { eventually } from '../../eventually';
import type { Rest } from './rest';
import { atLeast } from './target';

export interface Execution {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	retryOf?: string | null;
	startedAt?: string;
	stoppedAt?: string;
	data?: IRunExecutionData;
}

export const isInProgress = (status: string) => ['new', 'running', 'unknown'].includes(status);

/** Incomplete data of an execution is final when it has not changed for this time. */
const UNCHANGED_MS = 5000;

/** n8n 1 saves the end of an execution before its data. Until then, the data can end with an earlier node. */
const UNCHANGED_N8N_1_MS = 500;

function isComplete({ status, data }: Execution): boolean {
	const { lastNodeExecuted, error } = data?.resultData ?? {};
	if (status === 'error') return error !== undefined;
	return status !== 'success' || lastNodeExecuted !== undefined;
}

interface ExecutionPage {
	results: Execution[];
	/** Before n8n 2, pages are requested by ID. */
	nextCursor?: string | null;
}

type StoredExecution = Omit<Execution, 'data'> & { data?: string };

const parsed = ({ data, ...rest }: StoredExecution): Execution => ({
	...rest,
	data: data ? (parse(data) as IRunExecutionData) : undefined,
});

export class Executions {
	/** Successful executions by ID. They don't change, and some tests read all of them again and again. */
	private readonly succeeded = new Map<string, Execution>();

	constructor(private readonly rest: Rest) {}

	async get(id: string): Promise<Execution> {
		return parsed(await this.fetch(id));
	}

	private async fetch(id: string): Promise<StoredExecution> {
		return await this.rest.get<StoredExecution>(`/rest/executions/${id}`);
	}

	async reached(id: string, status: string, timeoutMs?: number): Promise<void> {
		const hasStatus = async () => (await this.fetch(id)).status === status;
		await eventually(`execution ${id} to be '${status}'`, hasStatus, timeoutMs);
	}

	/** Waits until an execution has ended (or waits), and returns it. */
	async ended(id: string, timeoutMs?: number): Promise<Execution> {
		const known = this.succeeded.get(id);
		if (known) return known;
		const completeMs = atLeast('2.0') ? 0 : UNCHANGED_N8N_1_MS;
		let last: { text: string; since: number } | undefined;
		const ended = await eventually(
			`the end of execution ${id}`,
			async () => {
				const stored = await this.fetch(id);
				if (isInProgress(stored.status)) return false;
				const text = JSON.stringify(stored);
				if (text !== last?.text) last = { text, since: Date.now() };
				const execution = parsed(stored);
				const unchangedMs = isComplete(execution) ? completeMs : UNCHANGED_MS;
				return Date.now() - last.since >= unchangedMs && execution;
			},
			timeoutMs,
		);
		if (ended.status === 'success') this.succeeded.set(id, ended);
		return ended;
	}

	/** Returns the executions of an n8n workflow, oldest first, without their data. */
	async of(workflowId: string): Promise<Execution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		// n8n queries running and finished executions separately, so one that ends in between is listed twice.
		const byId = new Map<string, Execution>();
		for (let query = '', sizeBefore = -1; byId.size > sizeBefore;) {
			sizeBefore = byId.size;
			const path = `/rest/executions?limit=100&filter=${filter}${query}`;
			const { results, nextCursor } = await this.rest.get<ExecutionPage>(path);
			for (const each of results) byId.set(each.id, each);
			if (results.length < 100 || nextCursor === null) break;
			const lastId = Math.min(...results.map(({ id }) => Number(id)));
			query = nextCursor ? `&cursor=${encodeURIComponent(nextCursor)}` : `&lastId=${lastId}`;
		}
		return [...byId.values()].sort((a, b) => Number(a.id) - Number(b.id));
	}

	/**
	 * Retries an execution as the list of executions does.
	 * @param loadWorkflow whether to use the currently saved n8n workflow instead of the original one
	 * @returns the retry, when it has ended
	 */
	async retry(
		id: string,
		{ loadWorkflow = false, timeoutMs }: { loadWorkflow?: boolean; timeoutMs?: number } = {},
	): Promise<Execution> {
		const { workflowId } = await this.get(id);
		const before = new Set((await this.of(workflowId)).map((each) => each.id));
		await this.rest.post(`/rest/executions/${id}/retry`, { loadWorkflow });
		const retry = await eventually(`the retry of execution ${id}`, async () =>
			(await this.of(workflowId)).find((each) => each.retryOf === id && !before.has(each.id)),
		);
		return await this.ended(retry.id, timeoutMs);
	}

	async stop(id: string): Promise<void> {
		await this.rest.post(`/rest/executions/${id}/stop`);
	}
}

/** The output items of a node's last run in an execution. */
export const itemsOf = ({ data }: Execution, node: string): INodeExecutionData[] =>
	data?.resultData.runData[node]?.at(-1)?.data?.main?.[0] ?? [];

export const jsonOf = (execution: Execution, node: string): IDataObject[] =>
	itemsOf(execution, node).map(({ json }) => json);

export function failureOf({ data }: Execution): string | undefined {
	const error = data?.resultData.error as { message: string; description?: string } | undefined;
	return error && [error.message, error.description].filter(Boolean).join('\n');
}
