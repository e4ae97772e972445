import { createHash } from 'node:crypto';

/** @returns 64 hexadecimal digits that stand for a text without showing it */
export const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns eight characters for a text of any length. Among 10,000 IDs, two share theirs once in five million times. */
export const shortHash = (text: string): string =>
	Buffer.from(sha256Hex(text).slice(0, 12), 'hex').toString('base64url');
