import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { FaultRule } from '../../../sandbox/types';
import { forEachConcurrently } from '../../forEachConcurrently';
import { byId } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import { inputItems, manualWorkflow, type Saved } from '../n8n/workflows';

/** Each wait would end after this time, and a request would follow. */
const WAIT_S = 4;

/** Much longer than needed, for busy machines. */
const MAX_STOP_MS = 10_000;

/** With more executions at a time, n8n would take longer to stop each of them. */
const CONCURRENCY = 4;

/** Requests per key and `WAIT_S`. */
const LIMIT = 8;

/** Results of each run that is started. */
const RESULTS = 12;

const run = { resource: 'workflow', operation: 'run', workflowId: byId('={{ $json.workflow }}') };
const read = { resource: 'workflow', operation: 'get', workflowId: byId('={{ $json.workflow }}') };
const hang: FaultRule = { kind: 'hang', times: 0 };
const firstResponse: FaultRule = {
	kind: 'status',
	status: 200,
	body: { data: { name: 'Without ID' }, request_id: 'req_1' },
};

interface Wait {
	what: string;
	parameters: IDataObject;
	items: number;
	/** Output items of an execution that is not stopped, if not as many as input items. */
	outputItems?: number;
	/** Requests after which the wait begins. */
	after: number;
	faults?: FaultRule[];
}

const WAITS: Wait[] = [
	{
		what: 'between two attempts',
		parameters: run,
		items: 3,
		after: 1,
		faults: [{ kind: 'status', status: 503, times: 0, headers: { 'retry-after': `${WAIT_S}` } }],
	},
	{ what: 'for the rate limit of writes', parameters: run, items: 12, after: LIMIT + 1 },
	{ what: 'for the rate limit of reads', parameters: read, items: 20, after: LIMIT + 1 },
	{
		what: 'for a run',
		parameters: { ...run, operation: 'runAndGetResults' },
		items: 2,
		outputItems: 2 * RESULTS,
		after: 2,
	},
	{ what: 'for a response', parameters: run, items: 3, after: 1, faults: [hang] },
	{
		what: 'for several responses',
		parameters: read,
		items: 20,
		after: 6,
		faults: [firstResponse, hang],
	},
	{
		what: 'for a page of a long list',
		parameters: {
			resource: 'result',
			operation: 'getAll',
			runId: byId('={{ $json.run }}'),
			returnAll: true,
			options: { pageSize: 1 },
		},
		items: 2,
		outputItems: 100,
		after: 3,
		faults: [{ kind: 'slow', delayMs: (WAIT_S * 1000) / 2, times: 0 }],
	},
];

const CASES = (['stopWorkflow', 'continueRegularOutput'] as const).flatMap((onError) =>
	WAITS.map((wait) => ({ ...wait, onError, title: `${wait.what}, On Error: ${onError}` })),
);

interface Stopped {
	title: string;
	workflow: Saved;
	execution: Execution;
	stopMs: number;
	countRequests: () => number;
	/** Requests when the execution had ended. */
	requestsAtEnd: number;
}

describe('Stop during every kind of wait', () => {
	let e2e: Environment;
	const stopped: Stopped[] = [];

	/** Creates an n8n workflow with its own API key, so that it does not wait for the others. */
	async function prepare(
		{ title, faults = [], items, parameters, onError }: (typeof CASES)[number],
		input: IDataObject,
	) {
		const key = title.replaceAll(/\W/g, '_');
		const { secret } = e2e.control.createKey({ name: key });
		for (const fault of faults) e2e.control.addFault({ ...fault, match: { keyName: key } });
		const credentials = await e2e.credential(key, { apiKey: secret });
		const workflow = await e2e.workflows.create(
			manualWorkflow(
				inputItems('Items', Array<IDataObject>(items).fill(input)),
				e2e.prospector('Prospector', parameters, { onError, credentials }),
			),
		);
		const countRequests = () => e2e.control.journal().filter(({ keyName }) => keyName === key).length;
		return { workflow, countRequests };
	}

	async function stopDuring(
		{ title, after }: (typeof CASES)[number],
		{ workflow, countRequests }: Awaited<ReturnType<typeof prepare>>,
	): Promise<Stopped> {
		const id = await e2e.workflows.start(workflow);
		await eventually(`the wait ${title}`, () => countRequests() >= after);
		// Until the wait begins after the last response.
		await pause(300);
		const stoppedAt = performance.now();
		await e2e.executions.stop(id);
		const execution = await e2e.executions.ended(id);
		const stopMs = performance.now() - stoppedAt;
		return { title, workflow, execution, stopMs, countRequests, requestsAtEnd: countRequests() };
	}

	beforeAll(async () => {
		const limits = { limit: LIMIT, windowMs: WAIT_S * 1000, rateLimitHeaders: 'retry-after' } as const;
		e2e = await startEnvironment({ settings: { ...limits, runStatuses: ['brewing'] } });
		const seeded = e2e.control.seed({ workflows: [{ runs: [{ results: 50 }] }] });
		const input = { workflow: seeded.workflows[0], run: seeded.runs[0] };
		const prepared: Array<[(typeof CASES)[number], Awaited<ReturnType<typeof prepare>>]> = [];
		for (const each of CASES) prepared.push([each, await prepare(each, input)]);
		await forEachConcurrently(
			prepared,
			CONCURRENCY,
			async (each) => void stopped.push(await stopDuring(...each)),
		);
		// A wait that has not ended would send a request in this time.
		await pause(WAIT_S * 1000 + 2000);
	});
	afterAll(async () => await e2e.close());

	test.each(CASES)('a wait $title ends, and no request follows', ({ title }) => {
		const { execution, stopMs, countRequests, requestsAtEnd } = stopped.find((each) => each.title === title)!;
		expect(execution.status).toBe('canceled');
		expect(stopMs).toBeLessThan(MAX_STOP_MS);
		expect(jsonOf(execution, 'Prospector')).toEqual([]);
		expect(countRequests()).toBe(requestsAtEnd);
	});

	test('each stopped n8n workflow succeeds when it is executed again', async () => {
		e2e.control.clearFaults();
		e2e.control.patchSettings({ limit: 100_000, runStatuses: ['completed'] });
		const ended = await Promise.all(
			stopped.map(async ({ workflow, title }) => {
				const again = await e2e.executions.ended(await e2e.workflows.start(workflow), 100_000);
				return [title, again.status, jsonOf(again, 'Prospector').length];
			}),
		);
		expect(ended.sort()).toEqual(
			CASES.map(({ title, items, outputItems = items }) => [title, 'success', outputItems]).sort(),
		);
	});
});
