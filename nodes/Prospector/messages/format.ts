/** Returns a duration such as `2 min 5 s`, rounded up to seconds. */
export function formatDuration(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	const minutes = Math.floor(seconds / 60);
	return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

export const pluralize = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the type of a value as a message names it. */
export function typeLabel(value: unknown): string {
	if (value === undefined || value === null) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

/** Returns sentences without full stops as one text without a full stop at its end. */
export const joinSentences = (sentences: Array<string | undefined>): string =>
	sentences.filter(Boolean).join('. ');
