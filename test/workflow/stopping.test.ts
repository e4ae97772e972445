// The log of the runs that a stopped execution has started: test/unit/actions/sendWrite.test.ts.
import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { IDataObject, IRun } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox/types';
import { byId, chainNodes } from '../nodes';
import { eventually } from '../eventually';
import { startEnvironment, type Environment } from './environment';

const write = { resource: 'workflow', operation: 'run', workflowId: byId('={{ $json.id }}') };
const read = { resource: 'workflow', operation: 'get', workflowId: byId('={{ $json.id }}') };
const unavailable: FaultRule = { kind: 'status', status: 503, times: 0, headers: { 'retry-after': '30' } };
const hang: FaultRule = { kind: 'hang', times: 0 };

/** The numbers of input items, and of requests that are sent before the wait, at least and at most. */
type Wait = [
	title: string,
	parameters: IDataObject,
	items: number,
	min: number,
	max: number,
	fault?: FaultRule,
];

const start = { ...write, operation: 'runAndGetResults' };
/** The sandbox accepts three requests a minute, and its runs never finish. */
const waits: Wait[] = [
	['for a retry', write, 3, 1, 1, unavailable],
	['for the rate limit before a write', write, 5, 4, 4],
	['for the rate limit before reads', read, 20, 4, 8],
	['for a run', start, 2, 3, 20],
	['for the response to a write', write, 3, 1, 1, hang],
	['for the responses to several reads', read, 20, 1, 5, hang],
];
const modes = ['stopWorkflow', 'continueRegularOutput'] as const;
const cases = waits.flatMap((wait) => modes.map((onError) => ({ wait, onError })));

interface Stopped {
	ended: IRun;
	durationMs: number;
	requestsBeforeStop: number;
	requestsAfterStop: number;
}

let env: Environment;
let stopped: Array<Promise<Stopped>>;
beforeAll(async () => {
	env = await startEnvironment({ limit: 3, runStatuses: ['brewing'] });
	// All at once, because most of the time nothing happens. Each case has its own API key.
	stopped = cases.map(async (each, index) => await stopDuring(each, `key_${index}`));
});
afterAll(async () => {
	await Promise.allSettled(stopped);
	await env.close();
});

async function stopDuring({ wait, onError }: (typeof cases)[number], keyName: string): Promise<Stopped> {
	const [, parameters, items, min, , fault] = wait;
	if (fault) env.control.addFault({ ...fault, match: { keyName } });
	const { secret } = env.control.createKey({ name: keyName });
	await env.addCredential(keyName, { apiKey: secret });
	const [workflowId] = env.control.seed({ workflows: 1 }).workflows;
	const input = Array.from({ length: items }, () => ({ json: { id: workflowId } }));
	const execution = env.execute(chainNodes(env.prospector(parameters, { onError }, keyName)), { input });
	const sent = () => env.journal().filter((entry) => entry.keyName === keyName).length;
	await eventually('the wait', () => sent() >= min);
	// The wait has begun when no further request arrives.
	let requestsBeforeStop: number;
	do {
		requestsBeforeStop = sent();
		// Many short pauses, because requests in flight arrive between them even if the process stalls.
		for (let i = 0; i < 20; i++) await pause(20);
	} while (sent() > requestsBeforeStop);
	const begin = performance.now();
	execution.stop();
	const ended = await execution.finished;
	const durationMs = performance.now() - begin;
	await pause(300);
	return { ended, durationMs, requestsBeforeStop, requestsAfterStop: sent() - requestsBeforeStop };
}

test.each(cases.map(({ wait, onError }, index) => [wait[0], onError, wait[4], index] as const))(
	'the node ends a wait %s and sends no further request when the execution is stopped and On Error is %s',
	async (_title, _onError, max, index) => {
		const { ended, durationMs, requestsBeforeStop, requestsAfterStop } = await stopped[index];
		expect(requestsBeforeStop).toBeLessThanOrEqual(max);
		expect(ended.status).toBe('canceled');
		// A wait checks for a stop ten times a second; the rest is for a busy machine.
		expect(durationMs).toBeLessThan(10_000);
		expect(requestsAfterStop).toBe(0);
	},
);
