const { compat } = process.env;
const N8N_NODES = '<rootDir>/test/n8n/node_modules';

/** @type {(name: string, extra?: import('jest').Config, engine?: string) => import('jest').Config} */
const project = (
	displayName,
	extra = {},
	engine = compat && `<rootDir>/test/compat/${compat}/node_modules`,
) => ({
	displayName,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'test/tsconfig.json' }] },
	modulePathIgnorePatterns: [
		'<rootDir>/.pack/',
		'<rootDir>/.stryker-tmp/',
		'<rootDir>/test/(n8n|compat)/.*/?node_modules/',
	],
	// Tests import the sources for their types and run what was built from them.
	moduleNameMapper: {
		// n8n's own nodes and what they use have folders of the same names.
		'^(?:\\.\\./)+((?:nodes|credentials)/Prospector.+)$': '<rootDir>/dist/$1',
		...(engine && { '^(n8n-core|n8n-workflow|@n8n/di)$': `${engine}/$1` }),
	},
	setupFiles: ['<rootDir>/scripts/engine/environment.ts'],
	...extra,
});

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		project('unit', { setupFiles: [] }),
		project('tools', { setupFiles: [] }),
		project('sandbox', { setupFiles: [] }),
		project('workflow'),
		// n8n's own nodes bring the engine that they were made for.
		project('agent', {}, N8N_NODES),
		// In n8n there is one copy of these for all nodes.
		project('examples', {}, '<rootDir>/node_modules'),
		project('campaign'),
		project('simulator', { setupFiles: [] }),
		project('package'),
		project('demo', { setupFiles: [] }),
	],
	testTimeout: 60_000,
	// On a machine with two cores, Jest would use one, and many tests only wait.
	maxWorkers: 3,
	collectCoverageFrom: ['dist/{nodes,credentials}/**/*.js'],
	coverageReporters: ['text-summary', 'text', 'html'],
	coverageThreshold: { global: { branches: 95, functions: 95, lines: 95, statements: 95 } },
};
