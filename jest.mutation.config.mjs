// Tests that Stryker runs for each mutant: the fast unit tests of the mutated room, and a few random histories.
import { createRequire } from 'node:module';
import { LONG_UNIT_TESTS } from './scripts/slowTests.mjs';

const { projects } = createRequire(import.meta.url)('./jest.config.js');
const unit = projects.find(({ displayName }) => displayName === 'unit');

process.env.HISTORIES = '8';
process.env.SEED = '1';

/** @type {import('jest').Config} */
export default {
	...unit,
	// The rest only makes each mutant cheaper.
	roots: ['<rootDir>/dist', '<rootDir>/test/unit'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'scripts/mutation/tsconfig.json' }] },
	moduleNameMapper: {
		...unit.moduleNameMapper,
		'^n8n-workflow$': '<rootDir>/scripts/mutation/n8nWorkflow.cjs',
	},
	watchman: false,
	testMatch: [
		`<rootDir>/test/unit/${process.env.MUTATION_ROOM}/**/*.test.ts`,
		'<rootDir>/test/unit/description.test.ts',
	],
	testPathIgnorePatterns: ['/node_modules/', LONG_UNIT_TESTS],
};
