import { createHash } from 'node:crypto';

/** @returns 64 hexadecimal digits that stand for a text without showing it */
export const digest = (text: string) => createHash('sha256').update(text).digest('hex');
