// `npm run tool -- mutation <room>`: mutates a room of the built package, runs the unit tests for each mutant, and
// writes the result to docs/engineering.md. Only changed code and tests are measured again; `--force` measures everything.
// `--sample 4` mutates every fourth function. Other options go to Stryker. With `--mutate`, docs/engineering.md stays as
// it is.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { updateTable } from './mutation/table.mjs';
import { build, install, requireNode, root } from './setUp.mjs';

const ROOMS = ['actions', 'api', 'messages', 'methods', 'parameters', 'transport', 'trigger'];
const [room, ...options] = process.argv.slice(2);

const sampleOption = options.indexOf('--sample');
const sample = sampleOption < 0 ? 1 : Number(options.splice(sampleOption, 2)[1]);

if (!ROOMS.includes(room) || !Number.isInteger(sample) || sample < 1) {
	console.error(
		`Usage: npm run tool -- mutation <${ROOMS.join(' | ')}> [--force] [--sample N] [options of Stryker]`,
	);
	process.exit(2);
}

/**
 * Makes Stryker test those mutants again that survived in code that runs when a module is loaded. It does not notice that
 * another test now covers them.
 */
function forgetStaticSurvivors(file) {
	if (!existsSync(file)) return;
	const report = JSON.parse(readFileSync(file, 'utf8'));
	for (const source of Object.values(report.files)) {
		source.mutants = source.mutants.filter((mutant) => !mutant.static || mutant.status !== 'Survived');
	}
	writeFileSync(file, JSON.stringify(report));
}

const isPartial = options.some((option) => /^(-m|--mutate)(=|$)/.test(option));
const cache = join(root, 'node_modules', '.cache', 'stryker');
mkdirSync(cache, { recursive: true });
const incrementalFile = join(cache, `${room}.json`);
forgetStaticSurvivors(incrementalFile);
const reportFile = join(cache, `${room}.report.json`);
// Stryker has no command-line option for the path of the report.
const { status } = spawnSync(
	process.execPath,
	[
		'tools/node_modules/@stryker-mutator/core/bin/stryker.js',
		...['run', 'scripts/mutation/stryker.config.mjs'],
		...(isPartial ? [] : ['--mutate', `dist/nodes/Prospector/${room}/**/*.js`]),
		...['--incrementalFile', incrementalFile],
		...options,
	],
	{
		cwd: root,
		stdio: 'inherit',
		env: {
			...process.env,
			MUTATION_REPORT: reportFile,
			MUTATION_ROOM: room,
			MUTATION_SAMPLE: String(sample),
		},
	},
);
if (status === 0 && !isPartial) {
	const report = JSON.parse(readFileSync(reportFile, 'utf8'));
	// Not before the installation.
	const { format, resolveConfig } = await import('prettier');
	const table = join(root, 'docs', 'engineering.md');
	const page = updateTable(readFileSync(table, 'utf8'), room, sample, report);
	writeFileSync(table, await format(page, { ...(await resolveConfig(table)), parser: 'markdown' }));
	console.log('The result is in docs/engineering.md.');
}
process.exitCode = status ?? 1;
