import type { FaultRule } from '../../sandbox/types';
import { waitFor } from '../waitFor';
import { byId, chainNodes, startEnvironment, type Environment } from './support';

let bench: Environment;
let workflowId: string;
beforeAll(async () => {
	bench = await startEnvironment();
	[workflowId] = bench.sandbox.control.seed({ workflows: 1 }).workflows;
});
afterAll(async () => await bench.close());
beforeEach(() => bench.sandbox.control.patchSettings({ limit: 100_000, runStatuses: ['completed'] }));

const journal = () => bench.sandbox.control.journal();
const run = (rest: object = {}) => ({
	resource: 'workflow',
	operation: 'run',
	workflowId: byId('={{ $json.id }}'),
	...rest,
});

interface Wait {
	what: string;
	faults: FaultRule[];
	parameters: object;
	items: number;
	limit?: number;
	statuses?: string[];
	/** Requests after which the wait has begun. */
	after: number;
}

const waits: Wait[] = [
	{
		what: 'between two tries',
		faults: [{ kind: 'status', status: 503, times: 0, headers: { 'retry-after': '30' } }],
		parameters: run(),
		items: 3,
		after: 1,
	},
	{ what: 'for the rate limit, of writes', faults: [], parameters: run(), items: 5, limit: 2, after: 3 },
	{
		what: 'for the rate limit, of reads',
		faults: [],
		parameters: { resource: 'config', operation: 'get' },
		items: 20,
		limit: 2,
		after: 3,
	},
	{
		what: 'for a run',
		faults: [],
		parameters: run({ waitForCompletion: true }),
		items: 2,
		statuses: ['brewing'],
		after: 2,
	},
	{
		what: 'for an answer',
		faults: [{ kind: 'hang', times: 0 }],
		parameters: run(),
		items: 3,
		after: 1,
	},
	{
		what: 'for the answers of several reads',
		faults: [{ kind: 'hang', times: 0 }],
		parameters: { resource: 'config', operation: 'get' },
		items: 20,
		after: 1,
	},
];

describe.each(waits)('Stop during a wait $what', ({ faults, parameters, items, limit, statuses, after }) => {
	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'ends it, nothing more is asked, and the execution shows as stopped: %s',
		async (onError) => {
			bench.prepare(...faults);
			bench.sandbox.control.patchSettings({
				...(limit !== undefined && { limit }),
				...(statuses && { runStatuses: statuses }),
			});
			const secret = bench.sandbox.control.createKey({
				name: `key_${Math.random()}`.replace('.', ''),
			}).secret;
			await bench.credential('own', { apiKey: secret });
			const workflow = chainNodes(bench.prospector(parameters as never, { onError }, 'own'));
			const input = Array.from({ length: items }, () => ({ json: { id: workflowId } }));
			const execution = bench.execute(workflow, { input });
			await waitFor('the wait', () => journal().length >= after);
			// The last answer is on its way back, and the wait begins.
			await new Promise((resolve) => setTimeout(resolve, 100));
			const asked = journal().length;
			const stoppedAt = performance.now();
			execution.stop();
			const ended = await execution.finished;
			// A wait looks up ten times a second; the rest is for a busy machine.
			expect(performance.now() - stoppedAt).toBeLessThan(10_000);
			expect(ended.status).toBe('canceled');
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect(journal()).toHaveLength(asked);
		},
	);
});
