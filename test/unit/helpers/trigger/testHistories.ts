import fc from 'fast-check';
import { historiesOf, replay, type History } from './history';
import { violationsOf } from './violations';

const { HISTORIES = '200', SEED } = process.env;

/** A poll has time for four requests only, so it rarely reaches the results of the last run. */
const STARVATION: History = {
	order: 'newest',
	cursors: 'keyset',
	pageSize: 1,
	maxItems: 1,
	maxRequests: 5,
	scheduler: 'durable',
	clock: { hasDate: false, n8nAhead: 0 },
	responseMs: 9000,
	watch: 'all',
	statuses: ['queued', 'running', 'completed', 'failed'],
	hasDistinctTimes: true,
	runs: 40,
	eventsBefore: [],
	events: [{ kind: 'addResults', index: 0, count: 1 }],
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
