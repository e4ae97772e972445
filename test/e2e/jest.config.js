/** @type {import('jest').Config} */
module.exports = {
	displayName: 'e2e',
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/(test/e2e|tools)/**/*.test.ts'],
	testSequencer: '<rootDir>/test/sequencer.js',
	transform: require('../../jest.config').projects[0].transform,
	modulePathIgnorePatterns: ['<rootDir>/(test|tools)/.*/?node_modules/'],
	// Also enough to start n8n on a busy machine.
	testTimeout: 300_000,
};
