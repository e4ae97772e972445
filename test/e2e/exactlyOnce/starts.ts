import type { IDataObject, INode } from 'n8n-workflow';
import type { FaultRule } from '../../../sandbox/types';
import { byId } from '../../nodes';
import type { E2e } from '../bench';
import { eventually } from '../n8n/rest';

/** The name of the node that starts runs. */
export const START = 'Start';

export const different = (values: unknown[]) => new Set(values).size;

/** A key that a person gives, on which no retry of any n8n has an influence. */
export const CUSTOM = {
	idempotencyKeyMode: 'custom',
	idempotencyKey: '={{ "leads of " + $workflow.id }}',
};

/**
 * A Prospector workflow of its own: nodes that start its runs, what goes wrong with that, and what the service knows
 * of it. With an API key of its own too, since the node lets requests with a new key wait for the first reply. So
 * executions side by side do not get into each other's way.
 */
export async function startsIn({ control, credential, prospector, requests }: E2e) {
	const [workflowId] = control.seed({ workflows: 1 }).workflows;
	const { secret } = control.createKey({ name: `for-${workflowId}` });
	const credentials = await credential(workflowId, { apiKey: secret });
	/** The starts that arrived at the service, in their order. */
	const posts = () => requests('runWorkflow').filter(({ path }) => path.includes(workflowId));
	const keys = () => posts().map(({ idempotencyKey }) => idempotencyKey);
	const started = () => control.runs().perWorkflow[workflowId] ?? 0;
	const fault = (rule: FaultRule) =>
		control.addFault({ match: { operation: 'runWorkflow', path: workflowId }, when: 'after', ...rule });

	return {
		keys,
		/** How many runs there really are. */
		started,
		/** Workflow › Run, without retries of the node's own unless `options` have a Max Wait. */
		node: (options: IDataObject = {}, extra: Partial<INode> = {}): INode =>
			prospector(
				START,
				{
					resource: 'workflow',
					operation: 'run',
					workflowId: byId(workflowId),
					// A withheld reply is waited for as long as a slow machine needs to get to the kill.
					options: { maxWait: 0, requestTimeout: 600, ...options },
				},
				{ credentials, ...extra },
			),
		/** The service does what it is asked, but the answer is lost. */
		loseReplies: (rule: Partial<FaultRule> = {}) => fault({ kind: 'drop', ...rule }),
		/** The service does what it is asked, but its answer never comes. */
		withholdReply: (rule: Partial<FaultRule> = {}) => fault({ kind: 'hang', ...rule }),
		/** Resolves once the service has started so many runs. */
		reached: async (count: number) =>
			await eventually(`run ${count} to be started`, () => started() === count),
		/**
		 * Each wanted run was started once, and each was asked for with a key of its own.
		 * @param requests how many requests that took, repeated ones included
		 */
		expectOnce(runs: number, requests: number) {
			expect(keys()).toHaveLength(requests);
			expect(keys()).not.toContain(null);
			expect(different(keys())).toBe(runs);
			expect(started()).toBe(runs);
		},
	};
}

export type Starts = Awaited<ReturnType<typeof startsIn>>;
