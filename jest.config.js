const { isShort, testFilesOf } = require('./test/testFiles.js');

// Unlike UTC, it shows where a test or the package takes the computer's time zone for the service's.
process.env.TZ = 'America/New_York';

const ENGINE = ['<rootDir>/scripts/engine/environment.ts', '<rootDir>/test/regexEngine.ts'];

/** Projects of which files in test/grouped run the short test files, in `npm test` without options. */
const GROUPED = process.env.GROUP_TESTS ? ['unit', 'sandbox', 'workflow', 'agent', 'examples'] : [];

const testMatchOf = (project) => {
	if (!GROUPED.includes(project)) return [`<rootDir>/test/${project}/**/*.test.ts`];
	const others = testFilesOf(project).filter((path) => !isShort(path));
	return [`<rootDir>/test/grouped/${project}*.test.ts`, ...others];
};

/** @type {(name: string, extra?: import('jest').Config, packages?: string) => import('jest').Config} */
const project = (displayName, extra = {}, packages = undefined) => ({
	displayName,
	testEnvironment: 'node',
	testMatch: testMatchOf(displayName),
	// Removes types without checking them; `npm run typecheck` checks them.
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json', diagnostics: false }] },
	modulePathIgnorePatterns: ['<rootDir>/.stryker-tmp/', '<rootDir>/(test|tools)/.*/?node_modules/'],
	// Tests import the sources for their types and run what was built from them.
	moduleNameMapper: {
		// n8n's own nodes and the packages that they use have folders of the same names.
		'^(?:\\.\\./)+((?:nodes|credentials)/Prospector.+)$': '<rootDir>/dist/$1',
		...(packages && { '^(n8n-core|n8n-workflow|@n8n/di)$': `<rootDir>/${packages}/node_modules/$1` }),
	},
	setupFiles: ENGINE,
	...extra,
});

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		project('unit', { setupFiles: [] }),
		project('tools', { setupFiles: [] }),
		project('sandbox', { setupFiles: [] }),
		project('workflow'),
		// n8n-core 1.122 (n8n 1.123), the oldest supported release.
		project(
			'oldest',
			{ setupFiles: [...ENGINE, '<rootDir>/scripts/engine/oldestEngine.ts'] },
			'test/compat/n8n1',
		),
		// n8n's own nodes bring the engine that they were made for.
		project('agent', {}, 'test/n8n'),
		// In n8n there is one copy of these for all nodes.
		project('examples', {}, '.'),
		project('simulator', { setupFiles: [] }),
		project('package'),
		project('demo', { setupFiles: [] }),
		// `npm run tool -- long`
		project('long'),
	],
	testTimeout: 60_000,
	testSequencer: '<rootDir>/test/sequencer.js',
	// On a machine with two cores, Jest would use one, and many tests only wait.
	maxWorkers: 3,
	collectCoverageFrom: ['dist/{nodes,credentials}/**/*.js'],
	coverageReporters: ['text-summary', 'text', 'html'],
	coverageThreshold: { global: { branches: 95, functions: 95, lines: 95, statements: 95 } },
};
