import type { SandboxSettings } from '../../../sandbox/settings';
import { byId } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf } from '../n8n/executions';
import { manualWorkflow } from '../n8n/workflows';

const RESULTS = 12;

let e2e: Environment;
let workflowId: string;
let otherWorkflowId: string;
let otherRunId: string;
beforeAll(async () => {
	e2e = await startEnvironment({ settings: { resultsPerRun: RESULTS } });
	[workflowId, otherWorkflowId] = e2e.control.seed({ workflows: 2 }).workflows;
	const createdAt = '2020-01-01T00:00:00.000Z';
	[otherRunId] = e2e.control.seed({ runs: [{ workflowId: otherWorkflowId, results: 3, createdAt }] }).runs;
});
afterAll(async () => await e2e.close());

const execute = async () =>
	await e2e.workflows.execute(
		manualWorkflow(
			e2e.prospector('Prospector', {
				...{ resource: 'workflow', operation: 'runAndGetResults' },
				workflowId: byId(workflowId),
			}),
		),
	);

describe('Run and Get Results when the service starts runs in another way', () => {
	test.each<[string, Partial<SandboxSettings>]>([
		['results can be read 4 s after the run is completed', { resultsDelayMs: 4000 }],
		['the run is not found in the first second', { runVisibleAfterMs: 1000 }],
	])('Run and Get Results returns all results when %s', async (_, settings) => {
		e2e.control.patchSettings(settings);
		const ended = await execute();
		e2e.control.patchSettings({ resultsDelayMs: 0, runVisibleAfterMs: 0 });
		expect(failureOf(ended)).toBeUndefined();
		expect(jsonOf(ended, 'Prospector')).toHaveLength(RESULTS);
	});

	test("a run of another Prospector workflow fails the execution, and its results aren't returned", async () => {
		e2e.control.patchSettings({ wrongRuns: { runWorkflow: otherRunId } });
		const ended = await execute();
		e2e.control.patchSettings({ wrongRuns: {} });
		expect(ended.status).toBe('error');
		expect(jsonOf(ended, 'Prospector')).toEqual([]);
		expect(failureOf(ended)).toContain(
			`returned run '${otherRunId}' of Prospector workflow '${otherWorkflowId}' instead of a run of '${workflowId}'`,
		);
	});
});
