import histories from './histories.json';
import { type History, playHistories, replayHistory } from './play';
import { EVENTS } from './settings';

/** Number of histories for each event. `npm run simulate` plays others. */
const HISTORIES = Number(process.env.HISTORIES ?? 30); // eslint-disable-line @n8n/community-nodes/no-restricted-globals -- not published
/** One each, because a large history takes 20 s: not all events should have the same. */
const SEEDS = Object.fromEntries(EVENTS.map((event, index) => [event, index + 1]));
const MAX_MS = 300_000;

/** Two files test every second event each, because one would take longer than all others. */
export function testHistories(part: 1 | 2): void {
	const events = EVENTS.filter((_, index) => index % 2 === part - 1);
	test.each(events)(
		'the trigger with the event %s emits each new item once or reports possible losses in random simulations',
		async (event) => {
			expect((await playHistories(event, SEEDS[event], HISTORIES))?.message).toBeUndefined();
		},
		MAX_MS,
	);

	// `npm run simulate` prints a history that violates a rule, to add it here.
	const stored = (histories as History[]).map((history, at) => [at + 1, history.event, history] as const);
	test.each(stored.filter(([, event]) => events.includes(event)))(
		'the trigger emits each item once or reports possible losses in the stored history %i of the event %s',
		async (_, __, history) => {
			await expect(replayHistory(history)).resolves.toBeUndefined();
		},
		MAX_MS,
	);
}
