import { read, type WorkSheet } from '@e965/xlsx';

/** Returns the first sheet of a file as a spreadsheet program reads it. Cells of a CSV file can become formulas. */
export function readSheet(file: Buffer): WorkSheet {
	const { Sheets, SheetNames } = read(file);
	return Sheets[SheetNames[0]];
}
