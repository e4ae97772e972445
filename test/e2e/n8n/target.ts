import { readFileSync } from 'node:fs';
import type { Release, Scheduler } from '../setUp/releases';

/** The n8n that a test run is about. */
export interface Target {
	release: Release;
	/** Such as `2.41.1`. */
	version: string;
	/** Major version of Node.js. */
	nodeMajor: number;
	scheduler: Scheduler;
	/** Programs and files to run. */
	node: string;
	bin: string;
	/** Folder in which Node.js keeps code that it has compiled. */
	compileCache: string;
	/** The folder `nodes` with the packed package installed. */
	packed: string;
	/** Files of an n8n whose database and owner are set up, for others to start from. */
	prepared?: string;
	/** Programs that may be missing. */
	redis?: string;
	chromium?: string;
}

/** What the command has set up for this test run. */
export function readTarget(): Target {
	const file = process.env.E2E_TARGET;
	if (!file) throw new Error('These tests need a whole n8n. Start them with: npm run test:e2e');
	return JSON.parse(readFileSync(file, 'utf8')) as Target;
}

/** Whether the n8n under test is at least of this version, as in `atLeast('2.14')`. */
export function atLeast(wanted: string, { version } = readTarget()): boolean {
	const [major, minor] = version.split('.').map(Number);
	const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
	return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
