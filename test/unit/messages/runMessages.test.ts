import { noRunWithStatusMessage, nothingToShowMessage } from '../../../nodes/Prospector/messages/runMessages';

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
