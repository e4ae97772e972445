import {
	shouldLog,
	progressLine,
	createProgressLogger,
} from '../../../../nodes/Prospector/actions/run/progressLog';
import { pollInterval } from '../../../../nodes/Prospector/model/runStatus';

const minute = 60_000;

describe('a look', () => {
	test.each([
		['the first', 0, undefined, true],
		['another status', 1001, { status: 'queued', elapsed: 1000 }, true],
		['the same status at once', 1, { status: 'running', elapsed: 0 }, true],
		['the same status soon', 14_000, { status: 'running', elapsed: 10_000 }, false],
		['the same status half as long again', 15_000, { status: 'running', elapsed: 10_000 }, true],
		['the same status for hours', 123 * minute, { status: 'running', elapsed: 120 * minute }, false],
		['the same status for hours, again', 125 * minute, { status: 'running', elapsed: 120 * minute }, true],
	])('is told or not: %s', (_, elapsed, before, expected) => {
		expect(shouldLog({ status: 'running', elapsed }, before)).toBe(expected);
	});

	test.each([
		['running', 0, 1000, "run 'run_1' is 'running' after 0 s, next look in 1 s"],
		['running', 125_000, 29_500, "run 'run_1' is 'running' after 2 min 5 s, next look in 30 s"],
		['completed', 61_000, undefined, "run 'run_1' is 'completed' after 1 min 1 s, the wait is over"],
		[undefined, 3000, 1000, "run 'run_1' has no status after 3 s, next look in 1 s"],
	])('at the status %j after %d ms', (status, elapsed, pause, expected) => {
		expect(progressLine('run_1', { run: { status }, elapsed, pause })).toBe(expected);
	});
});

describe('the log of a wait', () => {
	function linesOf(looks: Array<[status: string, elapsed: number, pause?: number]>) {
		const lines: string[] = [];
		const tell = createProgressLogger('run_1', (line) => lines.push(line));
		for (const [status, elapsed, pause] of looks) tell({ run: { status }, elapsed, pause });
		return lines;
	}

	test('tells the end, however soon after the last line', () => {
		expect(
			linesOf([
				['running', 10_000, 1000],
				['running', 11_000, 1000],
				['running', 12_000],
			]),
		).toEqual([
			"run 'run_1' is 'running' after 10 s, next look in 1 s",
			"run 'run_1' is 'running' after 12 s, the wait is over",
		]);
	});

	test('has few lines for a whole day in one status, and none is far from the next', () => {
		const looks: Array<[string, number, number]> = [];
		for (let elapsed = 0; elapsed < 24 * 60 * minute;) {
			const pause = pollInterval(looks.length + 1, 0.5, Infinity);
			looks.push(['running', elapsed, pause]);
			elapsed += pause;
		}
		const lines = linesOf(looks);
		expect(looks.length).toBeGreaterThan(2800);
		expect(lines.length).toBeLessThan(310);
		expect(lines.length).toBeGreaterThan(270);
	});
});
