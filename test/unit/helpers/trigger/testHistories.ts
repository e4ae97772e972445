import fc from 'fast-check';
import { historiesOf, replay, type History } from './history';
import { violationsOf } from './violations';

const { HISTORIES = '500', SEED } = process.env;

/** A poll has time for four requests: a run and its results were always the last that it could read. */
const STARVATION: History = {
	order: 'newest',
	cursors: 'keyset',
	pageSize: 1,
	maxItems: 1,
	maxRequests: 5,
	scheduler: 'durable',
	clock: { hasDate: false, n8nAhead: 0 },
	slow: 9000,
	scope: 'all',
	words: ['queued', 'running', 'completed', 'failed'],
	spaced: true,
	runs: 40,
	before: [],
	events: [{ kind: 'results', which: 0, count: 1 }],
};

/** Tests that an event's promise holds in random histories: `HISTORIES` of them, the same ones with the same `SEED`. */
export function testHistories(promise: string, event: string): void {
	const holds = async (history: History) =>
		expect(violationsOf(await replay(history, event), event)).toEqual({ lost: [], repeated: [], wrong: [] });
	const check = async () =>
		await fc.assert(fc.asyncProperty(historiesOf({ maxLength: 60 }), holds), {
			numRuns: Number(HISTORIES),
			examples: [[STARVATION]],
			...(SEED && { seed: Number(SEED) }),
		});
	test(promise, check, Number(HISTORIES) * 4000);
}
