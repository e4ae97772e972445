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
	const [budget, later] = [newBudget(2, 0, clock), newBudget(2, 0, clock)];
	expect([budget.timeLeftMs(), budget.isUsedUp(), takeAll(budget)]).toEqual([TIME_MS, false, 2]);
	expect([budget.isUsedUp(), later.isUsedUp()]).toEqual([true, false]);
	clock.skip(TIME_MS + 1);
	expect([later.timeLeftMs(), later.isUsedUp()]).toEqual([0, true]);
});

test.each([
	[30, 0, 30, 0],
	[30, 10, 20, 0],
	[30, 100, 15, 85],
	[5, 50, 3, 48],
	[5, 2700, 3, 48],
])(
	'a poll with at most %d requests, after earlier polls sent %d too many, sends %d and leaves %d for later polls to save',
	(maximum, before, sent, after) => {
		const budget = newBudget(maximum, before);
		expect([takeAll(budget), budget.computeOverdraft()]).toEqual([sent, after]);
		budget.allowRequests(2);
		expect([takeAll(budget), budget.computeOverdraft()]).toEqual([2, after + 2]);
	},
);

test('polls with a budget of 30 requests send 30 on average even if some polls extend their budget to 300', async () => {
	let overdraft = 0;
	const sent: number[] = [];
	for (let polls = 0; polls < 100; polls++) {
		const budget = newBudget(30, overdraft);
		// Of two lists, each may be long.
		await budget.withExtraRequests(async () => await Promise.resolve(budget.takeRequest()));
		sent.push(1 + (await budget.withExtraRequests(async () => await Promise.resolve(takeAll(budget)))));
		overdraft = budget.computeOverdraft();
		expect([overdraft <= 270, budget.takeRequest()]).toEqual([true, false]);
	}
	expect(sent[0]).toBe(300);
	expect(sent.reduce((sum, requests) => sum + requests) - overdraft).toBe(100 * 30);
});

test('a request budget returns to its usual maximum when a task with an extended budget throws', async () => {
	const budget = newBudget(30);
	const task = budget.withExtraRequests(async () => await Promise.reject(new Error('a')));
	await expect(task).rejects.toThrow('a');
	expect(takeAll(budget)).toBe(30);
});
