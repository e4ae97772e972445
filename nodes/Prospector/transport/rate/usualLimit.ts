/** Leading figures of the limits that services choose as a rule: 60, 100, 150, 600, … */
const LEADING = [1, 1.2, 1.5, 2, 2.4, 2.5, 3, 4, 5, 6, 8, 9];

/** Whether a rolling limit of so many requests would surprise nobody. */
export function isUsualLimit(requests: number): boolean {
	return requests > 0 && LEADING.includes(requests / 10 ** Math.floor(Math.log10(requests)));
}
