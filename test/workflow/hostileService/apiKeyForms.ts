import { inspect } from 'node:util'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Ways in which a service can repeat an API key, so that the node removes it. */
export const API_KEY_FORMS: Record<string, (key: string) => string> = {
	plain: (key) => key,
	'percent-encoded': (key) => encodeURIComponent(key),
	base64: (key) => base64(key),
	'base64 without padding': (key) => base64(key).replace(/=+$/, ''),
	base64url: (key) => Buffer.from(key).toString('base64url'),
	'base64 after Bearer': (key) => base64(`Bearer ${key}`),
	'base64url between other text': (key) => Buffer.from(`{"k":"${key}"}`).toString('base64url'),
	'with a line break inside': (key) => `${key.slice(0, 9)}\n${key.slice(9)}`,
	'with combining marks inside': (key) => [...key].join('\u0301'),
};

const fromCode = (_: string, code: string) => String.fromCharCode(parseInt(code, 16));

/** What a reader can undo. */
const VIEWS: Record<string, (text: string) => string> = {
	plain: (text) => text,
	'percent-encoded': (text) => text.replace(/%([0-9a-f]{2})/gi, fromCode),
	'JSON-escaped': (text) => text.replace(/\\+u([0-9a-f]{4})/gi, fromCode),
	'with invisible characters inside': (text) => text.replace(/[\s\p{C}\p{M}]/gu, ''),
};

/** The part of the base64 of a key that does not depend on what stands before and after it. */
function base64Core(key: string, offset: number): string {
	const bytes = Buffer.from('\0'.repeat(offset) + key);
	const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
	return whole.slice(offset === 0 ? 0 : 4);
}

/** Names of the forms in which a text holds an API key. */
export function findApiKeyForms(text: string, key: string): string[] {
	const found = Object.entries(VIEWS)
		.filter(([, view]) => view(text).includes(key))
		.map(([name]) => name);
	const standard = text.replace(/-/g, '+').replace(/_/g, '/');
	const cores = [0, 1, 2].map((offset) => base64Core(key, offset));
	return cores.some((core) => standard.includes(core)) ? [...found, 'base64'] : found;
}

/** Returns all text in a value, including non-enumerable properties and the causes of exceptions. */
export const allTextOf = (value: unknown): string =>
	inspect(value, { depth: 12, showHidden: true, maxArrayLength: null, maxStringLength: null });
