import type { IDataObject } from 'n8n-workflow';
import { outputOf, stateForRetry } from '../../scripts/engine';
import { DEFAULT_SETTINGS, type SandboxSettings } from '../../sandbox/settings';
import type { OperationName } from '../../sandbox/types';
import { byId, chainNodes } from '../nodes';
import { hintsOf, startFastEnvironment, useEnvironment } from './environment';

const DEFAULTS: SandboxSettings = {
	...DEFAULT_SETTINGS,
	...{ limit: 100_000, runStatuses: ['queued', 'completed'], runStageMs: 2000 },
};

const env = useEnvironment(async () => await startFastEnvironment(DEFAULTS));
let workflowId: string;
let otherWorkflowId: string;
let oldRunId: string;
beforeAll(() => {
	[workflowId, otherWorkflowId] = env.control.seed({ workflows: 2 }).workflows;
	const createdAt = '2020-01-01T00:00:00.000Z';
	[oldRunId] = env.control.seed({ runs: [{ workflowId: otherWorkflowId, results: 3, createdAt }] }).runs;
});
beforeEach(() => void env.control.patchSettings(DEFAULTS));

const runAndGetResults = (options: IDataObject = {}) => ({
	...{ resource: 'workflow', operation: 'runAndGetResults', workflowId: byId(workflowId), options },
});
const onceWith = (idempotencyKey: string) => ({ preventDuplicates: 'key', idempotencyKey });
/** The service does what it was asked for, but responds with the given data. */
const respond = (operation: OperationName, data: object) =>
	env.control.addFault({
		...{ match: { operation }, kind: 'notEnvelope', when: 'after' },
		body: { data, request_id: 'req_1' },
	});
const countOf = (operation: string) => env.operations().filter((one) => one === operation).length;

test.each<[string, Partial<SandboxSettings>]>([
	['the run is not found during the first seconds', { runVisibleAfterMs: 5000 }],
	['results become readable 13 s after the end', { resultsDelayMs: 13_000 }],
])('the node retries until all results of the started run are available even if %s', async (_, settings) => {
	env.control.patchSettings(settings);
	const ended = await env.runNode(runAndGetResults());
	expect(ended.data.resultData.error).toBeUndefined();
	expect(outputOf(ended, 'Prospector')).toHaveLength(12);
	expect(hintsOf(ended)).toEqual([]);
});

test.each([
	['run', {}, '', '. Send'],
	['run', { preventDuplicates: 'off' }, '', '. Send'],
	['run', onceWith('daily'), 'Include the Prospector workflow in it. ', ''],
	['runAndGetResults', { preventDuplicates: 'off' }, '', '. Send'],
])(
	'the operation %s with the options %j fails if the service responds with a run of another Prospector workflow',
	async (operation, options, before, after) => {
		env.control.patchSettings({ wrongRuns: { runWorkflow: oldRunId } });
		const { message, description } = await env.getError({ ...runAndGetResults(options), operation });
		expect(message).toMatch(
			`The service returned run '${oldRunId}' of Prospector workflow '${otherWorkflowId}' instead of a run of '${workflowId}' (request req_`,
		);
		expect(description).toContain(
			`${before}Before you start another run, look for a run of '${workflowId}' with Run › Get Many${after}`,
		);
		expect(countOf('getRun')).toBe(0);
	},
);

test('the node fails if only the status check shows that the run belongs to another Prospector workflow', async () => {
	respond('runWorkflow', { id: 'run_1', status: 'queued' });
	respond('getRun', { id: 'run_1', status: 'completed', workflow_id: otherWorkflowId });
	const error = await env.getError(runAndGetResults(onceWith('hourly')));
	expect(error.description).toContain('Include the Prospector workflow in it');
	expect(error.message).toContain(
		`run 'run_1' of Prospector workflow '${otherWorkflowId}' instead of a run of '${workflowId}'`,
	);
	expect(countOf('listResults')).toBe(0);
});

test('a retry says that the run may have been started when a refusal follows a lost response', async () => {
	const match = { operation: 'runWorkflow' } as const;
	env.resetService({ match, kind: 'drop', when: 'after' }, { match, kind: 'status', status: 403 });
	const workflow = chainNodes(env.prospector(runAndGetResults({ retryFor: 0 })));
	const lost = await env.run(workflow);
	const refused = await env.run(workflow, { mode: 'retry', state: stateForRetry(lost) });
	expect(refused.data.resultData.error?.description).toContain('The run may have been started');
});
