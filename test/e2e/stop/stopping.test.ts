import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { FaultRule } from '../../../sandbox/types';
import { byId } from '../../nodes';
import { PATIENT, startE2e, type E2e } from '../bench';
import { jsonOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import { clicked, items, type Saved } from '../n8n/workflows';

/** Each wait would be over after this, and something would be asked. */
const WAIT_S = 4;

/** Much of it is for a busy machine. */
const A_FEW_SECONDS = 10_000;

/** Requests per key in that time. */
const LIMIT = 8;

const run = { resource: 'workflow', operation: 'run', workflowId: byId('={{ $json.workflow }}') };
const config = { resource: 'config', operation: 'get' };
const hang: FaultRule = { kind: 'hang', times: 0 };
/** An answer after which the node asks for several items at once. */
const plenty: FaultRule = {
	kind: 'status',
	status: 200,
	headers: { 'ratelimit-limit': '1000', 'ratelimit-remaining': '999', 'ratelimit-reset': '60' },
	body: { data: { id: 'config' }, request_id: 'req_1' },
};

interface Wait {
	what: string;
	parameters: IDataObject;
	items: number;
	/** Items that come out where nobody stops it; by default as many as go in. */
	brings?: number;
	/** Requests after which the wait has begun. */
	after: number;
	faults?: FaultRule[];
}

const WAITS: Wait[] = [
	{
		what: 'between two tries',
		parameters: run,
		items: 3,
		after: 1,
		faults: [{ kind: 'status', status: 503, times: 0, headers: { 'retry-after': `${WAIT_S}` } }],
	},
	{ what: 'for the rate limit of writes', parameters: run, items: 12, after: LIMIT + 1 },
	{ what: 'for the rate limit of reads', parameters: config, items: 20, after: LIMIT + 1 },
	{ what: 'for a run', parameters: { ...run, waitForCompletion: true }, items: 2, after: 2 },
	{ what: 'for an answer', parameters: run, items: 3, after: 1, faults: [hang] },
	{
		what: 'for the answers of several reads',
		parameters: config,
		items: 20,
		after: 6,
		faults: [plenty, hang],
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
		brings: 100,
		after: 3,
		faults: [{ kind: 'slow', delayMs: (WAIT_S * 1000) / 2, times: 0 }],
	},
];

const MODES = ['stopWorkflow', 'continueRegularOutput'] as const;

interface Prepared extends Wait {
	onError: (typeof MODES)[number];
	/** Name of its API key. */
	key: string;
	workflow: Saved;
}

interface Stopped extends Prepared {
	execution: Execution;
	/** Milliseconds from Stop to the end. */
	took: number;
	/** Requests up to the end. */
	asked: number;
}

let e2e: E2e;
let stopped: Stopped[];
const askedWith = (key: string) => e2e.control.journal().filter(({ keyName }) => keyName === key).length;
const has = (wait: Pick<Stopped, 'what' | 'onError'>) =>
	stopped.find(({ what, onError }) => what === wait.what && onError === wait.onError) as Stopped;

/** An n8n workflow with a key of its own: what it has to wait for is nothing to the others. */
async function prepare(wait: Wait, onError: Prepared['onError'], input: IDataObject): Promise<Prepared> {
	const key = `${wait.what} ${onError}`.replaceAll(' ', '_');
	const { secret } = e2e.control.createKey({ name: key });
	for (const fault of wait.faults ?? []) e2e.control.addFault({ ...fault, match: { keyName: key } });
	const credentials = await e2e.credential(key, { apiKey: secret });
	const workflow = await e2e.workflows.create(
		clicked(
			items('Items', Array<IDataObject>(wait.items).fill(input)),
			e2e.prospector('Prospector', wait.parameters, { onError, credentials }),
		),
	);
	return { ...wait, onError, key, workflow };
}

async function stopDuring(prepared: Prepared): Promise<Stopped> {
	const { what, after, key, workflow } = prepared;
	const id = await e2e.workflows.start(workflow);
	await eventually(`the wait ${what}`, () => askedWith(key) >= after);
	// The last answer is on its way back, and the wait begins.
	await pause(300);
	const stoppedAt = performance.now();
	await e2e.executions.stop(id);
	const execution = await e2e.executions.ended(id);
	return { ...prepared, execution, took: performance.now() - stoppedAt, asked: askedWith(key) };
}

describe('Stop during every kind of wait', () => {
	beforeAll(async () => {
		const settings = { limit: LIMIT, windowMs: WAIT_S * 1000, runStatuses: ['brewing'] };
		e2e = await startE2e({}, { ...settings, rateLimitHeaders: 'retry-after' });
		const seeded = e2e.control.seed({ workflows: [{ runs: [{ results: 50 }] }] });
		const input = { workflow: seeded.workflows[0], run: seeded.runs[0] };
		// One after the other: n8n 1 saves nothing side by side.
		const all: Prepared[] = [];
		for (const onError of MODES) for (const wait of WAITS) all.push(await prepare(wait, onError, input));
		stopped = await Promise.all(all.map(stopDuring));
		// Whatever still waited would ask now.
		await pause(WAIT_S * 1000 + 2000);
	}, PATIENT);
	afterAll(async () => await e2e.close());

	describe.each(MODES)('On Error: %s', (onError) => {
		test.each(WAITS)('a wait $what ends, and nothing more is asked', ({ what }) => {
			const { execution, took, asked, key } = has({ what, onError });
			expect(execution.status).toBe('canceled');
			expect(took).toBeLessThan(A_FEW_SECONDS);
			expect(jsonOf(execution, 'Prospector')).toEqual([]);
			expect(askedWith(key)).toBe(asked);
		});
	});

	test(
		'n8n goes on: each of these n8n workflows, executed again, comes to its end',
		async () => {
			e2e.control.clearFaults();
			e2e.control.patchSettings({ limit: 100_000, runStatuses: ['completed'] });
			const ended = await Promise.all(
				stopped.map(async ({ workflow, what, onError }) => {
					const again = await e2e.executions.ended(await e2e.workflows.start(workflow), 100_000);
					return [what, onError, again.status, jsonOf(again, 'Prospector').length];
				}),
			);
			expect(ended).toEqual(
				stopped.map(({ what, onError, items: count, brings = count }) => [what, onError, 'success', brings]),
			);
		},
		PATIENT,
	);
});
