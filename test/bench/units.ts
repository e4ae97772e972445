/** Figures for people. */

export const inSeconds = (milliseconds: number) =>
	milliseconds < 100_000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${(milliseconds / 1000).toFixed(1)} s`;

export const inMilliseconds = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;

export const inMebibytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MiB`;

export const asRatio = (value: number) => `${value.toFixed(2)}×`;
