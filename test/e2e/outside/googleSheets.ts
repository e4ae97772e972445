import type { OutsideRequest, OutsideService, Reply } from './proxy';

const FIRST_TOKEN = 'ya29.expired';
const TOKEN = 'ya29.valid';
const ID = '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg';
const SHEET = { sheetId: 1234, title: 'Leads 2026', index: 1, sheetType: 'GRID' };
const COLUMN_COUNT = 26;

const failure = (code: number, status: string, message: string): Reply => ({
	status: code,
	body: { error: { code, message, status } },
});

export const QUOTA_EXCEEDED = failure(
	429,
	'RESOURCE_EXHAUSTED',
	"Quota exceeded for quota metric 'Write requests' and limit 'Write requests per minute per user'",
);
export const INTERNAL_ERROR = failure(500, 'INTERNAL', 'Internal error encountered.');

type Row = unknown[];

interface ValueRange {
	range: string;
	values: Row[];
}

const columnIndex = (letters: string) =>
	[...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Returns the indices of a range's first cell, as of `Leads!B2:C3`. */
function startOf(range: string): { row: number; column: number } {
	const [, letters, number] = /!([A-Z]*)(\d*)/.exec(range) ?? [];
	return { row: number ? Number(number) - 1 : 0, column: letters ? columnIndex(letters) : 0 };
}

/** Returns what Google Sheets stores for a value. `RAW` is stored as it is; other values as if they were typed. */
function parsed(value: unknown, inputOption: string): unknown {
	if (inputOption === 'RAW' || typeof value !== 'string') return value;
	if (/^[=+]/.test(value)) return '#NAME?';
	return value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
}

/** A document with one sheet, and the OAuth2 server for it. */
export class GoogleSheets implements OutsideService {
	readonly hosts = ['sheets.googleapis.com', 'oauth2.googleapis.com', 'www.googleapis.com'];
	readonly address = `https://docs.google.com/spreadsheets/d/${ID}/edit?gid=${SHEET.sheetId}#gid=${SHEET.sheetId}`;
	/** A credential whose access token has expired. */
	readonly credential = {
		clientId: 'client',
		clientSecret: 'secret',
		oauthTokenData: { access_token: FIRST_TOKEN, refresh_token: '1//refresh', token_type: 'Bearer' },
	};
	nextReplies: OutsideService['nextReplies'] = [];
	requests: OutsideRequest[] = [];
	/** The cells, including the row of column names. */
	rows: Row[] = [];
	private rowCount = 1000;

	answer({ method, path, query, body, token }: OutsideRequest): Reply {
		if (path === '/token')
			return { body: { access_token: TOKEN, expires_in: 3599, token_type: 'Bearer', scope: '' } };
		if (token !== TOKEN)
			return failure(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
		const root = `/v4/spreadsheets/${ID}`;
		if (!path.startsWith(root)) return failure(404, 'NOT_FOUND', 'Requested entity was not found.');
		const [, range] = path.slice(root.length).split('/values/');
		const inputOption = query.get('valueInputOption') ?? String(body.valueInputOption);
		switch (`${method} ${path.slice(root.length, root.length + 8)}`) {
			case 'GET ':
				return { body: { sheets: [{ properties: { ...SHEET, gridProperties: this.grid } }] } };
			case 'GET /values/':
				return { body: { range, majorDimension: 'ROWS', ...this.read(range) } };
			case 'PUT /values/':
				return this.write([{ range, values: body.values as Row[] }], inputOption);
			case 'POST /values:':
				return this.write(body.data as unknown as ValueRange[], inputOption);
			case 'POST :batchUp':
				for (const request of body.requests as Array<{ appendDimension: { length: number } }>)
					this.rowCount += request.appendDimension.length;
				return { body: { spreadsheetId: ID, replies: [{}] } };
			default:
				return failure(404, 'NOT_FOUND', `Unknown request: ${method} ${path}`);
		}
	}

	private get grid() {
		return { rowCount: this.rowCount, columnCount: COLUMN_COUNT };
	}

	/** Without values if there are none, as the API does. */
	private read(range: string): { values?: Row[] } {
		const { row } = startOf(range);
		const rows = /!\d+:\d+$/.test(range) ? this.rows.slice(row, row + 1) : this.rows;
		return rows.length > 0 ? { values: rows.map((cells) => cells.map(String)) } : {};
	}

	private write(ranges: ValueRange[], inputOption: string): Reply {
		for (const { range, values } of ranges) {
			const start = startOf(range);
			if (start.row >= this.rowCount)
				return failure(400, 'INVALID_ARGUMENT', `Range (${range}) exceeds grid limits.`);
			values.forEach((cells, index) => {
				const row = (this.rows[start.row + index] ??= []);
				cells.forEach((value, column) => {
					if (value !== null) row[start.column + column] = parsed(value, inputOption);
				});
			});
			this.rowCount = Math.max(this.rowCount, this.rows.length);
		}
		return { body: { spreadsheetId: ID } };
	}
}
