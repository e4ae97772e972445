import { EVENTS, playHistories, type ReplayedSeed } from './play';
import seeds from './seeds.json';

/** Number of histories for each event. `npm run simulate` plays others. */
const HISTORIES = Number(process.env.HISTORIES ?? 50); // eslint-disable-line @n8n/community-nodes/no-restricted-globals -- not published
const SEED = 1;
const MAX_MS = 300_000;

test.each(EVENTS)(
	'the trigger with the event %s emits each new item once or reports possible losses in random simulations',
	async (event) => {
		expect((await playHistories({ event, seed: SEED }, HISTORIES))?.text).toBeUndefined();
	},
	MAX_MS,
);

// `npm run simulate` prints the line to add. A seed stays the same history until settings.ts or commands.ts change.
test.each(seeds as ReplayedSeed[])(
	'the trigger emits each item once or reports possible losses in the replay of a simulation that once failed: %j',
	async (start) => {
		expect((await playHistories(start, 1))?.text).toBeUndefined();
	},
	MAX_MS,
);
