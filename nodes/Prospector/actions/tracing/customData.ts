/** What n8n keeps with an execution for the search in its list, by key. */
export type CustomData = Record<string, string>;

/** The first of our entries; the others are numbered from 2 on. */
export const REQUEST_ID_KEY = 'prospector_request_id';

type RequestIdKey = typeof REQUEST_ID_KEY | `${typeof REQUEST_ID_KEY}_${number}`;

/** n8n keeps ten entries per execution: the other half is left to the people who build the n8n workflow. */
export const MOST_ENTRIES = 5;

/** Characters of a value that n8n accepts without complaint. */
export const LONGEST_VALUE = 255;

/**
 * Where a request id goes. Several share an entry, with a space in between: n8n's list finds a part of a value.
 *
 * @param all the execution's custom data
 * @param ours what this node wrote of it; an entry with another value is somebody else's and left alone
 * @returns 'kept' where it is there already, 'full' where it finds no place
 */
export function findSlot(
	requestId: string,
	all: CustomData,
	ours: CustomData,
): { key: RequestIdKey; value: string } | 'kept' | 'full' {
	for (let number = 1; number <= MOST_ENTRIES; number++) {
		const key: RequestIdKey = number === 1 ? REQUEST_ID_KEY : `${REQUEST_ID_KEY}_${number}`;
		const there = all[key];
		if (there !== undefined && there !== ours[key]) continue;
		if (` ${there} `.includes(` ${requestId} `)) return 'kept';
		const value = there === undefined ? requestId : `${there} ${requestId}`;
		if (value.length <= LONGEST_VALUE) return { key, value };
	}
	return 'full';
}
