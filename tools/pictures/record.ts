/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pictures of the documentation. */
export const PICTURES = join(__dirname, '../../docs/images');
const RECORD = join(PICTURES, 'texts.json');

/** Complete lists and messages of the package that a picture shows. */
export interface Details {
	/** All actions in the node's panel, in order. */
	actions?: string[];
	/** The labels of all fields that the node has with the picture's parameters, in order. */
	fields?: string[];
	/** The entries of a list of Prospector workflows. */
	entries?: string[];
	/** A message, without its request ID. */
	failure?: { message: string; description: string };
}

export interface PictureRecord extends Details {
	/** The package's labels, descriptions, options and actions in the picture, sorted. */
	texts: string[];
	/** Of the file. */
	sha256: string;
}

export const ANIMATION = 'first-lead';

/** Returns the name of the file with a picture. */
export const pictureFile = (name: string) => `${name}.${name === ANIMATION ? 'gif' : 'png'}`;

export const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Returns what the pictures show, by name. */
export const readRecords = (): Record<string, PictureRecord> =>
	existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, PictureRecord>) : {};

export function writeRecord(name: string, record: PictureRecord): void {
	const records = Object.entries({ ...readRecords(), [name]: record }).sort(([a], [b]) => (a < b ? -1 : 1));
	writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(records), undefined, '\t')}\n`);
}
