/** Regular expression for the paths of unit tests that are too long to repeat for each change or mutant. */
export const SLOW_UNIT_TESTS = '/(longestTurn/\\w+|noUnsafeKeys)\\.test\\.ts$';
