import * as messages from '../../../nodes/Prospector/messages/triggerMessages';

test('each message of the trigger says what may be missing and what to do', () => {
	const texts = [
		messages.unreadableListMessage('The list of runs'),
		messages.forgottenRunsMessage(12),
		messages.UNTIMED_ITEMS_MESSAGE,
		messages.unusableIdMessage('The list of runs'),
		messages.unexpectedRunMessage('run_1'),
	].map(({ message, description }) => `${message}. ${description}`);
	expect(texts).toEqual([
		"The list of runs can't be read to the end, so items may be missing. A poll reads it from its first page, but the service stops before its end, or it has more pages than a poll can read. Raise 'Page Size' and 'Max Requests per Poll' in the trigger's options",
		'The trigger has no room for all the runs that it watches and has forgotten 12 of their entries, so items may be missing. Watch fewer Prospector workflows with each trigger, or get what is missing with the Prospector node',
		"Items without a valid 'created_at' were left out, because the trigger can't tell whether they are new. It has forgotten the oldest items of their list to save space. Watch fewer Prospector workflows with each trigger, or get these items with the Prospector node",
		"The list of runs contains an item without a usable ID, which was left out. Ask the service's support why an 'id' is empty or is not text",
		"The service returned another run in place of run 'run_1', so it was left out. The trigger keeps trying. Ask the service's support why the 'id' is another one",
	]);
});

test('the note on a failed poll says what the poll was doing, and that nothing is lost', () => {
	expect(messages.catchUpNote("reading run 'run_1'")).toBe(
		"It failed when reading run 'run_1'. After that, the next poll catches up: nothing is lost.",
	);
});
