/** What a check of something a person typed gives: the value to use, or what to tell that person. */
export type Checked<T> = { value: T } | Problem;

export interface Problem {
	/** What happened, in one sentence without a full stop. */
	message: string;
	/** What to do about it. */
	description: string;
}

export const isProblem = <T>(checked: Checked<T>): checked is Problem => 'message' in checked;
