/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from './seededRandom';
import { startN8n } from '../../test/e2e/n8n/instance';
import { eventually } from '../../test/e2e/n8n/rest';
import type { Target } from '../../test/e2e/n8n/target';
import { Workflows } from '../../test/e2e/n8n/workflows';
import { startPostgres } from '../../test/e2e/outside/postgresServer';
import { N8nUnderTest } from './n8nUnderTest';
import { pipelines, TABLES, type Credentials, type PipelineName } from './pipelines';
import { startService } from './service';
import { Week } from './week';

export interface SystemOptions {
	/** Determines what happens, but not the exact times. */
	seed: number;
	/** Whether everything happens more often, for a run of a few minutes. */
	isShort: boolean;
	target: Target;
}

/** Starts the service, PostgreSQL, and n8n with active n8n workflows. Call `close()` in the end. */
export async function startSystems({ seed, isShort, target }: SystemOptions) {
	const opened: Array<() => Promise<void> | void> = [];
	const close = async () => {
		for (const closeOne of opened.reverse()) await closeOne();
	};
	try {
		const service = await startService(isShort ? 300 : 120);
		opened.push(service.close);
		const postgres = await startPostgres();
		opened.push(postgres.close);
		for (const statement of TABLES) await postgres.query(statement);
		const n8n = await startN8n({ N8N_METRICS: 'true', N8N_LOG_LEVEL: 'info' }, target);
		opened.push(async () => await n8n.close());

		const { rest } = n8n;
		const workflows = new Workflows(rest);
		const random = (purpose: string) => seededRandom('soak', seed, purpose);
		const week = new Week(service, random('week'), isShort ? 6 : 1);
		opened.push(() => week.stop());

		const credentials: Credentials = {};
		const addCredential = async (type: string, data: object) => {
			const { id } = await rest.post<{ id: string }>('/rest/credentials', { name: type, type, data });
			credentials[type] = { id, name: type };
		};
		await addCredential('prospectorApi', { baseUrl: service.sandbox.baseUrl, apiKey: service.secret });
		await addCredential('postgres', postgres.credential);
		const { startedAt } = service.clock;
		const files = pipelines({ credentials, startedAt, daily: week.daily, isShort });
		const ids = {} as Record<PipelineName, string>;
		for (const name of Object.keys(files) as PipelineName[]) {
			const saved = await workflows.create(files[name]);
			ids[name] = saved.id;
			await workflows.activate(saved);
		}
		// What appears from now on is new to the triggers.
		await eventually('the first polls', () => service.journal().length >= 2);
		await pause(3000);
		const underTest = new N8nUnderTest(n8n);
		return { service, postgres, n8n: underTest, workflows, ids, week, credentials, random, close };
	} catch (error) {
		await close();
		throw error;
	}
}

export type Systems = Awaited<ReturnType<typeof startSystems>>;
