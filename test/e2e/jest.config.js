/** @type {import('jest').Config} */
module.exports = {
	displayName: 'e2e',
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	testSequencer: '<rootDir>/test/e2e/sequencer.js',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json' }] },
	modulePathIgnorePatterns: ['<rootDir>/.pack/', '<rootDir>/test/(n8n|compat|e2e)/.*/?node_modules/'],
	// Also enough to start n8n on a busy machine.
	testTimeout: 300_000,
};
