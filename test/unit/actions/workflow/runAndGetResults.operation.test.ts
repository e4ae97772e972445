import { continueRunId } from '../../../../nodes/Prospector/parameters/executionOptions';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { fakeDependencies } from '../../helpers/fakeClock';
import { executeNode, httpResponse, itemResponse, listResponse, TOOL } from '../../helpers/support';
import type { Answer } from '../../helpers/support';

const operation = 'workflow.runAndGetResults';
const [{ default: fromAi }] = continueRunId.fields!;
const NODE_PARAMETERS = { operation: 'runAndGetResults', continueRunId: fromAi as string };

const STARTED = itemResponse({ id: 'run_1', status: 'queued' });
const FAILED = itemResponse({ id: 'run_1', status: 'failed' });
const COMPLETED = itemResponse({ id: 'run_1', status: 'completed' });
const completedAt = (url: string) => itemResponse({ id: url.split('/').at(-1), status: 'completed' });
const OF_OTHER = itemResponse({ id: 'run_1', status: 'running', workflow_id: 'wf_2' });
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

test.each(['', ' ', 'nothing', 'None', 'null', ' undefined '])(
	'a tool starts a run if the model passes %j as Run_ID',
	async (runId) => {
		const { requests } = await callTool([STARTED, COMPLETED, listResponse([{ id: 'a' }])], runId);
		expect(requests[0].method).toBe('POST');
	},
);

test('Run and Get Results starts the runs of all items before it waits for the first one', async () => {
	const methods: unknown[] = [];
	const answer = ({ method, url }: IHttpRequestOptions) => {
		methods.push(method);
		if (method === 'POST') return itemResponse({ id: `run_${methods.length}` });
		return url.endsWith('/results') ? listResponse([{ id: 'a' }]) : completedAt(url);
	};
	const { items } = await executeNode({
		...{ operation, input: [{}, {}, {}], answers: [answer] },
		parametersOf: (item) => ({ workflowId: `wf_${item}` }),
	});
	expect(methods.lastIndexOf('POST')).toBe(2);
	expect(items.map(({ run_id }) => run_id)).toEqual(['run_1', 'run_2', 'run_3']);
});

test.each([
	['execution', expect.stringMatching(/^n8n-/) as unknown],
	['off', null],
])(
	'each result has the idempotency key of its start if Prevent Duplicates is %s: %j',
	async (preventDuplicates, key) => {
		const parameters = { workflowId: 'wf_1', simplify: false, options: { preventDuplicates } };
		const answers = [STARTED, COMPLETED, listResponse([{ id: 'a' }])];
		const { items } = await executeNode({ operation, parameters, answers });
		expect(items).toMatchObject([{ id: 'a', idempotency_key: key, run_request_id: 'req_1' }]);
	},
);

test.each<[string, string, Answer[]]>([
	['status', 'may still be going', [STARTED, httpResponse(503, '')]],
	['results', 'has finished', [STARTED, COMPLETED, httpResponse(503, '')]],
])('a tool that can not read the %s of its run says that the run %s', async (_, state, answers) => {
	const { message } = await callTool(answers);
	expect(message).toContain(`The run ${state}. ${TO_CONTINUE}.`);
	expect(message).not.toContain('starts another one');
});

const RESTART = /^Run 'run_1' ended as 'failed' .*To start a new run, call this tool again without Run_ID\./;
const OTHER =
	/^Run 'run_1' belongs to Prospector workflow 'wf_2', not to 'wf_1' \(request req_1\)\. Call this tool again with Prospector workflow 'wf_2'\.$/;
const NO_ID =
	/^'Run ID' is not an ID\. Call a tool that gets many runs to list the IDs, then use one of them\.$/;
test.each<[string, string, string, Answer[], RegExp]>([
	['how to start another run', 'the run that it has started has failed', '', [STARTED, FAILED], RESTART],
	['how to start another run', 'the run that it continues has failed', 'run_1', [FAILED], RESTART],
	['which Prospector workflow a run belongs to', 'the model passes another', 'run_1', [OF_OTHER], OTHER],
	['how to find the ID of a run', 'the model passes no ID as Run_ID', 'run_1\nrun_2', [], NO_ID],
])('a tool says %s if %s', async (_, _reason, runId, answers, expected) => {
	expect((await callTool(answers, runId)).message).toMatch(expected);
});

test('a tool that continues a run returns the results of the run even if its Prospector workflow was deleted', async () => {
	const answers = [COMPLETED, httpResponse(404, ''), listResponse([{ id: 'a' }])];
	const { items } = await callTool(answers, 'run_1');
	expect(items).toMatchObject([{ id: 'a', run_id: 'run_1' }]);
});

test('a tool starts a run if the model passes spaces as Run_ID', async () => {
	const { urls } = await callTool([STARTED, FAILED], ' ');
	expect(urls[0]).toMatch(/\/workflows\/wf_1\/run$/);
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
	const note = expect.stringContaining(TO_CONTINUE) as unknown;
	expect(items).toMatchObject([{ run_id: 'run_1', run_outcome: 'finished', note }]);
});
