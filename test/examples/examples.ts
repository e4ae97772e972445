import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from '../../engine';

const FOLDER = join(__dirname, '../../examples');

/** The example files, by name. */
export const exampleFiles = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

/** Reads an example. */
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

/** Returns an example's section of the README. */
export const readPage = (file: string) =>
	readFileSync(join(FOLDER, 'README.md'), 'utf8')
		.split(/^## /m)
		.find((page) => page.startsWith(`[${file}]`)) ?? '';
