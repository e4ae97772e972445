/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from '../../scripts/engine';

const FOLDER = join(__dirname, '../../examples');

/** The templates' files, relative to `examples/`. */
export const exampleFiles = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.json'))
	.sort();

/** Path of the n8n workflow that `npm start` executes, for {@link readExample}. */
export const DEMO_FILE = '../scripts/demo/run-and-collect.json';

export const readExample = (file: string) =>
	JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowFile & { name: string };

export const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** Placeholders for the user's credentials, by type. */
export const PLACEHOLDERS: Record<string, { id: string; name: string }> = {
	prospectorApi: { id: 'prospector', name: 'Prospector account' },
	openAiApi: { id: 'openai', name: 'OpenAI account' },
	postgres: { id: 'postgres', name: 'Postgres account' },
	googleSheetsOAuth2Api: { id: 'google', name: 'Google Sheets account' },
	hubspotAppToken: { id: 'hubspot', name: 'HubSpot account' },
	slackApi: { id: 'slack', name: 'Slack account' },
	smtp: { id: 'smtp', name: 'SMTP account' },
};

/** Returns a template's section of the README. */
export const readPage = (file: string) =>
	readFileSync(join(FOLDER, 'README.md'), 'utf8')
		.split(/^## /m)
		.find((page) => page.startsWith(`[${file}]`)) ?? '';

const TABLE = ['dataTableId'];
const LEAD_TABLE = { 'Add or update the lead': TABLE, 'Complete a new lead': TABLE };
const SEEN = { 'Only leads never seen before': TABLE };

/** What the user has to choose: file → node → parameters that n8n marks as missing. */
export const LEFT_EMPTY: Record<string, Record<string, string[]>> = {
	'advanced/run-that-takes-hours.json': { 'Start the run': ['workflowId'], ...LEAD_TABLE },
	'leads-to-data-table.json': LEAD_TABLE,
	'leads-to-hubspot.json': { ...SEEN, 'Remember the lead': TABLE },
	'only-new-leads.json': { ...SEEN, 'Remember them': TABLE, 'Post them to Slack': ['channelId'] },
	'new-leads-weekly.json': {
		'Leads first found last week': TABLE,
		'Post a summary': ['channelId'],
		'Send it by e-mail': ['fromEmail', 'toEmail'],
	},
	// n8n does not mark an empty value of _Your Google Sheet_.
	'daily-run-to-google-sheets.json': { 'Run and get its leads': ['workflowId'] },
	'slack-alert-when-a-run-fails.json': { 'Send the alert': ['channelId'] },
};
