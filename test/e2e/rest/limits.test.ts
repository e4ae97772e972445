import { byId, node, PROSPECTOR } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf } from '../n8n/executions';
import { inputItems, manualWorkflow } from '../n8n/workflows';

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const REFUSED = /^The service refuses this request as one too many \(status 429\), but accepts others/;
const USED_UP =
	/^The API key has reached its limit of requests.* can be sent (at|on) .*\d\d:\d\d \(in (23|24) h.*\)\. Run it again then/;

describe('Rate limits in a whole n8n', () => {
	let e2e: Environment;
	beforeAll(async () => (e2e = await startEnvironment()));
	beforeEach(() => e2e.clearRequests());
	afterAll(async () => await e2e.close());

	/** Gets Prospector workflows with an API key whose limit no other test has used up. */
	async function read(workflowIds: string[], retryFor: number) {
		const name = `limits${retryFor}`;
		const credentials = await e2e.credential(name, { apiKey: e2e.control.createKey({ name }).secret });
		const workflowId = byId('={{ $json.id }}');
		const parameters = { resource: 'workflow', operation: 'get', workflowId, options: { retryFor } };
		const prospector = node('Prospector', PROSPECTOR, parameters, {
			...{ credentials, ...CONTINUE },
		});
		const items = inputItems(
			'Items',
			workflowIds.map((id) => ({ id })),
		);
		const startedAtMs = Date.now();
		const ended = await e2e.workflows.execute(manualWorkflow(items, prospector));
		expect(failureOf(ended)).toBeUndefined();
		const errors = jsonOf(ended, 'Prospector').flatMap(({ error }) => (error ? [String(error)] : []));
		return { errors, durationMs: Date.now() - startedAtMs };
	}

	test('one of 300 items that is always refused does not delay the others', async () => {
		const workflowIds = e2e.control.seed({ workflows: 300 }).workflows;
		e2e.control.addFault({ kind: 'status', status: 429, match: { path: workflowIds[150] }, times: 0 });
		const { errors } = await read(workflowIds, 20);
		e2e.control.clearFaults();
		expect(errors).toEqual([expect.stringMatching(REFUSED)]);
		const requests = e2e.requests('getWorkflow');
		const times = requests.filter(({ status }) => status === 200).map(({ time }) => Date.parse(time));
		expect(times).toHaveLength(300 - 1);
		// The refused item alone takes the 20 s for which it is tried again.
		expect(times[times.length - 1] - times[0]).toBeLessThan(15_000);
	});

	test('an execution ends at once, and each item says when to go on, when a daily quota is used up', async () => {
		const workflowIds = e2e.control.seed({ workflows: 100 }).workflows;
		e2e.control.patchSettings({ dailyQuota: 3, rateLimitHeaders: 'retry-after' });
		const { errors, durationMs } = await read(workflowIds, 300);
		e2e.control.patchSettings({ dailyQuota: null, rateLimitHeaders: 'none' });
		expect(errors).toHaveLength(100 - 3);
		for (const error of errors) expect(error).toMatch(USED_UP);
		expect(e2e.requests('getWorkflow').length).toBeLessThanOrEqual(3 + 4);
		expect(durationMs).toBeLessThan(10_000);
	});
});
