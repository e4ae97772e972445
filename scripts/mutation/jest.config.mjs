// Tests that Stryker runs for each mutant: the fast unit tests of the mutated room, and a few random histories.
import { createRequire } from 'node:module';
import { join } from 'node:path/posix';
import { SLOW_UNIT_TESTS } from '../slowTests.mjs';

const { projects } = createRequire(import.meta.url)('../../jest.config.js');
const unit = projects.find(({ displayName }) => displayName === 'unit');

process.env.HISTORIES = '8';

const room = process.env.MUTATION_ROOM;
/** Tests in other folders that check the room's work: advice by its sentence, parameters by the node's description. */
const OTHER_TESTS = {
	transport: ['messages/*.test.ts'],
	actions: ['description.test.ts'],
	parameters: ['description.test.ts'],
	trigger: ['../simulator/histories.test.ts'],
};

/** @type {import('jest').Config} */
export default {
	...unit,
	// The rest only makes each mutant cheaper.
	roots: ['<rootDir>/dist', '<rootDir>/test/unit', '<rootDir>/test/simulator'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'scripts/mutation/tsconfig.json' }] },
	moduleNameMapper: {
		...unit.moduleNameMapper,
		'^n8n-workflow$': '<rootDir>/scripts/mutation/n8nWorkflow.cjs',
	},
	watchman: false,
	testMatch: [
		`<rootDir>/test/unit/${room}/**/*.test.ts`,
		...(OTHER_TESTS[room] ?? []).map((path) => join('<rootDir>/test/unit', path)),
	],
	testPathIgnorePatterns: ['/node_modules/', SLOW_UNIT_TESTS],
};
