/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { setTimeout as pause } from 'node:timers/promises';
import { Executions } from '../../test/e2e/n8n/executions';
import { startN8n } from '../../test/e2e/n8n/instance';
import { eventually } from '../../test/e2e/n8n/rest';
import type { Target } from '../../test/e2e/n8n/target';
import { Workflows } from '../../test/e2e/n8n/workflows';
import { startPostgres } from '../../test/e2e/outside/postgresServer';
import { N8nUnderTest } from './n8nUnderTest';
import { pipelines, type Credentials, type PipelineName } from './pipelines';
import { startService } from './service';
import { Week } from './week';

/** Starts the service, PostgreSQL, and n8n with active n8n workflows. Call `close()` in the end. */
export async function startSystems(target: Target) {
	const opened: Array<() => Promise<void> | void> = [];
	const close = async () => {
		for (const closeOne of opened.reverse()) await closeOne();
	};
	try {
		const service = await startService(120);
		opened.push(service.close);
		const postgres = await startPostgres();
		opened.push(postgres.close);
		await postgres.query('CREATE TABLE deliveries (result_id text, execution_id text)');
		const n8n = await startN8n({}, target);
		opened.push(async () => await n8n.close());

		const { rest } = n8n;
		const workflows = new Workflows(rest);
		const executions = new Executions(rest);
		const week = new Week(service);
		opened.push(() => week.stop());

		const credentials: Credentials = {};
		const addCredential = async (type: string, data: object) => {
			const { id } = await rest.post<{ id: string }>('/rest/credentials', { name: type, type, data });
			credentials[type] = { id, name: type };
		};
		await addCredential('prospectorApi', { baseUrl: service.sandbox.baseUrl, apiKey: service.secret });
		await addCredential('postgres', postgres.credential);
		const files = pipelines(credentials, week.daily, service.clock.startedAt);
		const ids = {} as Record<PipelineName, string>;
		for (const name of Object.keys(files) as PipelineName[]) {
			const saved = await workflows.create(files[name]);
			ids[name] = saved.id;
			await workflows.activate(saved);
		}
		// What appears from now on is new to the trigger.
		await eventually('the first poll', () => service.journal().length > 0);
		await pause(3000);
		const underTest = new N8nUnderTest(n8n);
		return { service, postgres, n8n: underTest, workflows, executions, ids, week, credentials, close };
	} catch (error) {
		await close();
		throw error;
	}
}

export type Systems = Awaited<ReturnType<typeof startSystems>>;
