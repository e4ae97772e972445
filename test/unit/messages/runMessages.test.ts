import {
	missingStatusMessage,
	noRunWithStatusMessage,
	nothingToShowMessage,
	progressLine,
	runFailedMessage,
	unnamedMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../../../nodes/Prospector/messages/runMessages';

const earlier = { runId: 'run_1', status: 'Brewing', requestId: 'req_9' };
const lastStatuses = {
	earlier,
	'started with a key': { ...earlier, startedRun: { id: 'run_1', idempotencyKey: 'key-1' } },
	'started with a key of the user': {
		...earlier,
		startedRun: { id: 'run_1', idempotencyKey: 'key-1', isUserKey: true },
	},
	'started without a key': { ...earlier, startedRun: { id: 'run_1' } },
};
type Origin = keyof typeof lastStatuses;

const KEEP_WAITING =
	"It goes on. Raise 'Wait Up To (Seconds)', or use Retry on this execution to keep waiting";
test.each<[Origin, string]>([
	['earlier', KEEP_WAITING],
	['started with a key', KEEP_WAITING],
	['started with a key of the user', KEEP_WAITING],
	[
		'started without a key',
		"The run goes on. Do not retry, as that starts another one. Get its results later with Run › Get, ID 'run_1'. To wait longer, raise 'Wait Up To (Seconds)'",
	],
])('a run that has not ended in time, and was %s, goes on', (origin, goOn) => {
	expect(waitTimeoutMessage(lastStatuses[origin], 3_600_000)).toEqual({
		message: "Run 'run_1' was still 'Brewing' after 1 h (request req_9)",
		description: `${goOn}. If 'Brewing' means finished, add it to 'Finished Statuses' under Options`,
	});
});

const USE_RUN = 'Next time, start it with Workflow › Run';
test.each<[Origin, string]>([
	['earlier', "Turn off 'Wait for Completion' to get the run itself"],
	['started with a key', USE_RUN],
	['started with a key of the user', USE_RUN],
	['started without a key', USE_RUN],
])('a run that shows no status, and was %s, goes on', (origin, instead) => {
	expect(missingStatusMessage({ ...lastStatuses[origin], status: '' })).toEqual({
		message: "Run 'run_1' shows no status, so its end cannot be seen (request req_9)",
		description: `It goes on. Get its results later with Result › Get Many. ${instead}`,
	});
});

const SAME_RUN = 'Retry only looks at this one again';
const RESULTS_AT = 'Its results are at Result › Get Many';
test.each<[Origin, string]>([
	['earlier', `To start a new one, use Workflow › Run; ${SAME_RUN}. ${RESULTS_AT}`],
	[
		'started with a key',
		`To start a new one, execute the workflow from the start; ${SAME_RUN}. ${RESULTS_AT}`,
	],
	[
		'started with a key of the user',
		`To start a new one, change 'Idempotency Key' under Options; ${SAME_RUN}. ${RESULTS_AT}`,
	],
	['started without a key', `${RESULTS_AT}. Retry starts a new one`],
])('the message for a run that has failed, and was %s, says what a retry does', (origin, advice) => {
	expect(runFailedMessage(lastStatuses[origin])).toEqual({
		message: "Run 'run_1' ended as 'Brewing' (request req_9)",
		description: `${advice}. If 'Brewing' is fine, add it to 'Finished Statuses' under Options`,
	});
});

test.each([
	[
		waitCanceledMessage('run_1'),
		"The execution was canceled while waiting for run 'run_1'",
		"The run goes on. Get its results later with Run › Get, ID 'run_1'",
	],
	[
		unnamedMessage('run', 'req_9'),
		'The run was started, but the service returned no ID (request req_9)',
		'Find it with Run › Get Many',
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
	['running', 61_000, 5000, "run 'run_1' is 'running' after 1 min 1 s, next check in 5 s"],
	['', 1, 0, "run 'run_1' has no status after 1 s, next check in 0 s"],
	['running', 3_600_000, 90_000, "run 'run_1' is 'running' after 1 h, next check in 1 min 30 s"],
	['running', 0, undefined, "run 'run_1' is 'running' after 0 s, the wait is over"],
])('the log line for the status %j after %i ms', (word, elapsed, nextCheck, line) => {
	expect(progressLine('run_1', word, elapsed, nextCheck)).toBe(line);
});
