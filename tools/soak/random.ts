/** Returns an integer from `min` to `max`, both included. */
export const randomInteger = (min: number, max: number): number =>
	min + Math.floor(Math.random() * (max - min + 1));

export const randomOne = <T>(list: readonly T[]): T => list[randomInteger(0, list.length - 1)];

/** Returns whether an event of this probability happens. */
export const happens = (probability: number): boolean => Math.random() < probability;
