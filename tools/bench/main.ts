/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- not published */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { runMain } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM, platformName } from '../../test/e2e/setUp/platforms';
import { replaceSection } from '../pageSection';
import { measureInEngine } from './engine';
import { contenderFigures, type Figures, type ScenarioFigures } from './figures';
import { measureLoading } from './load';
import { markdown } from './markdown';
import { HELP, isFull, readOptions, type BenchOptions } from './options';
import { scenariosFor, type Scenario } from './scenarios';
import { measureReader } from './reader';
import { loadRows, onScreen, readerRows, scenarioRows, targetRows } from './tables';
import { judge } from './targets';
import { measureInN8n } from './wholeN8n';

const root = join(__dirname, '../..');
const PAGE = 'docs/engineering.md';

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		console.log(HELP);
		return 0;
	}
	const figures = await measureAll(options);
	console.log(`\n${summary(figures)}`);
	if (isFull(options)) console.log(`\nWritten: ${(await writeDocs(figures)).join(', ')}`);
	else console.log('\nNot a full run: the documentation is unchanged.');
	return 0;
}

async function measureAll(options: BenchOptions): Promise<Figures> {
	const readers = options.scenarios.includes('reader') ? await measureReader(options) : [];
	const scenarios: ScenarioFigures[] = [];
	for (const scenario of scenariosFor(options)) {
		console.log(`${scenario.title} …`);
		scenarios.push(await measure(scenario, options));
	}
	const load = options.scenarios.includes('load') ? measureLoading(options) : undefined;
	return {
		date: new Date().toISOString().slice(0, 10),
		// It will be published: nothing that identifies the machine.
		environment: {
			node: process.versions.node,
			platform: `${process.platform} ${process.arch}`,
			cpus: availableParallelism(),
			package: versionIn(options.packageDirectory),
			n8nCore: versionIn(join(root, 'node_modules/n8n-core')),
			wholeN8n: platformName(DEFAULT_PLATFORM),
			n8nNodesBase: versionIn(join(root, 'test/n8n/node_modules/n8n-nodes-base')),
		},
		rounds: options.rounds,
		scenarios,
		readers,
		load,
		targets: judge({ scenarios, readers, load }),
	};
}

async function measure(scenario: Scenario, options: BenchOptions): Promise<ScenarioFigures> {
	const { name, title, pageSize, optimumMs, contenders, inWholeN8n } = scenario;
	const rounds = await (inWholeN8n ? measureInN8n : measureInEngine)(scenario, options);
	const figures = contenders.map((contender) => contenderFigures(contender, rounds));
	return { name, title, pageSize, optimumMs, contenders: figures };
}

const versionIn = (directory: string) =>
	(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }).version;

function summary(figures: Figures): string {
	const { scenarios, readers, load, targets, environment, rounds } = figures;
	const missed = targets.filter(({ met }) => !met);
	return [
		`Medians, with the range over ${rounds} rounds. n8n's engine on Node.js ${environment.node}, a whole n8n ${environment.wholeN8n}, ${environment.cpus} CPUs.`,
		...scenarios.map((scenario) => `\n${scenario.title}\n${onScreen(scenarioRows(scenario))}`),
		readers.length > 0 && `\nProcessor time of reading a page\n${onScreen(readerRows(readers))}`,
		load && `\nLoading, in ${load.loads} new processes\n${onScreen(loadRows(load))}`,
		targets.length > 0 && `\nTargets\n${onScreen(targetRows(figures))}`,
		targets.length > 0 && (missed.length > 0 ? `${missed.length} NOT met.` : 'All targets met.'),
	]
		.filter(Boolean)
		.join('\n');
}

/** @returns the written files, relative to the repository */
async function writeDocs(figures: Figures): Promise<string[]> {
	const files = {
		'docs/benchmark.json': JSON.stringify(figures),
		[PAGE]: replaceSection(readFileSync(join(root, PAGE), 'utf8'), 'benchmark', markdown(figures)),
	};
	for (const [file, text] of Object.entries(files)) {
		const filepath = join(root, file);
		const options = { ...(await resolveConfig(filepath)), filepath };
		writeFileSync(filepath, await format(text, options));
	}
	return Object.keys(files);
}

runMain(main, HELP);
