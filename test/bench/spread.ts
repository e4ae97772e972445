/** What became of one figure over the rounds. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

/** @returns undefined where there are no values */
export function spreadOf(values: number[]): Spread | undefined {
	if (values.length === 0) return undefined;
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
	return { median, min: sorted[0], max: sorted[sorted.length - 1] };
}
