import { executeNode } from './helpers/hostile/attempt';
import { baseUrls } from './helpers/hostile/baseUrls';
import { bodies } from './helpers/hostile/bodies';
import { ids } from './helpers/hostile/ids';
import { replies } from './helpers/hostile/responses';
import { texts } from './helpers/hostile/texts';
import { BASE, KEY } from './helpers/support';

/** Any piece of the API key that would help to guess it. */
const PIECE_OF_KEY = KEY.slice(0, 6);

test.each([...ids, ...texts, ...bodies, ...baseUrls, ...replies])(
	'the node is not led astray by $what',
	async ({ given, expected, origin = BASE }) => {
		const { outcome, requests } = await executeNode(given);

		expect(outcome).toMatchObject(expected);
		for (const { url, disableFollowRedirect, headers } of requests) {
			expect(new URL(url).origin).toBe(origin);
			expect(disableFollowRedirect).toBe(true);
			expect(JSON.stringify([url, headers])).not.toContain(KEY);
		}
		const words = JSON.stringify([outcome.message, outcome.description, outcome.items]);
		expect(words).not.toContain(PIECE_OF_KEY);
		expect(String(outcome.message)).not.toMatch(/\p{Cc}/u);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	},
);

test('every hostile case is a case of its own', () => {
	const names = [...ids, ...texts, ...bodies, ...baseUrls, ...replies].map(({ what }) => what);
	expect(names.length).toBeGreaterThanOrEqual(150);
	expect(new Set(names).size).toBe(names.length);
});
