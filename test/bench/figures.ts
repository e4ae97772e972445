import type { Memory } from './job';
import type { ScenarioName } from './options';
import type { Spread } from './spread';

/** What was measured of one contender in one scenario, over all rounds. Absent where no round was worked through. */
export interface ContenderFigures {
	name: string;
	label: string;
	/** Why rounds did not end well; empty when all did. */
	failures: string[];
	milliseconds?: Spread;
	/** Milliseconds of processor time, all threads of the process together. */
	processorMs?: Spread;
	requests?: Spread;
	/** Answered with 429. */
	rejected?: Spread;
	/** The most that were rejected within any minute. */
	rejectedPerMinute?: Spread;
	failedItems?: Spread;
	/** Bytes; `growth` is `peak` less `baseline`. */
	memory?: Record<keyof Memory | 'growth', Spread>;
}

export interface ScenarioFigures {
	name: Exclude<ScenarioName, 'load'>;
	title: string;
	/** The contender that the others are compared with: the floor. */
	floor: string;
	/** The least time that the rolling limit allows, where there is one that matters. */
	optimumMs?: number;
	contenders: ContenderFigures[];
}

/** Milliseconds that `require` takes, with n8n-workflow loaded. */
export interface LoadFigures {
	loads: number;
	packages: Array<{ label: string; files: number; milliseconds: Spread }>;
}

/** A target, and what came of it. */
export interface Verdict {
	target: string;
	/** The figure in words, with its unit. */
	measured: string;
	met: boolean;
	/** Why the target is not stricter. */
	reason?: string;
}

/** Everything that docs/benchmark.json holds. */
export interface Figures {
	date: string;
	environment: {
		node: string;
		platform: string;
		cpus: number;
		package: string;
		n8nCore: string;
		n8nNodesBase: string;
		undici: string;
	};
	rounds: number;
	scenarios: ScenarioFigures[];
	load?: LoadFigures;
	targets: Verdict[];
}

export const scenarioOf = (figures: Pick<Figures, 'scenarios'>, name: ScenarioName) =>
	figures.scenarios.find((scenario) => scenario.name === name);

export const contenderOf = (scenario: ScenarioFigures | undefined, name: string) =>
	scenario?.contenders.find((contender) => contender.name === name);
