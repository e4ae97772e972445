import { GRID, runRow } from '../unit/helpers/rateGrid';

/** At least as many rows take at most this ratio of the time of back-off or of a known limit. */
const MIN_ROWS = 81;
const MAX_RATIO = 1.15;

/** Reads at 99 kinds of limits with the package's rate limiter, in virtual time. */
export async function testRateLimits(seed: number): Promise<{ line: string; hasPassed: boolean }> {
	const ratios: number[] = [];
	let failed = 0;
	for (const row of GRID) {
		const result = await runRow(row, seed);
		ratios.push(result.ratio);
		failed += result.failed;
	}
	ratios.sort((a, b) => a - b);
	const rows = ratios.filter((ratio) => ratio <= MAX_RATIO).length;
	const median = ratios[ratios.length >> 1].toFixed(3);
	return {
		line: `Rate limits (--limits-seed ${seed}): ${rows} of ${GRID.length} within ${MAX_RATIO}, median ${median}, ${failed} failed requests`,
		hasPassed: rows >= MIN_ROWS && failed === 0,
	};
}
