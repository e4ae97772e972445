import {
	addOrderEvidence,
	NO_EVIDENCE,
	findProvenOrder,
} from '../../../../nodes/Prospector/transport/list/listState';

const numbers = (from: number, to: number) =>
	Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + Math.sign(to - from) * index);

test.each([
	['newest', [20, 20, ...numbers(19, 1), 1]],
	['oldest', numbers(1, 20)],
	[undefined, [...numbers(1, 20), 3]],
	[undefined, [...numbers(20, 1), undefined]],
	// Too few timestamps can be in order by chance.
	[undefined, numbers(11, 1)],
	['newest', numbers(12, 1)],
	[undefined, Array.from({ length: 50 }, () => 7)],
	[undefined, []],
])(
	'findProvenOrder returns the order %s if the items of a list have the creation times %j',
	(order, times) => {
		expect(findProvenOrder(times.reduce(addOrderEvidence, NO_EVIDENCE))).toBe(order);
	},
);
