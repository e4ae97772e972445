// `npm run tool -- mutation <folder>`; scripts/mutation.mjs names the files to mutate and the files to write.
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner', './scripts/mutation/ignorers.mjs'],
	jest: {
		projectType: 'custom',
		configFile: 'scripts/mutation/jest.config.mjs',
		// Tests name the sources, and jest maps them to dist/; the coverage per test selects the tests anyway.
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	incremental: true,
	concurrency: 2,
	// Each test file leaves an AsyncLocalStorage of Jest behind, and every promise visits all of them.
	maxTestRunnerReuse: 8,
	// A busy machine must not cause a timeout: docs/engineering.md counts only mutants that a test killed.
	timeoutMS: 20_000,
	ignorers: ['editor-texts', 'module-mark', 'sample'],
	// The sandbox gets dist/ as it was built, and a symbolic link to node_modules.
	ignorePatterns: [
		'/coverage',
		'/tools',
		'/docs',
		'/examples',
		'/test/{agent,compat,demo,e2e,examples,n8n,package,sandbox,tools}',
	],
	// ts-jest transforms each file on its own and checks no types.
	disableTypeChecks: false,
	tempDirName: '.stryker-tmp',
	reporters: ['clear-text', 'progress', 'json'],
	jsonReporter: { fileName: process.env.MUTATION_REPORT },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
