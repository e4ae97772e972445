// Regular expressions for the paths of tests.

/** Tests of the trigger with thousands of polls. */
const HISTORIES = '/trigger/(.*\\.history|year|longList)\\.test\\.ts$';

/** Unit tests that take more than four seconds of processor time each. */
export const SLOW_UNIT_TESTS = [
	HISTORIES,
	'/(rateLimitEstimator|linearTime|noUnsafeKeys|activationDeadline|fairness)\\.test\\.ts$',
];

/** Tests of workflows whose result does not depend on the release of n8n-core. */
export const SAME_ON_EVERY_ENGINE = [
	'/hostileService/anyResponse\\.test\\.ts$',
	'/workflow/(retries|trigger|security|waiting|lists|editor|hints)\\.test\\.ts$',
];
