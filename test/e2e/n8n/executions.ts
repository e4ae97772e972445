import { parse } from 'flatted';
import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import { eventually, type Rest } from './rest';
import { atLeast } from './target';

/** An execution as n8n's list of executions shows it. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	retryOf?: string | null;
	data?: IRunExecutionData;
	customData?: Record<string, string>;
}

const UNDER_WAY = ['new', 'running', 'unknown'];

/** Time after which data that does not change any more is taken for final, in milliseconds. */
const UNCHANGED_MS = 5000;

/** n8n 1 writes the end of an execution first, and then its data: until then, the data can be of a node in between. */
const UNCHANGED_N8N_1_MS = 500;

function isWhole({ status, data }: Execution): boolean {
	const { lastNodeExecuted, error } = data?.resultData ?? {};
	if (status === 'error') return error !== undefined;
	return status !== 'success' || lastNodeExecuted !== undefined;
}

type StoredExecution = Omit<Execution, 'data'> & { data?: string };

const parsed = ({ data, ...rest }: StoredExecution): Execution => ({
	...rest,
	data: data ? (parse(data) as IRunExecutionData) : undefined,
});

/** Executions of a running n8n. */
export class Executions {
	constructor(private readonly rest: Rest) {}

	async get(id: string): Promise<Execution> {
		return parsed(await this.fetch(id));
	}

	private async fetch(id: string): Promise<StoredExecution> {
		return await this.rest.get<StoredExecution>(`/rest/executions/${id}`);
	}

	/** The execution once it is over (or waits). */
	async ended(id: string, patienceMs?: number): Promise<Execution> {
		const wholeMs = atLeast('2.0') ? 0 : UNCHANGED_N8N_1_MS;
		let last: { text: string; since: number } | undefined;
		return await eventually(
			`the end of execution ${id}`,
			async () => {
				const stored = await this.fetch(id);
				if (UNDER_WAY.includes(stored.status)) return false;
				const text = JSON.stringify(stored);
				if (text !== last?.text) last = { text, since: Date.now() };
				const execution = parsed(stored);
				const enoughMs = isWhole(execution) ? wholeMs : UNCHANGED_MS;
				return Date.now() - last.since >= enoughMs && execution;
			},
			patienceMs,
		);
	}

	/** All executions of an n8n workflow, oldest first, without their data. */
	async of(workflowId: string): Promise<Execution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.rest.get<{ results: Execution[] }>(
			`/rest/executions?limit=100&filter=${filter}`,
		);
		// n8n asks its database for those under way and then for those over: one that ends in between is in both.
		const once = new Map(results.map((each) => [each.id, each]));
		return [...once.values()].sort((a, b) => Number(a.id) - Number(b.id));
	}

	/**
	 * Presses Retry in the list of executions.
	 * @param loadWorkflow "Retry with currently saved workflow"; else with the original one
	 * @returns the retry's execution once it is over
	 */
	async retry(id: string, { loadWorkflow = false } = {}): Promise<Execution> {
		const { workflowId } = await this.get(id);
		const before = new Set((await this.of(workflowId)).map((each) => each.id));
		await this.rest.post(`/rest/executions/${id}/retry`, { loadWorkflow });
		const retry = await eventually(`the retry of execution ${id}`, async () =>
			(await this.of(workflowId)).find((each) => !before.has(each.id)),
		);
		return await this.ended(retry.id);
	}

	/** Presses Stop. */
	async stop(id: string): Promise<void> {
		await this.rest.post(`/rest/executions/${id}/stop`);
	}
}

/** The items that a node put out in its last run of an execution. */
export const itemsOf = ({ data }: Execution, node: string, branch = 0): INodeExecutionData[] =>
	data?.resultData.runData[node]?.at(-1)?.data?.main?.[branch] ?? [];

export const jsonOf = (execution: Execution, node: string, branch = 0): IDataObject[] =>
	itemsOf(execution, node, branch).map(({ json }) => json);

/** What a person reads on a failed execution: message and description. */
export function failureOf({ data }: Execution): string | undefined {
	const error = data?.resultData.error as { message: string; description?: string } | undefined;
	return error && [error.message, error.description].filter(Boolean).join('\n');
}
