import { RequestBudget } from '../../../../nodes/Prospector/transport/request/requestBudget';
import { FakeClock } from '../../helpers/fakeClock';

const TIME_MS = 10_000;

const newBudget = (maxRequests: number, overdraft?: number, clock = new FakeClock()) =>
	new RequestBudget(clock, { maxRequests, overdraft, timeMs: TIME_MS });

/** Takes requests until none is left, and returns their number. */
function takeAll({ takeRequest }: RequestBudget): number {
	let taken = 0;
	while (takeRequest()) taken++;
	return taken;
}

test('half of a budget is used when half of its remaining requests or of its remaining time is used', () => {
	const clock = new FakeClock();
	const budget = newBudget(10, 0, clock);
	for (let requests = 0; requests < 4; requests++) budget.takeRequest();
	const isHalfUsed = budget.half();
	for (let requests = 0; requests < 2; requests++) budget.takeRequest();
	expect(isHalfUsed()).toBe(false);
	budget.takeRequest();
	expect(isHalfUsed()).toBe(true);
	const isHalfOver = budget.half();
	clock.skip(TIME_MS / 2 - 1);
	expect(isHalfOver()).toBe(false);
	clock.skip(1);
	expect(isHalfOver()).toBe(true);
});

test('a budget is used up when its requests are sent or its time is over', () => {
	const clock = new FakeClock();
	const budget = newBudget(2, 0, clock);
	expect([budget.timeLeftMs(), budget.isUsedUp(), takeAll(budget), budget.isUsedUp()]).toEqual([
		...[TIME_MS, false, 2, true],
	]);
	const later = newBudget(2, 0, clock);
	clock.skip(TIME_MS + 1);
	expect([later.timeLeftMs(), later.isUsedUp()]).toEqual([0, true]);
});

test.each([
	[30, 0, 30, 0],
	[30, 10, 20, 0],
	[30, 15, 15, 0],
	[30, 100, 15, 85],
	[5, 100, 3, 98],
])(
	'with a maximum of %d requests and an overdraft of %d sends %d and leaves %d',
	(maximum, before, sent, after) => {
		const budget = newBudget(maximum, before);
		expect([takeAll(budget), budget.overdraft()]).toEqual([sent, after]);
	},
);

test.each([
	[0, 300, 270],
	[1, 29, 0],
])(
	'with an overdraft of %d an extended task sends %d requests and leaves %d',
	async (before, sent, after) => {
		const budget = newBudget(30, before);
		expect(await budget.extend(async () => await Promise.resolve(takeAll(budget)))).toBe(sent);
		expect([budget.overdraft(), budget.takeRequest()]).toEqual([after, false]);
	},
);

test('an extended task that throws leaves the usual maximum', async () => {
	const budget = newBudget(30);
	await expect(budget.extend(async () => await Promise.reject(new Error('a')))).rejects.toThrow('a');
	expect(takeAll(budget)).toBe(30);
});

test('the average stays at the maximum when extended tasks leave overdrafts', async () => {
	let overdraft = 0;
	let sent = 0;
	for (let polls = 0; polls < 100; polls++) {
		const budget = newBudget(30, overdraft);
		sent += await budget.extend(async () => await Promise.resolve(takeAll(budget)));
		overdraft = budget.overdraft();
	}
	expect(sent - overdraft).toBe(100 * 30);
	expect(overdraft).toBeLessThanOrEqual(270);
});
