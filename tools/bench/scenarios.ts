import type { SandboxSettings } from '../../sandbox/settings';
import type { ScenarioFigures } from './figures';
import type { Means, Task } from './job';
import type { BenchOptions } from './options';
import type { Service } from './service';

export interface Contender {
	name: string;
	label: string;
	means: Means;
}

export interface Scenario extends Pick<ScenarioFigures, 'name' | 'title' | 'floor' | 'optimumMs'> {
	settings: Partial<SandboxSettings>;
	/** Number of resources to read. */
	expected: number;
	continueOnFail: boolean;
	/** Whether all contenders work at the same time, because they mostly wait. */
	together: boolean;
	contenders: Contender[];
	seed(service: Service): Promise<Task>;
}

const PAGE_SIZE = 100;
/** The node's default for Max Concurrent Requests. */
const CONCURRENCY = 5;
const MINUTE_MS = 60_000;
const UNLIMITED: Partial<SandboxSettings> = { limit: 10_000_000 };

const NODE: Contender = { name: 'node', label: 'This node', means: { by: 'prospector' } };
const HTTP_REQUEST: Contender = { name: 'httpRequest', label: 'HTTP Request', means: { by: 'httpRequest' } };
const batched = (name: string, batchSize: number, batchInterval: number): Contender => ({
	name,
	label: `HTTP Request, ${batchSize} per ${(batchInterval / 1000).toLocaleString('en')} s`,
	means: { by: 'httpRequest', batching: { batchSize, batchInterval } },
});
const helper = (concurrency: number): Contender => ({
	name: 'helper',
	label: "n8n's HTTP helper alone",
	means: { by: 'helper', concurrency },
});
const undici = (label: string, means: Omit<Extract<Means, { by: 'undici' }>, 'by'>): Contender => ({
	name: 'undici',
	label,
	means: { by: 'undici', ...means },
});

/** Reads a list page by page. */
const paged = ({ results }: BenchOptions): Scenario => ({
	name: 'paged',
	title: `${text(results)} results, ${PAGE_SIZE} per page`,
	floor: 'undici',
	settings: UNLIMITED,
	expected: results,
	continueOnFail: false,
	together: false,
	contenders: [
		NODE,
		{ ...HTTP_REQUEST, label: 'HTTP Request, Pagination + Split Out' },
		helper(1),
		undici('undici', { concurrency: 1 }),
	],
	async seed(service) {
		const { runs } = await service.seed({ workflows: [{ runs: [{ results }] }] });
		return { kind: 'list', runId: runs[0], pageSize: PAGE_SIZE };
	},
});

/** Sends a request per input item. */
const reads = ({ reads: count }: BenchOptions): Scenario => ({
	name: 'reads',
	title: `${text(count)} single reads`,
	floor: 'undici',
	settings: UNLIMITED,
	expected: count,
	continueOnFail: false,
	together: false,
	contenders: [
		NODE,
		{ ...HTTP_REQUEST, label: 'HTTP Request, all at once (default)' },
		// The defaults of the option 'Batching'.
		batched('httpRequestBatched', 50, 1000),
		helper(CONCURRENCY),
		undici(`undici, ${CONCURRENCY} side by side`, { concurrency: CONCURRENCY }),
	],
	seed: async (service) => await seedReads(service, count),
});

/** Reads more items than the rolling limit allows in a minute. */
const limit = ({ items, limit: requests }: BenchOptions): Scenario => ({
	name: 'limit',
	title: `${text(items)} items on a rolling limit of ${requests} per minute`,
	floor: 'undici',
	optimumMs: (Math.ceil(items / requests) - 1) * MINUTE_MS,
	settings: { limit: requests, windowMs: MINUTE_MS },
	expected: items,
	continueOnFail: true,
	together: true,
	contenders: [
		{ ...NODE, label: 'This node, no setting' },
		{ ...HTTP_REQUEST, label: 'HTTP Request, no setting' },
		// A user who knows the limit sends requests evenly, or all at once. Both need a margin, because the first request
		// takes longest to arrive.
		batched('httpRequestEvenly', 1, Math.ceil(MINUTE_MS / requests) + 10),
		batched('httpRequestWindow', requests, MINUTE_MS + 500),
		undici('undici, knows the limit', {
			concurrency: requests,
			window: { requests, milliseconds: MINUTE_MS },
		}),
	],
	seed: async (service) => await seedReads(service, items),
});

/** Returns the scenarios in the order in which they are measured. */
export const scenariosFor = (options: BenchOptions): Scenario[] =>
	[paged, reads, limit].map((make) => make(options)).filter(({ name }) => options.scenarios.includes(name));

async function seedReads(service: Service, count: number): Promise<Task> {
	const { runs } = await service.seed({ workflows: [{ runs: Array(count).fill({ results: 0 }) }] });
	return { kind: 'reads', runIds: runs };
}

const text = (count: number) => count.toLocaleString('en');
