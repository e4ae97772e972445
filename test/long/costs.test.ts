/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readPage, ROOT } from '../tools/markdown';

/** Index of the first cell of an event in a row of the table. */
const FIRST_CELLS = Object.entries({ newRun: 2, newResult: 5 });

/** Measures in another process, because Jest's isolation triples the time. @returns rows of the table */
async function measureRows(event: string): Promise<string[][]> {
	const args = ['--import', 'tsx', 'test/long/costs.ts', event];
	const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
	return JSON.parse(stdout) as string[][];
}

const parseCell = (cell: string): number[] =>
	cell.split(', ').map((part) => (part === '> 60' ? Infinity : Number(part.replace(',', ''))));

function isClose(measured: string, documented: string): boolean {
	const expected = parseCell(documented);
	const numbers = parseCell(measured);
	const differsAt = (number: number, index: number) =>
		number !== expected[index] && !(Math.abs(number - expected[index]) <= Math.max(expected[index] / 5, 0.5));
	return numbers.length === expected.length && !numbers.some(differsAt);
}

test.each(FIRST_CELLS)(
	'docs/engineering.md states the numbers of requests and the delays that are measured for the event %s',
	async (event, firstCell) => {
		const { tables } = await readPage('docs/engineering.md');
		const [, ...rows] = tables.find(([[title]]) => title === 'Prospector workflows') ?? [];
		const documented = rows.map((row) => [...row.slice(0, 2), ...row.slice(firstCell, firstCell + 3)]);
		const measured = await measureRows(event);
		// Documented numbers that are close enough count as measured.
		const expected = measured.map((row, index) =>
			row.map((cell, column) => {
				const other = documented.at(index)?.at(column) ?? '';
				return isClose(cell, other) ? other : cell;
			}),
		);
		expect(documented).toEqual(expected);
	},
	180_000,
);
