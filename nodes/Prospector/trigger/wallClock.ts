/** The time of day as a parameter: tests set one of their own. */
export const wallClock = {
	/** Milliseconds since the epoch. */
	now: () => Date.now(),
};
