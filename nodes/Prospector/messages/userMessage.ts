import type { Redact } from '../transport/failure/redactSecrets';

/** A text for a person. */
export interface UserMessage {
	/** What happened, in one sentence without a full stop. */
	message: string;
	/** What to do about it, without a full stop at its end. */
	description: string;
}

/** Thrown for something that a person can change; `toNodeError` turns it into an error of n8n. */
export class UserError extends Error {
	/**
	 * @param options.redact removes the API key from the texts
	 * @param options.isCanceled whether the execution was canceled
	 */
	constructor(
		readonly userMessage: UserMessage,
		readonly options: { redact?: Redact; isCanceled?: boolean } = {},
	) {
		super(userMessage.message);
	}
}
