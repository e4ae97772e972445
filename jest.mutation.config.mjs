// Tests that Stryker runs for each mutant: the unit tests, without those that are too slow to repeat.
import { createRequire } from 'node:module';
import { SLOW_UNIT_TESTS } from './scripts/slowTests.mjs';

const { projects, testTimeout } = createRequire(import.meta.url)('./jest.config.js');

/** @type {import('jest').Config} */
export default {
	...projects.find(({ displayName }) => displayName === 'unit'),
	testTimeout,
	testPathIgnorePatterns: ['/node_modules/', ...SLOW_UNIT_TESTS],
};
