import { availableParallelism } from 'node:os';
import { writeDocs } from './docs';
import { environmentOf } from './environment';
import type { Figures, ScenarioFigures } from './figures';
import { measureLoading } from './load';
import { measure } from './measure';
import { HELP, isFull, readOptions, UsageError, type BenchOptions } from './options';
import { scenariosFor } from './scenarios';
import { loadRows, onScreen, scenarioRows, targetRows } from './tables';
import { engineCost, judge } from './targets';
import { inMilliseconds } from './units';

/** Measures, tells, and writes the documentation where nothing was left out. */
async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		console.log(HELP);
		return;
	}
	const figures = await measureAll(options);
	console.log(`\n${summary(figures)}`);
	if (isFull(options)) console.log(`\nWritten: ${(await writeDocs(figures)).join(', ')}`);
	else console.log('\nNot a full run: docs/benchmark.* were left as they are.');
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
		environment: environmentOf(options.packageDirectory),
		rounds: options.rounds,
		scenarios,
		load,
		targets: judge({ scenarios, load }),
	};
}

function summary(figures: Figures): string {
	const { scenarios, load, targets, environment } = figures;
	const cost = engineCost(figures);
	const missed = targets.filter(({ met }) => !met);
	return [
		`Medians, with the range over ${figures.rounds} rounds. Node.js ${environment.node}, ${availableParallelism()} CPUs.`,
		...scenarios.map((scenario) => `\n${scenario.title}\n${onScreen(scenarioRows(scenario))}`),
		...(cost === undefined
			? []
			: [`The engine's own cost per request (HTTP helper alone less undici): ${inMilliseconds(cost)}`]),
		...(load ? [`\nLoading, in ${load.loads} fresh processes\n${onScreen(loadRows(load))}`] : []),
		...(targets.length > 0 ? [`\nTargets\n${onScreen(targetRows(figures))}`] : []),
		...(missed.length > 0
			? [`${missed.length} NOT met:`, ...missed.map(({ target, measured }) => `  ${target} (${measured})`)]
			: targets.length > 0
				? ['All targets met.']
				: []),
	].join('\n');
}

main().catch((error: Error) => {
	const usage = error instanceof UsageError;
	console.error(usage ? `${error.message}\n\n${HELP}` : error);
	process.exitCode = usage ? 2 : 1;
});
