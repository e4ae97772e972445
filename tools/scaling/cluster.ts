import type { SandboxSettings } from '../../sandbox/settings';
import { startEnvironment, type Environment } from '../../test/e2e/environment';
import { freePorts } from '../../test/e2e/n8n/ports';
import { queueEnv, startRedis, startWorker, type Service } from '../../test/e2e/n8n/queue';
import { startPostgres, type Postgres } from '../../test/e2e/outside/postgresServer';

/** n8n in queue mode with Redis, PostgreSQL and a sandbox, whose process does nothing else. */
export interface Cluster {
	e2e: Environment;
	postgres: Postgres;
	workers: Service[];
	close(): Promise<void>;
}

export async function startCluster(
	redisProgram: string,
	workerCount: number,
	concurrency: number,
	settings: Partial<SandboxSettings>,
): Promise<Cluster> {
	const services: Array<{ close(): Promise<void> }> = [];
	const close = async () => {
		for (const service of services.splice(0).reverse()) await service.close();
	};
	try {
		const [redisPort] = await freePorts(1);
		services.push(await startRedis(redisProgram, redisPort));
		const postgres = await startPostgres();
		services.push(postgres);
		const e2e = await startEnvironment({
			settings,
			ownN8n: {
				...queueEnv(redisPort),
				...postgres.n8nEnv,
				N8N_LOG_LEVEL: 'info',
			},
		});
		services.push(e2e);
		const workers: Service[] = [];
		for (let i = 0; i < workerCount; i++) {
			workers.push(await startWorker(e2e.n8n, `--concurrency=${concurrency}`));
			services.push(workers[i]);
		}
		return { e2e, postgres, workers, close };
	} catch (error) {
		await close();
		throw error; // eslint-disable-line @n8n/community-nodes/require-node-api-error -- not published
	}
}
