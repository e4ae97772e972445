/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readRecord, writeRecord } from '../shared/docs';

/** The pictures of the documentation. */
export const PICTURES = join(__dirname, '../../docs/images');
const FILE = 'images/texts.json';

export interface PictureRecord {
	/** The package's texts in the picture, sorted. */
	texts: string[];
	/** Of the file. */
	sha256: string;
}

export const ANIMATION = 'first-lead';

/** Returns the name of the file with a picture. */
export const pictureFile = (name: string) => `${name}.${name === ANIMATION ? 'gif' : 'png'}`;

export const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Returns what the pictures show, by name. */
export const readRecords = () => readRecord<Record<string, PictureRecord>>(FILE);

export function addRecord(name: string, record: PictureRecord): void {
	const records = Object.entries({ ...readRecords(), [name]: record }).sort(([a], [b]) => (a < b ? -1 : 1));
	writeRecord(FILE, Object.fromEntries(records));
}

/** Returns why a picture must be taken again; empty if it is up to date. @param current every text of the package */
export function reasonsToRetake(
	{ texts, sha256: recorded }: PictureRecord,
	file: Buffer,
	current: Set<string>,
): string[] {
	const outdated = texts.filter((text) => !current.has(text));
	const reasons = outdated.map((text) => `The package has no text "${text}" any more`);
	if (sha256(file) !== recorded) reasons.push('The file is not the one that was taken');
	return reasons;
}
