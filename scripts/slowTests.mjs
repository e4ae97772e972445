// Regular expressions for the paths of tests.

/** Random histories of the trigger; `HISTORIES` sets their number. */
const HISTORIES = '/trigger/.*\\.history\\.test\\.ts$';

/** Unit tests that are too long to repeat for each mutant. */
export const LONG_UNIT_TESTS =
	'/(year|longList|linearTime|noUnsafeKeys|activationDeadline|fairness)\\.test\\.ts$';

export const SLOW_UNIT_TESTS = [HISTORIES, LONG_UNIT_TESTS, '/rateLimitEstimator\\.test\\.ts$'];

/** Tests of workflows whose result does not depend on the release of n8n-core. */
export const SAME_ON_EVERY_ENGINE = [
	'/hostileService/anyResponse\\.test\\.ts$',
	'/workflow/(retries|trigger|security|waiting|lists|credentialTest|hints)\\.test\\.ts$',
];
