import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { byId, chainNodes, node } from '../../test/nodes';
import { eventually } from '../../test/e2e/n8n/rest';
import { webhook } from '../../test/e2e/n8n/workflows';
import { startCluster, type Cluster } from './cluster';
import { ITEMS, LIMIT, summarize, type Configuration, type Figures } from './figures';
import { residentMemory } from './memory';

const MAX_DURATION_MS = 9 * 60_000;

/** An n8n workflow per API key, which reads one item for each one that its webhook gets. */
async function createReader({ e2e }: Cluster, name: string): Promise<string> {
	const { secret } = e2e.control.createKey({ name });
	const credentials = await e2e.credential(name, { apiKey: secret });
	const split = node('Split Out', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.items', options: {} });
	const read = e2e.prospector(
		'Read',
		{ resource: 'workflow', operation: 'get', workflowId: byId('={{ $json.id }}'), options: {} },
		{ credentials },
	);
	const saved = await e2e.workflows.create(chainNodes(webhook(name, { httpMethod: 'POST' }), split, read));
	await e2e.workflows.activate(saved);
	return `${e2e.n8n.baseUrl}/webhook/${name}`;
}

async function startExecution(url: string, id: string): Promise<boolean> {
	const body = JSON.stringify({ items: Array.from({ length: ITEMS }, () => ({ id })) });
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body,
	});
	return response.ok;
}

/** Reads with all workers until every execution has ended, and returns the figures. */
export async function measure(redis: string, configuration: Configuration): Promise<Figures> {
	const { workers, keys, executions, concurrency } = configuration;
	const cluster = await startCluster(redis, workers, concurrency, { limit: LIMIT, journalSize: 100_000 });
	try {
		const { e2e, postgres } = cluster;
		const names = Array.from({ length: keys }, (_, i) => `key-${i + 1}`);
		const urls: string[] = [];
		for (const name of names) urls.push(await createReader(cluster, name));
		const ids = e2e.control.seed({ workflows: keys * executions }).workflows;
		const memory = new Map<number, number>();
		// In n8n 2, a workflow is active some time before its webhook responds.
		for (const url of urls) {
			await eventually('the webhook', async () => await startExecution(url, ids[0]));
		}
		await eventually(
			'the first executions',
			async () => {
				const rows = await postgres.query(`SELECT 1 FROM execution_entity WHERE status <> 'success'`);
				return rows.length === 0;
			},
			120_000,
		);
		// What these used of the limit has expired then, and every worker is idle.
		await pause(62_000);
		e2e.control.clearJournal();
		const [{ last }] = await postgres.query<{ last: number }>('SELECT max(id) AS last FROM execution_entity');
		const begin = Date.now();
		for (let i = 0; i < executions; i++) {
			await Promise.all(urls.map(async (url, k) => await startExecution(url, ids[i * keys + k])));
		}
		const count = async (condition: string) =>
			(await postgres.query(`SELECT 1 FROM execution_entity WHERE id > ${last} AND ${condition}`)).length;
		while (Date.now() - begin < MAX_DURATION_MS) {
			cluster.workers.forEach(({ process }, i) =>
				memory.set(i, Math.max(memory.get(i) ?? 0, residentMemory(process.pid))),
			);
			const ended = await count(`status NOT IN ('new', 'running', 'waiting')`);
			if (ended === keys * executions) break;
			await pause(2000);
		}
		const failed = (await count(`status <> 'success'`)) * ITEMS;
		const executionOf = new Map<string, string>();
		const rows = await postgres.query<{ id: string; data: string }>(
			`SELECT "executionId" AS id, data FROM execution_data WHERE "executionId" > ${last}`,
		);
		for (const { id, data } of rows) {
			for (const workflowId of ids) if (data.includes(`"${workflowId}"`)) executionOf.set(workflowId, id);
		}
		const workerOf = (path: string): number => {
			const id = executionOf.get(path.split('/').at(-1) ?? '');
			return cluster.workers.findIndex(({ process }) => process.log().includes(`started execution ${id} (`));
		};
		const requests = e2e.control
			.journal()
			.filter(({ operation }) => operation === 'getWorkflow')
			.map(({ time, status, path, keyName }) => ({
				at: Date.parse(time) - begin,
				isRejected: status === 429,
				worker: workerOf(path),
				key: keyName ?? '',
			}));
		return summarize(configuration, requests, failed, [...memory.values()]);
	} finally {
		await cluster.close();
	}
}
