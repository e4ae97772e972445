import { RequestBudget } from '../../../nodes/Prospector/trigger/budget';
import { FakeClock } from '../helpers/fakeClock';

const TIME_MS = 10_000;

const newBudget = (maxRequests: number, overdraft = 0, clock = new FakeClock()) =>
	new RequestBudget(clock, maxRequests, overdraft, TIME_MS);

/** Takes requests until none is left, and returns their number. */
function takeAll({ takeRequest }: RequestBudget): number {
	let taken = 0;
	while (takeRequest()) taken++;
	return taken;
}

test('a request budget is used up if all its requests are sent or its time is over', () => {
	const clock = new FakeClock();
	const [budget, later] = [newBudget(2, 1, clock), newBudget(2, 1, clock)];
	const shown = (one: RequestBudget) => [one.timeLeftMs(), one.isUsedUp(), one.mayBeginTask()];
	expect([...shown(budget), takeAll(budget)]).toEqual([TIME_MS, false, true, 1]);
	expect([shown(budget), shown(later)]).toEqual([
		[TIME_MS, true, false],
		[TIME_MS, false, true],
	]);
	clock.skip(TIME_MS - 1000);
	expect(shown(later)).toEqual([1000, false, true]);
	// Too short for a request.
	clock.skip(1);
	expect(shown(later)).toEqual([999, true, false]);
});

test('a poll without an overdraft may send ten times its maximum of requests, but begins no further list after its maximum', () => {
	const budget = newBudget(2);
	const mayBegin = Array.from({ length: 20 }, () => [budget.mayBeginTask(), budget.takeRequest()]);
	expect(mayBegin).toEqual(mayBegin.map((_, index) => [index < 2, true]));
	expect(budget.takeRequest()).toBe(false);
});

test.each([
	[30, 0, 300, 270],
	[30, 10, 20, 0],
	[30, 100, 15, 85],
	[5, 50, 3, 48],
	[5, 2700, 3, 48],
])(
	'a poll with at most %d requests, after earlier polls sent %d too many, sends %d and leaves %d for later polls to save',
	(maximum, before, sent, after) => {
		const budget = newBudget(maximum, before);
		expect([takeAll(budget), budget.computeOverdraft()]).toEqual([sent, after]);
	},
);
