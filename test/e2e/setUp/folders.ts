import { homedir } from 'node:os';
import { join } from 'node:path';

export const E2E = join(__dirname, '..');
export const ROOT = join(E2E, '..', '..');

/** Where installed n8ns stay between runs, over clones too: `E2E_CACHE`, or the person's cache folder. */
export const cacheFolder = (): string =>
	process.env.E2E_CACHE ??
	join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-prospector');
