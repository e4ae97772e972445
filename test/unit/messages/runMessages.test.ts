import {
	noRunWithStatusMessage,
	nothingToShowMessage,
	progressLine,
	runFailedMessage,
	unnamedRunMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../../../nodes/Prospector/messages/runMessages';

const earlier = { runId: 'run_1', status: 'Brewing', requestId: 'req_9' };
const started = { ...earlier, startedRun: { id: 'run_1', idempotencyKey: 'key-1' } };
const startedWithoutKey = { ...earlier, startedRun: { id: 'run_1' } };

const READ_LATER =
	"The run goes on. Read it later with Run › Get and its results with Result › Get Many, ID 'run_1'";
const CONTINUE = {
	earlier:
		"The run goes on. Look at it again later with Run › Get, ID 'run_1', or retry this, which waits for the same run",
	started: `${READ_LATER}. Or retry this from the executions list, which goes on with the same run. To repeat it in any other way, set 'Idempotency Key' under Options to 'key-1'`,
	startedWithoutKey: `${READ_LATER}. Do not retry this: no idempotency key was sent, so another run would be started`,
};

const LAST_STATUSES = [
	['earlier', earlier],
	['started', started],
	['startedWithoutKey', startedWithoutKey],
] as const;

describe('a run that has not ended in time', () => {
	test.each(LAST_STATUSES)('and was %s', (name, lastStatus) => {
		expect(waitTimeoutMessage(lastStatus, 90_499)).toEqual({
			message: "Run 'run_1' was still 'Brewing' after 90 s (request req_9)",
			description: `${CONTINUE[name]}. To wait longer, raise 'Retry For (Seconds)' under Options. If 'Brewing' means that it has finished, add it to 'Finished Statuses' there, or to 'Failed Statuses' if it is a bad end`,
		});
	});

	test.each(LAST_STATUSES)('has no status and was %s', (name, lastStatus) => {
		expect(waitTimeoutMessage({ ...lastStatus, status: '' }, 1500)).toEqual({
			message: "Run 'run_1' had no status after 2 s (request req_9)",
			description: `${CONTINUE[name]}. Without a status it cannot be told when the run has finished: turn off 'Wait for Completion'`,
		});
	});
});

test.each([
	[
		'a run that was started earlier',
		earlier,
		'A retry looks at the same run again. To start another, use Workflow › Run',
	],
	[
		'a run that was started with a key',
		started,
		"A retry of this execution looks at the same run again and starts no other. To start another, execute the n8n workflow anew, with another 'Idempotency Key' if you gave one",
	],
	[
		'a run that was started without a key',
		startedWithoutKey,
		'A retry of this execution starts another run, since no idempotency key was sent',
	],
])('the message for %s and has failed says what a retry does', (_, lastStatus, retry) => {
	expect(runFailedMessage(lastStatus)).toEqual({
		message: "Run 'run_1' ended as 'Brewing' (request req_9)",
		description: `What it found can still be read with Result › Get Many, ID 'run_1'. ${retry}. If 'Brewing' is no bad end, take it out of 'Failed Statuses' under Options`,
	});
});

test.each([
	[
		waitCanceledMessage('run_1'),
		"The execution was canceled while waiting for run 'run_1'",
		'The run itself goes on. Look at it with Run › Get',
	],
	[
		unnamedRunMessage('req_9'),
		'A run was started, but the service did not name it (request req_9)',
		"It cannot be waited for. Turn off 'Wait for Completion' and look for it with Run › Get Many",
	],
	[
		nothingToShowMessage('result'),
		'There is no result to show yet',
		'Start a run and test again, or activate the workflow: it needs no test',
	],
	[
		nothingToShowMessage('run'),
		'There is no run to show yet',
		'Start a run and test again, or activate the workflow: it needs no test',
	],
	[
		noRunWithStatusMessage(['done', 'ended', 'done'], ['running', 'queued']),
		"No run has the status 'done' or 'ended'",
		"Your runs show 'running', 'queued'. Use such words in 'Run Statuses' under Options",
	],
	[
		noRunWithStatusMessage([], ['running']),
		'No run has failed yet',
		"Your runs show 'running'. If one of these means that a run has failed, enter it in 'Run Statuses' under Options",
	],
])('%j says what to do', (shown, message, description) => expect(shown).toEqual({ message, description }));

test.each([
	['running', 61_000, 5000, "run 'run_1' is 'running' after 1 min 1 s, next look in 5 s"],
	['', 1, 0, "run 'run_1' has no status after 1 s, next look in 0 s"],
	['running', 0, undefined, "run 'run_1' is 'running' after 0 s, the wait is over"],
])('the log line for the status %j after %i ms', (word, elapsed, nextCheck, line) => {
	expect(progressLine('run_1', word, elapsed, nextCheck)).toBe(line);
});
