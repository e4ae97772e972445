// Regular expressions for the paths of tests.

/** Unit tests that are too long to repeat for each mutant. */
export const LONG_UNIT_TESTS = '/(linearTime|noUnsafeKeys|activationDeadline)\\.test\\.ts$';

export const SLOW_UNIT_TESTS = [
	LONG_UNIT_TESTS,
	'/rateLimitEstimator\\.test\\.ts$',
	'/simulator/(costs|scale)\\.test\\.ts$',
];

/** Tests of workflows whose result does not depend on the release of n8n-core. */
export const SAME_ON_EVERY_ENGINE = [
	'/hostileService/anyResponse\\.test\\.ts$',
	'/workflow/(retries|trigger|security|waiting|lists|credentialTest|hints)\\.test\\.ts$',
];
