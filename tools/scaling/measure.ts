import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { byId, node } from '../../test/nodes';
import { eventually } from '../../test/eventually';
import { residentMemory } from '../shared/memory';
import { withCluster, type Cluster } from './cluster';

export interface Configuration {
	workers: number;
	/** API keys; each has its own limit, and the same number of executions. */
	keys: number;
	/** Executions per API key. */
	executions: number;
	/** Executions that a worker runs at the same time. */
	concurrency: number;
}

export interface Figures extends Configuration {
	/** Requests per minute and API key. */
	limit: number;
	items: number;
	failedItems: number;
	/** Seconds until the last item, and what the limit makes possible. */
	seconds: number;
	possibleSeconds: number;
	/** Rejected requests per worker and minute. */
	rejected: number;
	/** Peak resident memory by worker, in MiB. */
	memory: number[];
}

/** Each execution reads this many items. */
const ITEMS = 5;
const LIMIT = 60;
const MINUTE_MS = 60_000;
const MAX_DURATION_MS = 9 * MINUTE_MS;

/** Starts an execution that reads a Prospector workflow several times. */
type StartExecution = (workflowId: string) => Promise<void>;

/** Creates an n8n workflow with its own API key, which reads one item for each one that its webhook gets. */
async function createReader({ e2e }: Cluster, name: string): Promise<StartExecution> {
	const { secret } = e2e.control.createKey({ name });
	const credentials = await e2e.credential(name, { apiKey: secret });
	const split = node('Split Out', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.items', options: {} });
	const get = { resource: 'workflow', operation: 'get', workflowId: byId('={{ $json.id }}'), options: {} };
	const { call } = await e2e.workflows.createWebhook([split, e2e.prospector('Read', get, { credentials })]);
	return async (id) => await call({ items: Array.from({ length: ITEMS }, () => ({ id })) });
}

/** Reads with all workers until every execution has ended, and returns the figures. */
export async function measure(configuration: Configuration): Promise<Figures> {
	const { keys, executions } = configuration;
	const options = { ...configuration, settings: { limit: LIMIT } };
	return await withCluster(options, async (cluster) => {
		const { e2e, postgres, workers } = cluster;
		const readers: StartExecution[] = [];
		for (let key = 1; key <= keys; key++) readers.push(await createReader(cluster, `key-${key}`));
		const ids = e2e.control.seed({ workflows: keys * executions }).workflows;
		const count = async (condition: string) =>
			(await postgres.query(`SELECT 1 FROM execution_entity WHERE ${condition}`)).length;
		for (const read of readers) await read(ids[0]);
		const firstHaveEnded = async () => (await count(`status <> 'success'`)) === 0;
		await eventually('the first executions', firstHaveEnded, 120_000);
		// What these used of the limit has expired then, and every worker is idle.
		await pause(62_000);
		e2e.control.clearJournal();
		const begin = Date.now();
		for (let i = 0; i < executions; i++) {
			await Promise.all(readers.map(async (read, key) => await read(ids[i * keys + key])));
		}
		const memory = workers.map(() => 0);
		const all = keys * (executions + 1);
		while (Date.now() - begin < MAX_DURATION_MS) {
			workers.forEach(({ process }, i) => (memory[i] = Math.max(memory[i], residentMemory(process.pid))));
			if ((await count(`status NOT IN ('new', 'running', 'waiting')`)) === all) break;
			await pause(2000);
		}
		const failedItems = (await count(`status <> 'success'`)) * ITEMS;
		const requests = e2e.requests('getWorkflow');
		const accepted = requests.filter(({ status }) => status !== 429);
		const lastMs = Math.max(0, ...accepted.map(({ time }) => Date.parse(time) - begin));
		const rejectedPerWorker = (requests.length - accepted.length) / workers.length;
		return {
			...{ ...configuration, limit: LIMIT, items: keys * executions * ITEMS, failedItems, memory },
			seconds: rounded(lastMs / 1000, 1),
			possibleSeconds: (Math.ceil((executions * ITEMS) / LIMIT) - 1) * 60,
			rejected: rounded(rejectedPerWorker / (lastMs / MINUTE_MS), 2),
		};
	});
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
