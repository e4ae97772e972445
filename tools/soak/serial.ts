/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
/** Returns a function that calls each function after the one before it has ended, even if that has failed. */
export function createQueue() {
	let last: Promise<unknown> = Promise.resolve();
	return async <T>(act: () => Promise<T>): Promise<T> => {
		const result = last.then(act, act);
		last = result.catch(() => {});
		return await result;
	};
}

/** Calls a function regularly, unless its last call is in progress, and ignores what it throws. */
export function repeat(everyMs: number, act: () => Promise<void>) {
	let current: Promise<void> | undefined;
	const timer = setInterval(() => {
		current ??= act()
			.catch(() => {})
			.finally(() => (current = undefined));
	}, everyMs);
	return {
		/** Waits for the call in progress. */
		async close() {
			clearInterval(timer);
			await current;
		},
	};
}
