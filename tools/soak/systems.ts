import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { Executions } from '../../test/e2e/n8n/executions';
import { startN8n } from '../../test/e2e/n8n/instance';
import { eventually } from '../../test/eventually';
import type { Target } from '../../test/e2e/n8n/target';
import { Workflows } from '../../test/e2e/n8n/workflows';
import { startPostgres } from '../../test/e2e/outside/postgresServer';
import type { Open } from '../shared/resources';
import { createCredential } from '../../test/e2e/n8n/credentials';
import { N8nUnderTest } from './n8nUnderTest';
import { pipelines, type PipelineName } from './pipelines';
import { startService } from './service';
import { Week } from './week';

/** Starts the service, PostgreSQL, and n8n with active n8n workflows. */
export async function startSystems(open: Open, target: Target) {
	const service = await open(startService(120));
	const postgres = await open(startPostgres());
	await postgres.query('CREATE TABLE deliveries (result_id text, execution_id text)');
	const n8n = await open(startN8n({}, target));
	const { rest } = n8n;
	const workflows = new Workflows(rest);
	const week = new Week(service);

	const api = { baseUrl: service.sandbox.baseUrl, apiKey: service.secret };
	const credentials = {
		...(await createCredential(rest, 'prospectorApi', 'prospectorApi', api)),
		...(await createCredential(rest, 'postgres', 'postgres', postgres.credential)),
	};
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
	const executions = new Executions(rest);
	return { service, postgres, n8n: new N8nUnderTest(n8n), workflows, executions, ids, week, credentials };
}

export type Systems = Awaited<ReturnType<typeof startSystems>>;
