import {
	LONGEST_VALUE,
	MOST_ENTRIES,
	findSlot,
	REQUEST_ID_KEY as KEY,
	type CustomData,
} from '../../../nodes/Prospector/actions/tracing/customData';

const long = 'x'.repeat(LONGEST_VALUE);

describe('the place of a request id', () => {
	test.each<[string, string, CustomData, CustomData, unknown]>([
		['the first entry', 'a', {}, {}, { key: KEY, value: 'a' }],
		['behind another', 'b', { [KEY]: 'a' }, { [KEY]: 'a' }, { key: KEY, value: 'a b' }],
		['where it is', 'b', { [KEY]: 'a b c' }, { [KEY]: 'a b c' }, 'kept'],
		['behind one it begins', 'a', { [KEY]: 'ab' }, { [KEY]: 'ab' }, { key: KEY, value: 'ab a' }],
		['a new entry', 'b', { [KEY]: long }, { [KEY]: long }, { key: `${KEY}_2`, value: 'b' }],
		['not in somebody else’s', 'b', { [KEY]: 'a' }, {}, { key: `${KEY}_2`, value: 'b' }],
		['not in one that was changed', 'b', { [KEY]: 'a' }, { [KEY]: 'z' }, { key: `${KEY}_2`, value: 'b' }],
		['an entry that was taken away', 'b', {}, { [KEY]: 'a' }, { key: KEY, value: 'b' }],
		['beside other data', 'b', { order: '7' }, {}, { key: KEY, value: 'b' }],
		['nowhere where it is too long', `${long}y`, {}, {}, 'full'],
	])('is %s', (_, id, all, ours, expected) => {
		expect(findSlot(id, all, ours)).toEqual(expected);
	});

	test('is found for dozens, each in one entry of ours, until they are full', () => {
		const all: CustomData = { order: '7' };
		const ours: CustomData = {};
		const ids = Array.from({ length: 100 }, (_, i) => `req_${String(i).padStart(24, '0')}`);
		const stored = ids.filter((id) => {
			const place = findSlot(id, all, ours);
			if (typeof place === 'string') return false;
			all[place.key] = ours[place.key] = place.value;
			return true;
		});
		expect(stored).toEqual(ids.slice(0, 8 * MOST_ENTRIES));
		expect(Object.keys(ours)).toEqual([KEY, 2, 3, 4, 5].map((n) => (n === KEY ? n : `${KEY}_${n}`)));
		expect(Object.values(all).every((value) => value.length <= LONGEST_VALUE)).toBe(true);
		for (const id of stored) expect(findSlot(id, all, ours)).toBe('kept');
	});

	test('has a key that every n8n accepts', () => {
		expect(`${KEY}_${MOST_ENTRIES}`).toMatch(/^[A-Za-z0-9_]{1,50}$/);
	});
});
