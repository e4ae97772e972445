import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from '../../engine';

const FOLDER = join(__dirname, '../../examples');

/** The example files, by name. */
export const exampleFiles = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

/** An example as its file holds it: nothing but the credential is for anyone to change. */
export const readExample = (file: string) =>
	JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowFile & { name: string };

/** The pages about the examples. */
export const readPages = () => readFileSync(join(FOLDER, 'README.md'), 'utf8');

export const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
