// Tests that Stryker runs for each mutant: the fast unit tests of the mutated folder, and a few random histories.
import { createRequire } from 'node:module';
import { SLOW_UNIT_TESTS } from '../slowTests.mjs';

const { projects } = createRequire(import.meta.url)('../../jest.config.js');
const findProject = (name) => projects.find(({ displayName }) => displayName === name);

process.env.HISTORIES = '8';

const folder = process.env.MUTATION_FOLDER;
/** Tests in other folders that check the folder's work: advice by its sentence, parameters by the node's description. */
const OTHER_TESTS = {
	transport: ['unit/messages/*', 'unit/trigger/{poll,pollTrigger}'],
	api: ['unit/messages/*', 'unit/transport/{request,retry}/*'],
	actions: ['unit/description*', 'workflow/(operations|waiting|startedRuns|lists|toolAnswers)'],
	parameters: ['unit/description*'],
	trigger: ['simulator/histories*'],
};
// Workflow tests need n8n's engine.
const project = findProject(folder === 'actions' ? 'workflow' : 'unit');

/** @type {import('jest').Config} */
export default {
	...project,
	// Stryker's copy of the repository.
	rootDir: process.cwd(),
	// The rest only makes each mutant cheaper.
	roots: ['<rootDir>/dist', '<rootDir>/test/unit', '<rootDir>/test/simulator', '<rootDir>/test/workflow'],
	moduleNameMapper: {
		...project.moduleNameMapper,
		...(folder !== 'actions' && { '^n8n-workflow$': '<rootDir>/scripts/mutation/n8nWorkflow.cjs' }),
	},
	watchman: false,
	// As in jest.config.js: a busy machine must not fail the first run.
	testTimeout: 60_000,
	// Stryker does not know <rootDir> here.
	testEnvironment: `${process.cwd()}/scripts/mutation/environment.cjs`,
	testSequencer: '<rootDir>/scripts/mutation/sequencer.cjs',
	setupFiles: [...project.setupFiles, '<rootDir>/scripts/mutation/noShrinking.cjs'],
	testMatch: [`unit/${folder}/**/*`, ...(OTHER_TESTS[folder] ?? [])].map(
		(path) => `<rootDir>/test/${path}.test.ts`,
	),
	testPathIgnorePatterns: ['/node_modules/', SLOW_UNIT_TESTS],
};
