import type { Reply } from '../../outside/recorder';

/** The spreadsheet's address in Google's API. */
export const SPREADSHEET =
	'sheets.googleapis.com/v4/spreadsheets/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg';
const SHEET = { sheetId: 1234, title: 'Leads', gridProperties: { rowCount: 1000, columnCount: 26 } };
const SHEET_ROWS = [
	['lead_id', 'company_name', 'run_id', 'last_found_at'],
	['lead_a', 'An old name', 'run_0', '2026-01-01'],
];
export const COMPANIES = 'POST api.hubapi.com/companies/v2/companies';
export const MESSAGES = 'POST slack.com/api/chat.postMessage';

export const HOSTS = ['sheets.googleapis.com', 'api.hubapi.com', 'slack.com'];

export const ANSWERS = {
	[`GET ${SPREADSHEET}/values/`]: ({ target }: { target: string }) => ({
		values: /!\d+:\d+$/.test(target) ? SHEET_ROWS.slice(0, 1) : SHEET_ROWS,
	}),
	[`GET ${SPREADSHEET}`]: () => ({ sheets: [{ properties: SHEET }] }),
	[`POST ${SPREADSHEET}`]: () => ({}),
	[`PUT ${SPREADSHEET}`]: () => ({}),
	[COMPANIES]: () => ({ companyId: 10_444_744, properties: {} }),
	'GET slack.com/api/conversations.list': () => ({
		ok: true,
		channels: [
			{ id: 'C0000000000', name: 'general' },
			{ id: 'C0123456789', name: 'alerts' },
		],
	}),
	[MESSAGES]: () => ({ ok: true, ts: '1700000000.000100', message: {} }),
};

export const ACCOUNTS = {
	googleSheetsOAuth2Api: {
		clientId: 'client',
		clientSecret: 'secret',
		oauthTokenData: { access_token: 'ya29.valid', refresh_token: '1//refresh', token_type: 'Bearer' },
	},
	hubspotAppToken: { appToken: 'token' },
	slackApi: { accessToken: 'xoxb-token', signatureSecret: '' },
};

export const failure = (status: number): Reply => ({
	status,
	body: { error: { code: status, message: 'Failed' } },
});

export const TWO_FAILURES = [failure(429), failure(500)];
