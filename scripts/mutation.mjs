// `npm run tool -- mutation <folder>`: mutates a folder of the built package, runs the unit tests for each mutant, and writes
// the result to docs/engineering.md. Only changed code and tests are measured again.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { usageOf } from './commands.cjs';
import { updateTable } from './mutation/table.mjs';
import { root } from './setUp.mjs';

const FOLDERS = ['actions', 'api', 'messages', 'methods', 'parameters', 'transport', 'trigger'];
const [folder, ...options] = process.argv.slice(2);

const sampleOption = options.indexOf('--sample');
const sample = sampleOption < 0 ? 1 : Number(options.splice(sampleOption, 2)[1]);

if (!FOLDERS.includes(folder) || !Number.isInteger(sample) || sample < 1) {
	console.error(usageOf('mutation'));
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
const incrementalFile = join(cache, `${folder}.json`);
forgetStaticSurvivors(incrementalFile);
const reportFile = join(cache, `${folder}.report.json`);
// Stryker has no command-line option for the path of the report.
const { status } = spawnSync(
	process.execPath,
	[
		'tools/node_modules/@stryker-mutator/core/bin/stryker.js',
		...['run', 'scripts/mutation/stryker.config.mjs'],
		...(isPartial ? [] : ['--mutate', `dist/nodes/Prospector/${folder}/**/*.js`]),
		...['--incrementalFile', incrementalFile],
		...options,
	],
	{
		cwd: root,
		stdio: 'inherit',
		env: {
			...process.env,
			MUTATION_REPORT: reportFile,
			MUTATION_FOLDER: folder,
			MUTATION_SAMPLE: String(sample),
		},
	},
);
if (status === 0 && !isPartial) {
	const report = JSON.parse(readFileSync(reportFile, 'utf8'));
	const table = join(root, 'docs', 'engineering.md');
	const page = updateTable(readFileSync(table, 'utf8'), folder, sample, report);
	writeFileSync(table, await format(page, { ...(await resolveConfig(table)), parser: 'markdown' }));
	console.log('The result is in docs/engineering.md.');
}
process.exitCode = status ?? 1;
