/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { log, ROOT, UsageError } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM, platformName } from '../../test/e2e/setUp/platforms';
import { withTarget } from '../../test/e2e/setUp/targets';
import { FLAG, parseCount, runCommand, TEXT } from '../shared/command';
import { markdownTable, writeRecord, writeSection } from '../shared/docs';
import { measureInEngine } from './engine';
import { combineRounds, judge, scenarioTable, type Figures, type Round, type Target } from './figures';
import { measureReader } from './reader';
import { SCENARIOS, scenariosFor } from './scenarios';
import { measureInN8n } from './wholeN8n';

const OPTIONS = {
	scenario: { type: 'string', multiple: true },
	...{ rounds: TEXT, results: TEXT, record: FLAG },
} as const;

interface Measurement {
	title: string;
	targets: Target[];
	measure: () => Promise<Round[]>;
}

/** By results per page. A small page is mostly the overhead of a call. */
const READER_TARGETS: Array<[number, Target[]]> = [
	[20, []],
	[100, [{ figure: 'microseconds', times: 1.6 }]],
	[1000, [{ figure: 'microseconds', times: 0.8 }]],
];

function measurementsOf(names: readonly string[], rounds: number, results: number): Measurement[] {
	const readers = READER_TARGETS.map(([pageSize, targets]) => ({
		...{ title: `Reader, page of ${pageSize}`, targets },
		measure: async () => await measureReader(pageSize),
	}));
	const scenarios = scenariosFor(results)
		.filter(({ name }) => names.includes(name))
		.map((scenario) => ({
			...scenario,
			measure: async () =>
				scenario.name === 'paged'
					? await measureInEngine(scenario, rounds)
					: await withTarget(DEFAULT_PLATFORM, async () => await measureInN8n(scenario, rounds)),
		}));
	return [...(names.includes('reader') ? readers : []), ...scenarios];
}

const versionIn = (folder: string) =>
	(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as { version: string }).version;

/** Returns the section of docs/engineering.md: each target that was missed, with what was measured. */
function summary({ date, environment: env, targets }: Figures): string {
	const missed = targets.filter(({ met }) => !met);
	const lines = missed.map(({ target, measured }) => `- ${target}: ${measured}`);
	return `Measured on ${date}: n8n-nodes-prospector ${env.package}, n8n-core ${env.n8nCore} on Node.js ${env.node}, a whole n8n ${env.wholeN8n}, ${env.cpus} CPUs, ${env.platform}. ${targets.length - missed.length} of ${targets.length} targets are met. Missed:

${lines.join('\n')}`;
}

runCommand('bench', OPTIONS, async ({ scenario: names = [...SCENARIOS], record, ...counts }) => {
	const unknown = names.find((name) => !(SCENARIOS as readonly string[]).includes(name));
	if (unknown !== undefined) throw new UsageError(`There is no scenario '${unknown}'.`);
	const isFull = names.length === SCENARIOS.length && !counts.rounds && !counts.results;
	if (record && !isFull) throw new UsageError('--record takes no other option.');
	const rounds = parseCount('rounds', counts.rounds ?? '5');
	const results = parseCount('results', counts.results ?? '100000');
	const figures: Figures = {
		date: new Date().toISOString().slice(0, 10),
		// It will be published: nothing that identifies the machine.
		environment: {
			node: process.versions.node,
			platform: `${process.platform} ${process.arch}`,
			cpus: availableParallelism(),
			package: versionIn('.'),
			n8nCore: versionIn('node_modules/n8n-core'),
			wholeN8n: platformName(DEFAULT_PLATFORM),
		},
		rounds,
		scenarios: [],
		targets: [],
	};
	for (const { title, targets, measure } of measurementsOf(names, rounds, results)) {
		log(`\n${title} …`);
		const measured = combineRounds(title, await measure());
		log(markdownTable(scenarioTable(measured)));
		figures.scenarios.push(measured);
		figures.targets.push(...judge(measured, targets));
	}
	log(`\nMedians, with the range over all rounds.\n\n${summary(figures)}`);
	if (record) {
		writeRecord('benchmark.json', figures);
		writeSection({ page: 'engineering.md', name: 'benchmark', text: summary(figures) });
	}
	return 0;
});
