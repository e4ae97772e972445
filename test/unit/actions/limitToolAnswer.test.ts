import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { limitToolAnswer, MAX_ANSWER_BYTES } from '../../../nodes/Prospector/actions/limitToolAnswer';

/** Texts that are short, or up to 120 kB, and take more bytes as JSON in JSON. */
const text = fc
	.tuple(fc.constantFrom('a', 'ä', '"', '\\', '\n', '😀'), fc.constantFrom(1, 100, 5000, 60_000))
	.map(([piece, count]) => piece.repeat(count));
const items = fc
	.array(text, { maxLength: 30 })
	.map((texts) => texts.map((name, index): IDataObject => ({ id: `res_${index}`, run_id: 'run_1', name })));
const answer = fc.record({
	startAt: fc.integer({ min: 1, max: 9999 }),
	hasMore: fc.boolean(),
	runId: fc.option(fc.constant('run_1'), { nil: undefined }),
});
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

test('limitToolAnswer returns at most 50 kB, cuts no item and names the position of the next item', () => {
	fc.assert(
		fc.property(items, answer, (all, given) => {
			const limited = limitToolAnswer(
				all.map((json) => ({ json })),
				given,
			).map(({ json }) => json);
			expect(bytesOf(limited)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
			const kept = limited.filter(({ id }) => id !== undefined);
			for (const [index, item] of kept.entries()) {
				const isWhole = JSON.stringify(item) === JSON.stringify(all[index]);
				const isLeftOut = item.id === all[index].id && String(item.note).includes('too large');
				expect(isWhole || isLeftOut).toBe(true);
			}
			if (kept.length === all.length) return expect(limited).toHaveLength(all.length);
			expect(limited).toHaveLength(kept.length + 1);
			// Another call gets further.
			expect(kept.length).toBeGreaterThan(0);
			const next = given.startAt + kept.length;
			const total = `${given.hasMore ? 'more than ' : ''}${given.startAt - 1 + all.length}`;
			expect(limited.at(-1)?.note).toMatch(
				RegExp(`^These are items ${given.startAt} to ${next - 1} of ${total}\\. .* Start At = ${next}\\.$`),
			);
		}),
		{ numRuns: 300 },
	);
});
