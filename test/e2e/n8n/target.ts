/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync } from 'node:fs';
import type { Installation } from '../setUp/installation';
import type { Scheduler } from '../setUp/platforms';

/** A running n8n that several test files use. */
export interface SharedN8n {
	folder: string;
	port: number;
	env: NodeJS.ProcessEnv;
	/** Of the owner's login. */
	cookie: string;
}

/** The n8n under test. */
export interface Target extends Omit<Installation, 'folder' | 'nodes'> {
	nodeMajor: number;
	scheduler: Scheduler;
	/** Path of the Node.js program. */
	node: string;
	/** The folder `nodes` with the installed package, which is copied into each user folder. */
	packed?: string;
	/** Files of an n8n with a database and an owner, from which others start. */
	prepared?: string;
	/** Programs that can be missing. */
	redis?: string;
	chromium?: string;
	shared?: SharedN8n;
}

/** Returns the n8n for which the command has started Jest. */
export function readTarget(): Target {
	const file = process.env.E2E_TARGET;
	if (!file) throw new Error('These tests need a whole n8n. Start them with: npm run test:e2e');
	return JSON.parse(readFileSync(file, 'utf8')) as Target;
}

/** Whether the n8n under test has at least this version, as in `atLeast('2.14')`. */
export function atLeast(wanted: string): boolean {
	const [major, minor] = readTarget().version.split('.').map(Number);
	const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
	return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
