export interface Totals {
	passed: number;
	failed: number;
	skipped: number;
}

export function noTests(): Totals;
export function closingLine(totals: Totals): string;
export function readTotals(output: string): Totals | undefined;
