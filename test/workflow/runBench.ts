import type { IDataObject, INode, IRunExecutionData } from 'n8n-workflow';
import { initialState } from '../../engine';
import { rateLimiters } from '../../nodes/Prospector/transport/rate/rateLimiters';
import { agent, loop, subWorkflow, wait } from './fixtures';
import { byId, chainNodes, node, startEnvironment } from './support';

/** The name of the node under test. */
export const START = 'Start';

/** A bench around one node that starts runs, and the view on what the service got from it. */
export async function startRunEnvironment() {
	const bench = await startEnvironment();
	bench.nodeTypes
		.add('test.loop', loop)
		.add('test.wait', wait)
		.add('test.subWorkflow', subWorkflow)
		.add('test.agent', agent);
	const { control } = bench.sandbox;
	const [workflowId] = control.seed({ workflows: 1 }).workflows;

	// Without retries of the node's own, so that what n8n repeats is seen.
	const start = (extra: Partial<INode> = {}, options: IDataObject = {}) =>
		bench.prospector(
			{
				resource: 'workflow',
				operation: 'run',
				workflowId: byId(workflowId),
				options: { maxWait: 0, ...options },
			},
			{ name: START, id: 'start', ...extra },
		);
	/** The starts that the service got, in their order. */
	const posts = () => control.journal().filter(({ operation }) => operation === 'runWorkflow');
	return {
		...bench,
		start,
		posts,
		keys: () => posts().map(({ idempotencyKey }) => idempotencyKey),
		startedRuns: () => posts().filter(({ committed }) => committed).length,
		/** The service does what it is asked, but the answer is lost. */
		loseAnswers: (times: number) =>
			control.addFault({ match: { operation: 'runWorkflow' }, kind: 'drop', when: 'after', times }),
		/** Loop → Start → back to Loop. */
		loopWorkflow() {
			const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
			return {
				nodes: [node('Loop', 'test.loop', {}), start()],
				connections: { Loop: { main: [[], to(START)] }, [START]: { main: [to('Loop')] } },
			};
		},
		/** An execution about to begin on an n8n that gives no resume token. */
		withoutToken: () =>
			({ ...initialState(chainNodes(start())), resumeToken: undefined }) as IRunExecutionData,
		forget() {
			control.clearFaults();
			control.clearJournal();
			rateLimiters.clear();
		},
	};
}

export type RunEnvironment = Awaited<ReturnType<typeof startRunEnvironment>>;

export const different = (values: unknown[]) => new Set(values).size;
