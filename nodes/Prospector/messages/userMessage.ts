/** What a check of something a person typed gives: the value to use, or what to tell that person. */
export type Validated<T> = { value: T } | UserMessage;

export interface UserMessage {
	/** What happened, in one sentence without a full stop. */
	message: string;
	/** What to do about it. */
	description: string;
}

export const isInvalid = <T>(checked: Validated<T>): checked is UserMessage => 'message' in checked;
