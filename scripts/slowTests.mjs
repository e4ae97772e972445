// Regular expressions for the paths of tests.

/** Tests of the trigger with thousands of polls. */
export const HISTORIES = '/trigger/(.*\\.history|year|longList)\\.test\\.ts$';

/** Unit tests that take more than four seconds of processor time each. */
export const SLOW_UNIT_TESTS = [
	HISTORIES,
	'/(rateLimitEstimator|linearTime|noUnsafeKeys|activationDeadline|fairness|longLists)\\.test\\.ts$',
];
