import {
	noResultsYetNote,
	noRunWithStatusMessage,
	nothingToShowMessage,
	unexpectedResourceMessage,
	runFailedMessage,
	missingIdMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
	wrongWorkflowMessage,
} from '../../../nodes/Prospector/messages/runMessages';
import {
	type Caller,
	type CallerMessage,
	formatDuration,
	UserError,
} from '../../../nodes/Prospector/messages/userMessage';

const run = { runId: 'run_1', status: 'Brewing', requestId: 'req_9' };
const start = { requestId: 'req_1', isUserKey: false };
const withKey = { ...run, start: { ...start, idempotencyKey: 'key-1' } };
const withUserKey = { ...run, start: { ...withKey.start, isUserKey: true } };
const withoutKey = { ...run, start };
const long = { ...run, status: 'x'.repeat(513) };
const started = {
	runId: 'run_1',
	expectedWorkflowId: 'wf_1',
	start: { requestId: 'req_9', isUserKey: false },
};

const CASES: Record<string, CallerMessage> = {
	'a run has not ended in time': waitTimeoutMessage(run, 3_600_000),
	'a run with the status In Progress has not ended in time': waitTimeoutMessage(
		{ ...run, status: 'In Progress' },
		1,
	),
	'a run that a tool only reads has not ended in time (caller: tool)': waitTimeoutMessage(run, 3_600_000),
	'a run that a tool has started with an idempotency key of the user has not ended in time (caller: tool)':
		waitTimeoutMessage(withUserKey, 60_000),
	'a run shows no status': waitTimeoutMessage({ ...run, status: '' }, 60_000),
	'a run with an idempotency key of the user has failed': runFailedMessage(withUserKey),
	'a run without an idempotency key has failed': runFailedMessage(withoutKey),
	'a run has failed and Retry does not exist (caller: nodeWithoutRetry)': runFailedMessage(withKey),
	'a run has failed (caller: tool)': runFailedMessage(withKey),
	'a run that the tool can continue has failed (caller: tool)': runFailedMessage({
		...withKey,
		runIdArgumentName: 'Run_ID',
	}),
	'a run of a tool with an idempotency key of the user has failed (caller: tool)': runFailedMessage({
		...withUserKey,
		runIdArgumentName: 'Run_ID',
	}),
	'a run that a tool only reads has failed with a status of 513 characters (caller: tool)':
		runFailedMessage(long),
	'the execution is canceled during the wait': waitCanceledMessage('run_1'),
	'a started run has no ID': missingIdMessage('run', 'req_9'),
	'a created Prospector workflow has no ID': missingIdMessage('workflow', 'req_9'),
	'a run belongs to another Prospector workflow': wrongWorkflowMessage(started, 'wf_2', 'req_9'),
	'an idempotency key of the user returns a run of another Prospector workflow': wrongWorkflowMessage(
		{ ...started, start: { ...started.start, isUserKey: true } },
		'wf_2',
		'req_9',
	),
	'the service returns another resource': unexpectedResourceMessage('workflow', 'wf_2', 'wf_1', 'req_9'),
	'a test of the trigger finds nothing': nothingToShowMessage('result'),
	'a test of the trigger finds only runs with other statuses': noRunWithStatusMessage(
		['done', 'ended', 'done'],
		['running', ''],
		'failed',
	),
	'a test of the trigger finds no failed run': noRunWithStatusMessage([], ['running'], 'failed'),
};

/** The message and the description of each case, in the same order. */
const TEXTS = `
Run 'run_1' was still 'Brewing' after 1 h (request req_9)
	If 'Brewing' means finished, add it to 'Finished Statuses' under Options. The run may still be going. Open Executions and press Retry (↪): no second run is started. Or get its results later with Result › Get Many, run ID 'run_1'. To wait longer, raise 'Wait Up To (Seconds)'
Run 'run_1' was still 'In Progress' after 1 s (request req_9)
	The run continues. Open Executions and press Retry (↪): no second run is started. Or get its results later with Result › Get Many, run ID 'run_1'. To wait longer, raise 'Wait Up To (Seconds)'
Run 'run_1' was still 'Brewing' after 1 h (request req_9)
	If 'Brewing' means finished, add it to 'Finished Statuses' under Options. The run may still be going. Get its results later with Result › Get Many, run ID 'run_1'. To wait longer, raise 'Wait Up To (Seconds)'
Run 'run_1' was still 'Brewing' after 1 min (request req_9)
	If 'Brewing' means finished, add it to 'Finished Statuses' under Options. The run may still be going. Get its results later with Result › Get Many, run ID 'run_1'. To wait longer, raise 'Wait Up To (Seconds)'
Run 'run_1' showed no status after 1 min (request req_9)
	The run may still be going. Open Executions and press Retry (↪): no second run is started. Or get its results later with Result › Get Many, run ID 'run_1'. To wait longer, raise 'Wait Up To (Seconds)'
Run 'run_1' ended as 'Brewing' (request req_9)
	To start a new run, change 'Idempotency Key' under Options. Retry only checks this one again. Get its results with Result › Get Many. If 'Brewing' is fine, add it to 'Finished Statuses' under Options
Run 'run_1' ended as 'Brewing' (request req_9)
	To start a new run, execute the n8n workflow from the start. Retry starts one, too. Get its results with Result › Get Many. If 'Brewing' is fine, add it to 'Finished Statuses' under Options
Run 'run_1' ended as 'Brewing' (request req_9)
	To start a new run, execute the n8n workflow from the start. Get its results with Result › Get Many. If 'Brewing' is fine, add it to 'Finished Statuses' under Options
Run 'run_1' ended as 'Brewing' (request req_9)
	To start a new run, call this tool again. Get its results with Result › Get Many. If 'Brewing' is fine, add it to 'Finished Statuses' under Options
Run 'run_1' ended as 'Brewing' (request req_9)
	To start a new run, call this tool again without Run_ID. Get its results with Result › Get Many. If 'Brewing' is fine, add it to 'Finished Statuses' under Options
Run 'run_1' ended as 'Brewing' (request req_9)
	To start a new run, change 'Idempotency Key' under Options. Get its results with Result › Get Many. If 'Brewing' is fine, add it to 'Finished Statuses' under Options
Run 'run_1' ended as '…' (request req_9)
	To start a new run, use Workflow › Run. Get its results with Result › Get Many. If '…' is fine, add it to 'Finished Statuses' under Options
The execution was canceled while waiting for run 'run_1'
	The run continues. Get its results later with Result › Get Many, run ID 'run_1'
The run was started, but the service returned no ID (request req_9)
	Find it with Run › Get Many
The Prospector workflow was created, but the service returned no ID (request req_9)
	Find it with Workflow › Get Many
The service returned run 'run_1' of Prospector workflow 'wf_2' instead of a run of 'wf_1' (request req_9)
	Before you start another run, look for a run of 'wf_1' with Run › Get Many. Send the request ID to the service's support
The service returned run 'run_1' of Prospector workflow 'wf_2' instead of a run of 'wf_1' (request req_9)
	The idempotency key may be in use for 'wf_2'. Include the Prospector workflow in it. Before you start another run, look for a run of 'wf_1' with Run › Get Many
The service returned Prospector workflow 'wf_2' instead of 'wf_1' (request req_9)
	Check both in the workspace, and send the request ID to the service's support
No result was found to show
	A test reads only the beginning of a few lists. Start a run and test again, or activate (publish) the n8n workflow: it needs no test
No run with the status 'done' or 'ended' was found
	The runs that were found show 'running', no status. To get runs with another status, enter it in 'Run Statuses' under Options. You can activate (publish) the n8n workflow without a test
No run that has failed was found
	The runs that were found show 'running'. To get runs with another status, enter it in 'Run Statuses' under Options. You can activate (publish) the n8n workflow without a test
`;

const texts = [...TEXTS.matchAll(/^(\S.*)\n\t(.*)$/gm)];
const rows = Object.entries(CASES).map(([name, message], index) => {
	const [, caller = 'node'] = /caller: (\w+)/.exec(name) ?? [];
	const actual = new UserError(message).messageFor(caller as Caller);
	return { name, actual, expected: texts[index] };
});

test('a message quotes a status of 512 characters as a whole', () => {
	const status = 'x'.repeat(512);
	expect(waitTimeoutMessage({ ...run, status }, 1000).message).toContain(`'${status}'`);
});

test.each(rows)(
	'the message about a run or a created resource says what happened and what to do when $name',
	({ actual, expected }) => {
		expect(actual).toEqual({ message: expected[1], description: expected[2] });
	},
);

test.each([
	[
		{ outcome: 'open', status: 'Brewing' },
		"Run 'run_1' is 'Brewing'. To wait for it again, call this tool again with the same ID.",
	],
	[
		{ outcome: 'open', status: '', expectedWorkflowId: 'wf_1' },
		"Run 'run_1' shows no status. To get its results, call a tool that gets a run or many results, with ID 'run_1'. Do not call this tool again, as that starts another run.",
	],
	[
		{ outcome: 'finished', status: 'Done', expectedWorkflowId: 'wf_1' },
		"Run 'run_1' is 'Done', but its results can't be read yet. To get its results, call a tool that gets a run or many results, with ID 'run_1'. Do not call this tool again, as that starts another run.",
	],
	[
		{ outcome: 'partial', status: 'Done', expectedWorkflowId: 'wf_1', runIdArgumentName: 'Run_ID' },
		"Run 'run_1' is 'Done', but its results can't be read yet. To get its results, call this tool again with Run_ID 'run_1': no other run is started.",
	],
])(
	'the note for a model says how to get the results of a run (%j)',
	({ status, outcome, ...awaited }, note) =>
		expect(noResultsYetNote({ runId: 'run_1', ...awaited }, status, outcome)).toBe(note),
);

test('the message of a timeout suggests Finished Statuses unless the status is a word such as "running" or "queued"', () => {
	const words = 'active,in-progress,Pending,processing,queued,running,started,waiting,done'.split(',');
	const asks = (status: string) =>
		new UserError(waitTimeoutMessage({ ...run, status }, 1)).messageFor('node').description.startsWith('If ');
	expect(words.filter(asks)).toEqual(['done']);
});

const MINUTE = 60_000;
test.each([
	[-5000, '0 s'],
	[59_001, '1 min'],
	[61 * MINUTE + 1000, '1 h 1 min 1 s'],
	[31 * 24 * 60 * MINUTE, '744 h'],
])('a message shows a duration of %i ms as %s, rounded up to whole seconds', (milliseconds, text) =>
	expect(formatDuration(milliseconds)).toBe(text),
);
