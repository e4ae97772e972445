// Tests that Stryker runs for each mutant: the fast unit tests of the mutated room.
import { createRequire } from 'node:module';
import { SLOW_UNIT_TESTS } from './scripts/slowTests.mjs';

const { projects, testTimeout } = createRequire(import.meta.url)('./jest.config.js');

/** @type {import('jest').Config} */
export default {
	...projects.find(({ displayName }) => displayName === 'unit'),
	testMatch: [`<rootDir>/test/unit/${process.env.MUTATION_ROOM}/**/*.test.ts`],
	testTimeout,
	testPathIgnorePatterns: ['/node_modules/', ...SLOW_UNIT_TESTS],
};
