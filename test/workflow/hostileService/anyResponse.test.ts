/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import fc from 'fast-check';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { outputOf } from '../../../scripts/engine';
import type { FaultRule } from '../../../sandbox/types';
import { fastClock } from '../../fastClock';
import { everyOperation, parametersFor } from '../everyOperation';
import { allTextOf, findApiKeyForms } from './apiKeyForms';
import { arbitraryFault } from './arbitraryFault';
import { areRequestsClosed } from './connections';
import { changesSince, snapshotPrototypes } from './prototypes';
import { startTarget, thrownBy, type Target } from './target';

/** Cases per operation and editor method. */
const CASES = 8;
const MAX_TEXT_LENGTH = 2300;
const MAX_MS = 30_000;
/** Does not count the time for which this process waits for a busy machine. */
const clock = fastClock(1).timing;
const KEY = 'sk_live?27984df017dc05003d+/~cd31ae7b543e90ba51=';
const TEST_TIMEOUT_MS = 200_000;

interface Case {
	faults: FaultRule[];
	retryFor: 0 | 1;
	onError: 'stopWorkflow' | 'continueRegularOutput';
}

/** Returns the errors and messages that n8n shows, and undefined for each success. */
type Run = (target: Target, plan: Case) => Promise<unknown[]>;
type Subject = [title: string, isList: boolean, run: Run];

const execute =
	(parameters: IDataObject): Run =>
	async (target, { retryFor, onError }) => {
		const input = [{ id: 'id_1', name: 'A' }];
		const ended = await target.runNode({ ...parameters, options: { retryFor } }, input, { onError });
		return [ended.data.resultData.error, ...outputOf(ended, 'Prospector').map(({ json }) => json.error)];
	};
const callEditor =
	(...method: Parameters<Target['callEditor']>): Run =>
	async (target) => [await thrownBy(target.callEditor(...method))];
const poll =
	(event: string): Run =>
	async (target) => {
		const trigger = target.trigger({ event, watch: 'all', options: { includeExisting: true } });
		const shown = [await thrownBy(trigger.test()), await thrownBy(trigger.activate())];
		return shown[1] ? shown : [...shown, await thrownBy(trigger.tick())];
	};
const waiting = { resource: 'run', operation: 'get', runId: 'run_1', waitForCompletion: true, waitUpTo: 1 };
const starting = { resource: 'workflow', operation: 'runAndGetResults', workflowId: 'wf_1', waitUpTo: 1 };

const subjects: Subject[] = [
	...everyOperation.map((row): Subject => [row.title, row.list === true, execute(parametersFor(row))]),
	['Run › get with Wait for Completion', false, execute(waiting)],
	['Workflow › runAndGetResults', false, execute(starting)],
	['the list of workflows', true, callEditor('listSearch', 'searchWorkflows')],
	['the list of runs', true, callEditor('listSearch', 'searchRuns')],
	['the fields of Create', true, callEditor('resourceMapping', 'getWorkflowFields')],
	['the trigger’s list of workflows', true, callEditor('loadOptions', 'getWorkflows')],
	['the trigger with newRun', true, poll('newRun')],
	['the trigger with newResult', true, poll('newResult')],
	['the trigger with runStatusChanged', true, poll('runStatusChanged')],
	['the credential test', false, async (target) => [await target.testCredential()]],
];

const prototypes = snapshotPrototypes();
const log: string[] = [];
const checks = new Map<string, Promise<unknown>>();

beforeAll(() => {
	// Everything that n8n can log. Its logger reads this when it is first used.
	Object.assign(process.env, { N8N_LOG_LEVEL: 'debug', N8N_LOG_FORMAT: 'json' });
	// Jest's console can have streams of its own.
	const { _stdout: out, _stderr: err } = console as unknown as Record<string, NodeJS.WriteStream>;
	for (const stream of new Set([process.stdout, process.stderr, out, err])) {
		jest.spyOn(stream, 'write').mockImplementation((text) => log.push(String(text)) > 0);
	}
	// The editor would wait for 20 s, which no clock of a test can shorten.
	const realTimeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => realTimeout(Math.min(ms, 1000)));
	// Concurrently, because most of the time they only wait. Their own tests report failures.
	subjects.forEach(([title, isList, run], index) => {
		const plans = fc.sample(arbitraryCase(isList), { numRuns: CASES, seed: 1 + index });
		checks.set(title, thrownBy(Promise.all(plans.map(async (plan) => await check(run, plan)))));
	});
});
afterAll(() => jest.restoreAllMocks());

const arbitraryCase = (isList: boolean): fc.Arbitrary<Case> =>
	fc.record({
		faults: fc.array(arbitraryFault(KEY, isList), { minLength: 1, maxLength: 3 }),
		retryFor: fc.constantFrom(0, 1),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput'),
	});

/** Returns what n8n shows, or 'nothing' if the case has not ended in time. */
async function runCase(run: Run, plan: Case) {
	// Afterwards, the sandbox rejects the unknown API key, so that no list is endless.
	const target = await startTarget([...plan.faults, ...plan.faults], { apiKey: KEY });
	const ended = new AbortController();
	const timeUp = clock.sleep(MAX_MS, ended.signal).then(() => 'nothing');
	const shown = await Promise.race([run(target, plan), timeUp]);
	ended.abort();
	const isClosed = await areRequestsClosed(target.sandbox.baseUrl);
	await target.close();
	return { shown, isClosed };
}

async function check(run: Run, plan: Case): Promise<void> {
	const { shown, isClosed } = await runCase(run, plan);
	const found = {
		unclear: typeof shown === 'string' ? shown : shown.filter((each) => !isClear(each)).map(String),
		leaks: findApiKeyForms(allTextOf(shown), KEY),
		pollution: changesSince(prototypes),
		isClosed,
	};
	const expected = { unclear: [], leaks: [], pollution: [], isClosed: true };
	if (JSON.stringify(found) === JSON.stringify(expected)) return;
	throw new Error(`${JSON.stringify(found)} after ${JSON.stringify(plan).slice(0, 3000)}`);
}

/** Whether an error is one of the node, and a text is short enough to be read. */
function isClear(shown: unknown): boolean {
	if (shown === undefined) return true;
	if (typeof shown === 'string') return shown.length <= MAX_TEXT_LENGTH;
	const { name, message, description } = shown as NodeApiError;
	const { length } = `${message}${description ?? ''}`;
	return ['NodeApiError', 'NodeOperationError'].includes(name) && length > 10 && length <= MAX_TEXT_LENGTH;
}

test.each(subjects.map(([title]) => title))(
	'a hostile response leads to data or a clear message in %s',
	async (title) => {
		expect(await checks.get(title)).toBeUndefined();
	},
	TEST_TIMEOUT_MS,
);

test('no log line contains the API key after hostile responses', async () => {
	await Promise.all(checks.values());
	expect(log.join('')).toContain('Start executing node');
	expect(findApiKeyForms(log.join(''), KEY)).toEqual([]);
});
