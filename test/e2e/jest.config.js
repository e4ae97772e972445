/** @type {import('jest').Config} */
module.exports = {
	displayName: 'e2e',
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json' }] },
	modulePathIgnorePatterns: ['<rootDir>/.pack/', '<rootDir>/test/(n8n|compat|e2e)/.*/?node_modules/'],
	// Each has an n8n of its own, and mostly waits for it.
	maxWorkers: 3,
	testTimeout: 120_000,
};
