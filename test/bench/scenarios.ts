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
	/** How many resources there are to be read. */
	expected: number;
	continueOnFail: boolean;
	/** All contenders at the same time, since they mostly wait; otherwise one after the other. */
	together: boolean;
	contenders: Contender[];
	/** Fills the sandbox. */
	seed(service: Service): Promise<Task>;
}

export const PAGE_SIZE = 100;
/** The node's default for Max Concurrent Requests. */
const SIDE_BY_SIDE = 5;
const MINUTE_MS = 60_000;
const UNLIMITED: Partial<SandboxSettings> = { limit: 10_000_000 };

const NODE: Contender = { name: 'node', label: 'This node', means: { by: 'prospector' } };
const HTTP_REQUEST: Contender = { name: 'httpRequest', label: 'HTTP Request', means: { by: 'httpRequest' } };
const batched = (name: string, batchSize: number, batchInterval: number): Contender => ({
	name,
	label: `HTTP Request, ${batchSize} per ${(batchInterval / 1000).toLocaleString('en')} s`,
	means: { by: 'httpRequest', batching: { batchSize, batchInterval } },
});
const helper = (sideBySide: number): Contender => ({
	name: 'helper',
	label: "n8n's HTTP helper alone",
	means: { by: 'helper', sideBySide },
});
const undici = (label: string, means: Omit<Extract<Means, { by: 'undici' }>, 'by'>): Contender => ({
	name: 'undici',
	label,
	means: { by: 'undici', ...means },
});

/** A list, page by page. */
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
		undici('undici', { sideBySide: 1 }),
	],
	async seed(service) {
		const { runs } = await service.seed({ workflows: [{ runs: [{ results }] }] });
		return { kind: 'list', runId: runs[0], pageSize: PAGE_SIZE };
	},
});

/** One request per input item. */
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
		// What the option 'Batching' is filled in with.
		batched('httpRequestBatched', 50, 1000),
		helper(SIDE_BY_SIDE),
		undici(`undici, ${SIDE_BY_SIDE} side by side`, { sideBySide: SIDE_BY_SIDE }),
	],
	seed: async (service) => await seedReads(service, count),
});

/** More items than the rolling limit lets through at once, in real minutes. */
const limit = ({ items, limit: requests }: BenchOptions): Scenario => ({
	name: 'limit',
	title: `${text(items)} items on a rolling limit of ${requests} per minute`,
	floor: 'undici',
	optimumMs: optimumOf(items, requests),
	settings: { limit: requests, windowMs: MINUTE_MS },
	expected: items,
	continueOnFail: true,
	together: true,
	contenders: [
		{ ...NODE, label: 'This node, no setting' },
		{ ...HTTP_REQUEST, label: 'HTTP Request, no setting' },
		// By hand, from a limit that the service does not tell: evenly, and as much as it allows at once. Both with a
		// little to spare, since the first request of all takes longest to get there.
		batched('httpRequestEvenly', 1, Math.ceil(MINUTE_MS / requests) + 10),
		batched('httpRequestWindow', requests, MINUTE_MS + 500),
		undici('undici, knows the limit', {
			sideBySide: requests,
			window: { requests, milliseconds: MINUTE_MS },
		}),
	],
	seed: async (service) => await seedReads(service, items),
});

/** In the order in which they are measured. */
export const scenariosFor = (options: BenchOptions): Scenario[] =>
	[paged, reads, limit].map((make) => make(options)).filter(({ name }) => options.scenarios.includes(name));

/** All that the limit allows at once, and the same again whenever a minute has passed. */
export const optimumOf = (items: number, perMinute: number): number =>
	(Math.ceil(items / perMinute) - 1) * MINUTE_MS;

async function seedReads(service: Service, count: number): Promise<Task> {
	const { runs } = await service.seed({ workflows: [{ runs: Array(count).fill({ results: 0 }) }] });
	return { kind: 'reads', runIds: runs };
}

const text = (count: number) => count.toLocaleString('en');
