import { EVENTS, playHistories, type ReplayedSeed } from './play';
import seeds from './seeds.json';

/** Number of histories for each event. `npm run simulate` plays others. */
const HISTORIES = Number(process.env.HISTORIES ?? 250);
const SEED = 1;
const MAX_MS = 300_000;

test.each(EVENTS)(
	'%s: each new item is emitted once, and what may be missing is reported',
	async (event) => {
		expect((await playHistories({ event, seed: SEED }, HISTORIES))?.text).toBeUndefined();
	},
	MAX_MS,
);

// `npm run simulate` prints the line to add. A seed stays the same history until settings.ts or commands.ts change.
test.each(seeds as ReplayedSeed[])(
	'the history %j violates no rule any more',
	async (start) => {
		expect((await playHistories(start, 1))?.text).toBeUndefined();
	},
	MAX_MS,
);
