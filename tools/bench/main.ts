/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- not published */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { runMain } from '../../test/e2e/setUp/commands';
import { replaceSection } from '../pageSection';
import { chart } from './chart';
import { inMilliseconds, type Figures, type ScenarioFigures } from './figures';
import { measureLoading } from './load';
import { markdown } from './markdown';
import { measure } from './measure';
import { HELP, isFull, readOptions, type BenchOptions } from './options';
import { scenariosFor } from './scenarios';
import { loadRows, onScreen, scenarioRows, targetRows } from './tables';
import { engineCost, judge } from './targets';

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
			n8nNodesBase: versionIn(join(root, 'test/n8n/node_modules/n8n-nodes-base')),
			undici: versionIn(join(root, 'node_modules/undici')),
		},
		rounds: options.rounds,
		scenarios,
		load,
		targets: judge({ scenarios, load }),
	};
}

const versionIn = (directory: string) =>
	(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }).version;

function summary(figures: Figures): string {
	const { scenarios, load, targets, environment, rounds } = figures;
	const cost = engineCost(figures);
	const missed = targets.filter(({ met }) => !met);
	return [
		`Medians, with the range over ${rounds} rounds. Node.js ${environment.node}, ${environment.cpus} CPUs.`,
		...scenarios.map((scenario) => `\n${scenario.title}\n${onScreen(scenarioRows(scenario))}`),
		cost !== undefined && `n8n's HTTP helper adds ${inMilliseconds(cost)} per request to undici.`,
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
		'docs/benchmark.svg': chart(figures),
	};
	for (const [file, text] of Object.entries(files)) {
		const filepath = join(root, file);
		const isFormatted = file.endsWith('.svg');
		const options = { ...(await resolveConfig(filepath)), filepath };
		writeFileSync(filepath, isFormatted ? text : await format(text, options));
	}
	return Object.keys(files);
}

runMain(main, HELP);
