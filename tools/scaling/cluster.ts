import type { SandboxSettings } from '../../sandbox/settings';
import { startEnvironment, type Environment } from '../../test/e2e/environment';
import { freePorts } from '../../test/e2e/n8n/ports';
import { queueEnv, startRedis, startWorker, type Service } from '../../test/e2e/n8n/queue';
import { startPostgres, type Postgres } from '../../test/e2e/outside/postgresServer';
import { SetUpError } from '../../test/e2e/setUp/commands';
import { findServices } from '../../test/e2e/setUp/services';
import { withResources } from '../shared/resources';

/** n8n in queue mode with Redis, PostgreSQL and a sandbox, whose process does nothing else. */
export interface Cluster {
	e2e: Environment;
	postgres: Postgres;
	workers: Service[];
}

interface ClusterOptions {
	workers: number;
	/** Executions that a worker runs at the same time. */
	concurrency: number;
	settings: Partial<SandboxSettings>;
}

/** Starts a cluster, and closes it in the end. @throws SetUpError if there is no Redis */
export async function withCluster<T>(
	{ workers: count, concurrency, settings }: ClusterOptions,
	act: (cluster: Cluster) => Promise<T>,
): Promise<T> {
	const { redis } = findServices();
	const { program } = redis;
	if (!program) throw new SetUpError(`Redis is needed: ${redis.missing}`);
	return await withResources(async (open) => {
		const [redisPort] = await freePorts(1);
		await open(startRedis(program, redisPort));
		const postgres = await open(startPostgres());
		const ownN8n = { ...queueEnv(redisPort), ...postgres.n8nEnv };
		const e2e = await open(startEnvironment({ settings: { journalSize: 100_000, ...settings }, ownN8n }));
		const workers: Service[] = [];
		for (let i = 0; i < count; i++) {
			workers.push(await open(startWorker(e2e.n8n, `--concurrency=${concurrency}`)));
		}
		return await act({ e2e, postgres, workers });
	});
}
