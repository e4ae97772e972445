import { GOAL, medianRatio, runGrid } from '../unit/helpers/rateGrid';

/** The number of fast rows differs between seeds. */
const TOLERANCE = 3;

/** Reads at 99 kinds of limits with the package's rate limiter, in virtual time. */
export async function testRateLimits(seed: number): Promise<{ line: string; hasPassed: boolean }> {
	const rows = await runGrid(seed);
	const fast = rows.filter(({ ratio }) => ratio <= GOAL.ratio).length;
	const failed = rows.reduce((sum, row) => sum + row.failed, 0);
	const median = medianRatio(rows).toFixed(3);
	return {
		line: `Rate limits (--limits-seed ${seed}): ${fast} of ${rows.length} within ${GOAL.ratio}, median ${median}, ${failed} failed requests`,
		hasPassed: fast >= GOAL.rows - TOLERANCE && failed === 0,
	};
}
