import type { Control } from '../../sandbox/types';
import { log } from '../../test/e2e/setUp/commands';
import type { FigureName, Round, Target } from './figures';
import {
	helperList,
	httpRequestList,
	httpRequestReads,
	prospectorList,
	prospectorReads,
	type NodesFor,
	type Source,
} from './nodesFor';

interface Contender {
	label: string;
	nodes: NodesFor;
}

/** What is measured of n8n workflows that do the same with different nodes. */
export interface Scenario {
	name: 'paged' | 'n8n' | 'reads';
	title: string;
	/** Number of resources to read. */
	count: number;
	/** Fills the service. @returns what to read */
	seed(control: Control, count: number): Pick<Source, 'runIds' | 'pageSize'>;
	/** Whether the memory of n8n is measured, too. */
	measuresMemory: boolean;
	contenders: [Contender, Contender];
	/** The first contender is compared with the second one. */
	targets: Target[];
}

/** What `npm run tool -- bench --scenario` takes. */
export const SCENARIOS = ['reader', 'paged', 'n8n', 'reads'] as const;

/** Settings of a sandbox that does not slow contenders down. */
export const UNLIMITED = { limit: 10_000_000, maxPageSize: 1000, journalSize: 10_000 };

const text = (count: number) => count.toLocaleString('en');

const list = (count: number, pageSize: number) => ({
	count,
	measuresMemory: true,
	seed: (control: Control, results: number) => {
		const { runs } = control.seed({ workflows: [{ runs: [{ results }] }] });
		return { runIds: runs, pageSize };
	},
});

/** A list in n8n's engine, with all fields, as the HTTP helper returns them. */
const paged = (results: number, pageSize: number, times: number): Scenario => ({
	...list(results, pageSize),
	name: 'paged',
	title: `${text(results)} results, ${text(pageSize)} per page, in n8n's engine`,
	contenders: [
		{ label: 'This node', nodes: prospectorList(false) },
		{ label: "n8n's HTTP helper alone", nodes: helperList },
	],
	targets: [{ figure: 'processorMs', times }],
});

/** A list in a whole n8n as a user would read it, with the defaults of both nodes. */
const inN8n = (results: number): Scenario => ({
	...list(results, 100),
	name: 'n8n',
	title: `${text(results)} results, 100 per page, in n8n`,
	contenders: [
		{ label: 'This node (Simplify is on)', nodes: prospectorList(true) },
		{ label: 'HTTP Request, Pagination + Split Out', nodes: httpRequestList },
	],
	targets: [
		{ figure: 'milliseconds', times: 0.4 },
		{ figure: 'readingBytes', times: 0.5 },
		{ figure: 'savedBytes', times: 0.8 },
	],
});

/** A request per input item, in a whole n8n. */
const reads = (count: number): Scenario => ({
	name: 'reads',
	title: `${text(count)} single reads, in n8n`,
	count,
	measuresMemory: false,
	seed: (control, runs) => ({
		runIds: control.seed({ workflows: [{ runs: Array(runs).fill({ results: 0 }) }] }).runs,
		pageSize: 1,
	}),
	contenders: [
		{ label: 'This node', nodes: prospectorReads },
		{ label: 'HTTP Request', nodes: httpRequestReads },
	],
	targets: [{ figure: 'milliseconds', times: 0.65 }],
});

/** Returns the scenarios in the order in which they are measured. @param results number of results of a list */
export const scenariosFor = (results: number): Scenario[] => [
	paged(results, 1000, 1.3),
	paged(results, 100, 1.4),
	inN8n(results),
	reads(Math.ceil(results / 100)),
];

/** Measures the contenders in several rounds. Each is the first one in some round. */
export async function inRounds(
	{ contenders }: Scenario,
	count: number,
	measure: (contender: Contender) => Promise<Partial<Record<FigureName, number>>>,
): Promise<Round[]> {
	const rounds: Round[] = [];
	for (let i = 0; i < count; i++) {
		for (const contender of i % 2 === 0 ? contenders : [...contenders].reverse()) {
			const { label } = contender;
			const round: Round = await measure(contender).then(
				(figures) => ({ label, figures }),
				({ message }: Error) => ({ label, failure: message }),
			);
			log(`  round ${i + 1}: ${JSON.stringify(round)}`);
			rounds.push(round);
		}
	}
	return rounds;
}
