import * as messages from '../../../nodes/Prospector/messages/triggerMessages';

test.each([
	[
		messages.unreadableListMessage('The list of runs'),
		"The list of runs can't be read to the end, so items may be missing",
		"A poll reads it from its first page, but the service stops before its end, or it has more pages than a poll can read. Raise 'Page Size' and 'Max Requests per Poll' in the trigger's options",
	],
	[
		messages.forgottenRunsMessage(12),
		'The trigger has no room for all the runs that it watches and has forgotten 12 of their entries, so items may be missing',
		'Watch fewer Prospector workflows with each trigger, or get what is missing with the Prospector node',
	],
	[
		messages.UNTIMED_ITEMS_MESSAGE,
		"Items without a valid 'created_at' were left out, because the trigger can't tell whether they are new",
		'It has forgotten the oldest items of their list to save space. Watch fewer Prospector workflows with each trigger, or get these items with the Prospector node',
	],
	[
		messages.unusableIdMessage('run'),
		'The service returned a run without a usable ID, so it was left out',
		"Ask the service's support why an 'id' is empty or is not text",
	],
	[
		messages.rateLimitedMessage('listing the Prospector workflows'),
		'For an hour, the rate limit has kept the trigger from listing the Prospector workflows',
		'Other requests succeed, and the trigger keeps trying. Ask the service whether it has a limit of its own for this, or use an API key with a higher limit',
	],
	[
		messages.otherRunMessage('run_1'),
		"The service returned another run in place of run 'run_1', so it was left out",
		"The trigger keeps trying. Ask the service's support why the 'id' is another one",
	],
])(
	'the message of the trigger %j says what may be missing and what to do',
	(actual, message, description) => {
		expect(actual).toEqual({ message, description });
	},
);

test.each([
	[undefined, 'After that, the next poll catches up: nothing is lost.'],
	[
		"reading run 'run_1'",
		"It failed when reading run 'run_1'. After that, the next poll catches up: nothing is lost.",
	],
])('a failed poll that was %j says that nothing is lost', (taskName, note) =>
	expect(messages.catchUpNote(taskName)).toBe(note),
);
