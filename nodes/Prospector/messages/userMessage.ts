// What a message is, the exception that carries one, and how values are written in it. Used by everything that tells a
// person something. Tests: test/unit/messages/runMessages.test.ts, test/unit/parameters/body.test.ts.
import { MINUTE_MS } from '../utils';

/**
 * Who shows a message. `nodeWithoutRetry`: an execution for which the button Retry does not help. `editor`: the lists in the
 * editor. `trigger`: a test or an activation of the trigger. `poll`: a later poll.
 */
export type Caller = 'node' | 'nodeWithoutRetry' | 'tool' | 'editor' | 'trigger' | 'poll' | 'credentialTest';

export interface UserMessage<Advice = string> {
	/** What happened, in one sentence without a full stop. */
	message: string;
	/** What to do about it, without a full stop at its end. */
	description: Advice;
}

/** A message whose advice can depend on the caller. */
export type CallerMessage = UserMessage<string | ((caller: Caller) => string)>;

/** Thrown for what is no failed request, but must be told to a person; `toNodeError` turns it into an error of n8n. */
export class UserError extends Error {
	/** @param isCanceled whether the execution was canceled */
	constructor(
		private readonly callerMessage: CallerMessage,
		readonly isCanceled = false,
	) {
		super(callerMessage.message);
	}

	messageFor(caller: Caller): UserMessage {
		const { message, description } = this.callerMessage;
		return { message, description: typeof description === 'string' ? description : description(caller) };
	}
}

/** @throws UserError */
export function throwUserError(message: string, description: CallerMessage['description']): never {
	throw new UserError({ message, description });
}

/** The longest ID. */
const MAX_QUOTED_LENGTH = 512;

/** Returns a text of the service, or … for a longer one: if it were cut, it could end with a part of the API key. */
export const omitIfLong = (text: string) => (text.length > MAX_QUOTED_LENGTH ? '…' : text);

/** Returns a text of the service in quotation marks. */
export const quote = (text: string) => `'${omitIfLong(text)}'`;

/** Returns a duration such as `2 min 5 s` or `1 h`, rounded up to seconds. */
export function formatDuration(milliseconds: number): string {
	const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
	const counts = { h: Math.floor(seconds / 3600), min: Math.floor(seconds / 60) % 60, s: seconds % 60 };
	const nonZeroParts = Object.entries(counts).filter(([, count]) => count > 0);
	return nonZeroParts.map(([unit, count]) => `${count} ${unit}`).join(' ') || '0 s';
}

const SOON_MS = 2 * MINUTE_MS;
const SAME_DAY_MS = 20 * 60 * MINUTE_MS;

/**
 * Returns when something can be done, such as `in 7 s` or `at 14:05 (in 52 min)`.
 *
 * @param atMs milliseconds since the epoch
 * @param timeZone of the n8n workflow
 */
export function formatWait(waitMs: number, atMs?: number, timeZone?: string): string {
	if (waitMs < SOON_MS) return `in ${formatDuration(waitMs)}`;
	const duration = `in ${formatDuration(Math.ceil(waitMs / MINUTE_MS) * MINUTE_MS)}`;
	if (atMs === undefined || timeZone === undefined) return duration;
	const day = waitMs > SAME_DAY_MS ? ({ day: 'numeric', month: 'short' } as const) : {};
	const format = { ...day, hour: '2-digit', minute: '2-digit', timeZone } as const;
	try {
		const time = new Intl.DateTimeFormat('en-GB', format).format(Math.ceil(atMs / MINUTE_MS) * MINUTE_MS);
		return `${day.day ? 'on' : 'at'} ${time} (${duration})`;
	} catch {
		// The time zone, or the time, is invalid.
		return duration;
	}
}

export const pluralize = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The dates of all libraries are objects to JavaScript, and text in JSON. */
export const isDate = (value: object): value is { toJSON(): unknown } =>
	'toJSON' in value && typeof value.toJSON === 'function';

export function typeLabel(value: unknown): string {
	if (value === undefined || value === null) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object' && isDate(value)) return 'a date';
	if (typeof value === 'object' || String(value).includes('[object ')) return 'an object';
	return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

/** Returns sentences without full stops as one text without a full stop at its end. */
export const joinSentences = (sentences: Array<string | false | undefined>): string =>
	sentences.filter(Boolean).join('. ');
