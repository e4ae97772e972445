/** Returns milliseconds since the epoch. */
export type Clock = () => number;
