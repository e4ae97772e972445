import { failureOf, isInProgress, type Execution, type Executions } from '../../test/e2e/n8n/executions';
import { RestError } from '../../test/e2e/n8n/rest';
import { TRIGGER } from './pipelines';

/** What a person has to look at: an execution that did not succeed, and no retry of it has. */
export interface Unfinished {
	id: string;
	message: string;
}

/** Returns the execution that an execution repeats, over all retries. */
export function originalOf(executions: Map<string, Execution>, id: string): string {
	const { retryOf } = executions.get(id) ?? {};
	return retryOf ? originalOf(executions, retryOf) : id;
}

/** A person gives up after these. */
const MAX_RETRIES = 5;

/** A run can take minutes, because all n8n workflows share a rate limit. */
const RETRY_TIMEOUT_MS = 400_000;

/** Presses Retry in the list of executions, as the documentation says. */
export class Person {
	/** How often executions were retried, by their IDs. */
	readonly retried = new Map<string, number>();

	constructor(private readonly executions: Executions) {}

	/** Retries each execution that did not succeed once. Returns those that have not succeeded then, either. */
	async look(workflowIds: string[]): Promise<Unfinished[]> {
		const left: Unfinished[] = [];
		for (const workflowId of workflowIds) {
			for (const unfinished of await this.unfinished(workflowId)) {
				const { id } = unfinished;
				const times = this.retried.get(id) ?? 0;
				if (times < MAX_RETRIES) this.retried.set(id, times + 1);
				const succeeds = times < MAX_RETRIES && (await this.retry(id));
				if (!succeeds) left.push(unfinished);
			}
		}
		return left;
	}

	/** Executions that did not succeed. A trigger's own ones have no items, so they can't be retried. */
	private async unfinished(workflowId: string): Promise<Unfinished[]> {
		const all = await this.executions.of(workflowId);
		const byId = new Map(all.map((each) => [each.id, each]));
		const isDone = (status: string) => status === 'success' || isInProgress(status);
		const done = new Set(all.filter(({ status }) => isDone(status)).map(({ id }) => originalOf(byId, id)));
		const unfinished: Unfinished[] = [];
		for (const { id, retryOf } of all) {
			if (retryOf || done.has(id)) continue;
			const execution = await this.executions.get(id);
			const message = failureOf(execution)?.split('\n', 1)[0] ?? execution.status;
			const isTriggers = execution.data?.resultData.lastNodeExecuted === TRIGGER;
			if (!isTriggers || execution.status === 'crashed') unfinished.push({ id, message });
		}
		return unfinished;
	}

	private async retry(id: string): Promise<boolean> {
		try {
			const { status } = await this.executions.retry(id, { timeoutMs: RETRY_TIMEOUT_MS });
			return status === 'success';
		} catch (error) {
			if (error instanceof RestError) return false;
			throw error; // eslint-disable-line @n8n/community-nodes/require-node-api-error -- not published
		}
	}
}
