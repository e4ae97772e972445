// What `npm test` says at its end, and `.ci/run` reads from it and says itself: "N passed, N failed, N skipped".

export const noTests = () => ({ passed: 0, failed: 0, skipped: 0 });

export const closingLine = ({ passed, failed, skipped }) =>
	`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;

/** @returns the totals in a command's output, or undefined where it has no closing line */
export function readTotals(output) {
	const line = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output);
	if (!line) return undefined;
	const [passed, failed, skipped] = line.slice(1).map((count) => Number(count ?? 0));
	return { passed, failed, skipped };
}
