import {
	noRunWithStatusMessage,
	nothingToShowMessage,
	progressLine,
	runFailedMessage,
	unnamedRunMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../../../nodes/Prospector/messages/runMessages';

const RUN = { runId: 'run_9', status: 'running', requestId: 'req_7' };
const STARTED = { ...RUN, startedRun: { id: 'run_9', idempotencyKey: 'key-1' } };

test.each([
	[
		RUN,
		/^The run goes on\. Look at it again later with Run › Get, ID 'run_9', or retry this, .+ 'Max Wait' /,
	],
	[
		STARTED,
		/^The run goes on\. Read it later .+, ID 'run_9'\. .+ to 'key-1'\. To wait longer, raise 'Max Wait' /,
	],
	[{ ...RUN, status: '' }, /^The run goes on\. .+ turn off 'Wait for Completion'$/],
])('the message for a wait that took too long says what to do, and so for %j', (last, description) => {
	const shown = waitTimeoutMessage(last, 90_000);
	const was = last.status === '' ? 'had no status' : "was still 'running'";
	expect(shown.message).toBe(`Run 'run_9' ${was} after 90 s (request req_7)`);
	expect(shown.description).toMatch(description);
});

test.each([
	[RUN, /\. A retry looks at the same run again\. To start another, use Workflow › Run\. If 'failed' /],
	[
		STARTED,
		/\. A retry of this execution looks at the same run again and starts no other\. .+\. If 'failed' /,
	],
	[{ ...RUN, startedRun: { id: 'run_9' } }, /\. A retry of this execution starts another run, /],
])('the message for a run that failed says what a retry does after %j', (last, description) => {
	const shown = runFailedMessage({ ...last, status: 'failed' });
	expect(shown.message).toBe("Run 'run_9' ended as 'failed' (request req_7)");
	expect(shown.description).toMatch(/^What it found can still be read with Result › Get Many, ID 'run_9'\. /);
	expect(shown.description).toMatch(description);
});

test('the messages for a canceled wait and for a run without an ID name where to look', () => {
	const shown = [waitCanceledMessage('run_9'), unnamedRunMessage('req_7')];
	expect(shown.map(({ message }) => message)).toEqual([
		"The execution was canceled while waiting for run 'run_9'",
		'A run was started, but the service did not name it (request req_7)',
	]);
	expect(shown.map(({ description }) => /Run › Get( Many)?$/.test(description))).toEqual([true, true]);
});

test.each([
	['running', 2000, "run 'run_9' is 'running' after 1 min 30 s, next look in 2 s"],
	['', 2000, "run 'run_9' has no status after 1 min 30 s, next look in 2 s"],
	['done', undefined, "run 'run_9' is 'done' after 1 min 30 s, the wait is over"],
])('the log of a wait names the status %j and the next look in %j ms', (status, nextCheck, line) => {
	expect(progressLine('run_9', status, 90_000, nextCheck)).toBe(line);
});

test.each(['result', 'run'] as const)('the message for a test without a %s says what to do', (what) => {
	expect(nothingToShowMessage(what)).toEqual({
		message: `There is no ${what} to show yet`,
		description: 'Start a run and test again, or activate the workflow: it needs no test',
	});
});

test.each([
	[
		['done', 'ended', 'done'],
		['running', 'queued'],
		"No run has the status 'done' or 'ended'",
		"Your runs show 'running', 'queued'. Use such words in 'Run Statuses' under Options",
	],
	[
		[],
		['running'],
		'No run has failed yet',
		"Your runs show 'running'. If one of these means that a run has failed, enter it in 'Run Statuses' under Options",
	],
])('the message for a test without a run in %j says what to do', (wanted, existing, message, description) => {
	expect(noRunWithStatusMessage(wanted, existing)).toEqual({ message, description });
});
