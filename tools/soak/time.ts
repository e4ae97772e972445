export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The service's clock is this much faster: an hour stands for a week. */
export const SPEED = 7 * 24;

/** The service's clock. Starts with the real time. */
export class FastClock {
	readonly startedAt = Date.now();

	readonly now = (): number => Math.round(this.startedAt + (Date.now() - this.startedAt) * SPEED);

	/** Returns the real time of a service's time. */
	readonly toReal = (service: number): number => this.startedAt + (service - this.startedAt) / SPEED;
}
