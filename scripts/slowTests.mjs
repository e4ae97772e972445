// Regular expressions for the paths of tests.

/** Random histories of the trigger; `HISTORIES` sets their number. */
const HISTORIES = '/trigger/.*\\.history\\.test\\.ts$';

/** Other unit tests that take more than four seconds of processor time each. */
export const LONG_UNIT_TESTS =
	'/(year|longList|rateLimitEstimator|linearTime|noUnsafeKeys|activationDeadline|fairness)\\.test\\.ts$';

export const SLOW_UNIT_TESTS = [HISTORIES, LONG_UNIT_TESTS];

/** Tests of workflows whose result does not depend on the release of n8n-core. */
export const SAME_ON_EVERY_ENGINE = [
	'/hostileService/anyResponse\\.test\\.ts$',
	'/workflow/(retries|trigger|security|waiting|lists|editor|hints)\\.test\\.ts$',
];
