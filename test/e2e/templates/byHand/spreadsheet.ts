import { utils } from '@e965/xlsx'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { readSheet } from '../../../readSheet';
import type { ParsedMail } from '../../outside/mailServer';

const MAX_CELL_LENGTH = 32_767;

/** Names that a spreadsheet program could change, and one that does not fit into a cell. */
export const DIFFICULT_NAMES = [
	...['Plain Freight B.V.', 'Say "Cheese", Ltd', 'Two\nLines GmbH', 'Comma, Semicolon; & Tab\tInc.'],
	...['🚚 Vörtrans Łódź 株式会社', "O'Neill = 1 + 1", '0070', '1e3'],
	...['=1+1', '=HYPERLINK("x","y")', '+1', '-1', '@SUM(1)', '\t=1'],
	'x'.repeat(MAX_CELL_LENGTH + 1),
];
export const DIFFICULT_CELLS = DIFFICULT_NAMES.map((name) => name.slice(0, MAX_CELL_LENGTH));

/** Returns the rows of an attached file, which must contain no formula. */
export function readRows({ attachments }: ParsedMail): Array<Record<string, string>> {
	const sheet = readSheet(attachments[0].content);
	expect(Object.values(sheet).filter(({ f: formula }) => formula)).toEqual([]);
	return utils.sheet_to_json(sheet, { defval: '' });
}
