import type { SandboxSettings } from '../../sandbox/settings';
import type { SeedOutcome, SeedRequest } from '../../sandbox/types';
import type { ScenarioFigures } from './figures';
import type { Means, Task } from './job';
import type { BenchOptions } from './options';

export interface Contender {
	name: string;
	label: string;
	means: Means;
}

/** A sandbox, in this process or in its own. */
interface Seeder {
	seed(request: SeedRequest): SeedOutcome | Promise<SeedOutcome>;
}

export interface Scenario extends Omit<ScenarioFigures, 'contenders'> {
	settings: Partial<SandboxSettings>;
	/** Number of resources to read. */
	count: number;
	continueOnFail: boolean;
	/** Whether all contenders work at the same time, because they mostly wait. */
	together: boolean;
	/** Whether it is measured in a whole n8n, instead of n8n's engine in a process of the benchmark. */
	inWholeN8n: boolean;
	contenders: Contender[];
	seed(service: Seeder, count: number): Promise<Task>;
}

const MINUTE_MS = 60_000;
/** Results of a page of 4 MB. */
const LARGE_PAGE = 18_900;

const text = (count: number) => count.toLocaleString('en');

const NODE: Contender = {
	name: 'node',
	label: 'This node',
	means: { by: 'prospector', simplify: true },
};
/** With all fields, as the HTTP helper returns them. */
const UNSIMPLIFIED_NODE: Contender = { ...NODE, means: { by: 'prospector', simplify: false } };
const HELPER: Contender = { name: 'helper', label: "n8n's HTTP helper alone", means: { by: 'helper' } };
const HTTP_REQUEST: Contender = { name: 'httpRequest', label: 'HTTP Request', means: { by: 'httpRequest' } };
const batched = (name: string, batchSize: number, batchInterval: number): Contender => ({
	name,
	label: `HTTP Request, ${batchSize} per ${(batchInterval / 1000).toLocaleString('en')} s`,
	means: { by: 'httpRequest', batching: { batchSize, batchInterval } },
});

const UNLIMITED = {
	settings: { limit: 10_000_000, maxPageSize: LARGE_PAGE, journalSize: 10_000 },
	continueOnFail: false,
	together: false,
	inWholeN8n: false,
};

const seedList =
	(pageSize: number): Scenario['seed'] =>
	async (service, results) => {
		const { runs } = await service.seed({ workflows: [{ runs: [{ results }] }] });
		return { kind: 'list', runId: runs[0], pageSize };
	};

const seedReads: Scenario['seed'] = async (service, count) => {
	const { runs } = await service.seed({ workflows: [{ runs: Array(count).fill({ results: 0 }) }] });
	return { kind: 'reads', runIds: runs };
};

/** Reads a list page by page. */
const paged = (results: number, pageSize: number): Scenario => ({
	...UNLIMITED,
	name: 'paged',
	title: `${text(results)} results, ${text(pageSize)} per page, in n8n's engine`,
	pageSize,
	count: results,
	contenders: [UNSIMPLIFIED_NODE, HELPER],
	seed: seedList(pageSize),
});

/** Shows how long the node keeps n8n from doing anything else. */
const delay: Scenario = {
	...paged(LARGE_PAGE, LARGE_PAGE),
	name: 'delay',
	title: `A page of ${text(LARGE_PAGE)} results (4 MB), in n8n's engine`,
	contenders: [NODE, HELPER],
};

/** Reads a list as a user would, with the defaults of both nodes. */
const inN8n = ({ results, page }: BenchOptions): Scenario => ({
	...UNLIMITED,
	inWholeN8n: true,
	name: 'n8n',
	title: `${text(results)} results, ${text(page)} per page, in n8n`,
	pageSize: page,
	count: results,
	contenders: [
		{ ...NODE, label: 'This node (Simplify is on)' },
		{ ...HTTP_REQUEST, label: 'HTTP Request, Pagination + Split Out' },
	],
	seed: seedList(page),
});

/** Sends a request per input item. */
const reads = ({ reads: count }: BenchOptions): Scenario => ({
	...UNLIMITED,
	inWholeN8n: true,
	name: 'reads',
	title: `${text(count)} single reads, in n8n`,
	count,
	contenders: [NODE, HTTP_REQUEST],
	seed: seedReads,
});

/** Reads more items than the rolling limit allows in a minute. */
const limit = ({ items, limit: requests }: BenchOptions): Scenario => ({
	name: 'limit',
	title: `${text(items)} items on a rolling limit of ${requests} per minute, in n8n's engine`,
	optimumMs: (Math.ceil(items / requests) - 1) * MINUTE_MS,
	settings: { limit: requests, windowMs: MINUTE_MS },
	count: items,
	continueOnFail: true,
	together: true,
	inWholeN8n: false,
	contenders: [
		{ ...NODE, label: 'This node, no setting' },
		{ ...HTTP_REQUEST, label: 'HTTP Request, no setting' },
		// A user who knows the limit sends requests evenly, or all at once. Both need a margin, because the first request
		// takes longest to arrive.
		batched('httpRequestEvenly', 1, Math.ceil(MINUTE_MS / requests) + 10),
		batched('httpRequestWindow', requests, MINUTE_MS + 500),
	],
	seed: seedReads,
});

/** Returns the scenarios in the order in which they are measured. */
export const scenariosFor = (options: BenchOptions): Scenario[] =>
	[
		paged(options.results, 1000),
		paged(options.results, 100),
		delay,
		inN8n(options),
		reads(options),
		limit(options),
	].filter(({ name }) => options.scenarios.includes(name));
