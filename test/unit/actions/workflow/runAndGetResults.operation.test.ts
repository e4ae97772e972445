import { continueRunId } from '../../../../nodes/Prospector/parameters/executionOptions';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { fakeDependencies } from '../../helpers/fakeClock';
import {
	type Answer,
	executeNode,
	httpResponse,
	itemResponse,
	listResponse,
	TOOL,
} from '../../helpers/support';

const operation = 'workflow.runAndGetResults';
const [{ default: fromAi }] = continueRunId.fields!;
const NODE_PARAMETERS = { operation: 'runAndGetResults', continueRunId: fromAi as string };

const STARTED = itemResponse({ id: 'run_1', status: 'queued' });
const FAILED = itemResponse({ id: 'run_1', status: 'failed' });
const TO_CONTINUE = "To get its results, call this tool again with Run_ID 'run_1': no other run is started";

/** Calls the tool as a model does, with a value for Run_ID. */
async function callTool(answers: Answer[], runId = '', dependencies = fakeDependencies()) {
	return await executeNode({
		operation,
		dependencies,
		parameters: { workflowId: 'wf_1', continueRunId: runId, waitUpTo: 50 },
		rest: { getNode: () => ({ ...TOOL, parameters: NODE_PARAMETERS }) },
		answers,
	});
}

test.each<[string, string, Answer[]]>([
	['status', 'may still be going', [STARTED, httpResponse(503, '')]],
	[
		'results',
		'has finished',
		[STARTED, itemResponse({ id: 'run_1', status: 'completed' }), httpResponse(503, '')],
	],
])('a tool that can not read the %s of its run says that the run %s', async (_, state, answers) => {
	const { message } = await callTool(answers);
	expect(message).toContain(`The run ${state}. ${TO_CONTINUE}.`);
	expect(message).not.toContain('starts another one');
});

test.each([
	['started', '', [STARTED, FAILED]],
	['continued', 'run_1', [FAILED]],
])('a tool whose %s run has failed says how to start another one', async (_, runId, answers) => {
	const { message } = await callTool(answers, runId);
	expect(message).toMatch(
		/^Run 'run_1' ended as 'failed' .*To start a new run, call this tool again without Run_ID\./,
	);
});

test('a tool says which Prospector workflow the run to continue belongs to if the model passes another one', async () => {
	const { message } = await callTool(
		[itemResponse({ id: 'run_1', status: 'running', workflow_id: 'wf_2' })],
		'run_1',
	);
	expect(message).toBe(
		"Run 'run_1' belongs to Prospector workflow 'wf_2', not to 'wf_1' (request req_1). Call this tool again with Prospector workflow 'wf_2'.",
	);
});

test('a tool that continues a run returns the results of the run even if its Prospector workflow was deleted', async () => {
	const run = itemResponse({ id: 'run_1', status: 'completed' });
	const { items } = await callTool([run, httpResponse(404, ''), listResponse([{ id: 'a' }])], 'run_1');
	expect(items).toMatchObject([{ id: 'a', run_id: 'run_1' }]);
});

test('a tool starts a run if the model passes spaces as Run_ID', async () => {
	const { urls } = await callTool([STARTED, FAILED], ' ');
	expect(urls[0]).toMatch(/\/workflows\/wf_1\/run$/);
});

test('a tool says how to find the ID of a run if the model passes as Run_ID a text that is not an ID', async () => {
	const { message } = await callTool([], 'run_1\nrun_2');
	expect(message).toBe(
		"'Run ID' is not an ID. Call a tool that gets many runs to list the IDs, then use one of them.",
	);
});

test('a tool that gets a failed run says that another tool starts a new run', async () => {
	const { message } = await executeNode({
		operation: 'run.get',
		parameters: { runId: 'run_1', waitForCompletion: true, waitUpTo: 50 },
		rest: { getNode: () => TOOL },
		answers: [FAILED],
	});
	expect(message).toContain('To start a new run, use a tool that runs a Prospector workflow.');
});

test('a tool says that its run has finished if the results of the run can not be read in time', async () => {
	const dependencies = fakeDependencies();
	const statusNow = () => (dependencies.clock.now() < 44_000 ? 'running' : 'completed');
	const answer = ({ url }: IHttpRequestOptions) =>
		url.endsWith('/results') ? httpResponse(404, '') : itemResponse({ id: 'run_1', status: statusNow() });
	const { items } = await callTool([answer], '', dependencies);
	expect(items).toMatchObject([{ run_id: 'run_1', run_outcome: 'finished' }]);
});
