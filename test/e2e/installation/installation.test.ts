/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import assert from 'node:assert';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { byId } from '../../nodes';
import { closeAfterAll } from '../closeAfterAll';
import { startEnvironment, type Environment } from '../environment';
import { freePorts } from '../n8n/ports';
import { queueEnv, startRedis, startWorker, type Service } from '../n8n/queue';
import { eventually } from '../../eventually';
import { atLeast, readTarget } from '../n8n/target';
import { manualWorkflow } from '../n8n/workflows';
import { startNpmRegistry } from '../outside/npmRegistry';
import { startPostgres } from '../outside/postgresServer';
import { packTarball } from '../setUp/targets';

type Compose = Record<'main' | 'worker', { environment: Record<string, string>; command: string }>;

const PACKAGE = 'n8n-nodes-prospector';
const OLD = '0.0.1';
const NEW = '0.0.2';

const { redis, packed = '' } = readTarget();

function packVersion(folder: string, version: string): string {
	const copy = join(folder, version);
	cpSync(join(packed, 'node_modules', PACKAGE), copy, { recursive: true });
	const manifest = join(copy, 'package.json');
	const content = JSON.parse(readFileSync(manifest, 'utf8')) as object;
	writeFileSync(manifest, JSON.stringify({ ...content, version }));
	return packTarball(folder, copy);
}

(redis && atLeast('2.21') ? describe : describe.skip)(
	'n8n with the compose file of the documentation',
	() => {
		const folder = mkdtempSync(join(tmpdir(), 'prospector-installation-'));
		const closeLater = closeAfterAll();
		let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
		let e2e: Environment;
		let workers: Service[];
		let workflowId: string;

		/** Reads docs/compose.yaml as Docker Compose does. */
		function readCompose(version: string, checksum = registry.checksums[version]): Compose {
			const values: Record<string, string> = {
				...{ N8N_ENCRYPTION_KEY: 'a secret of the test', POSTGRES_PASSWORD: 'replaced below' },
				...{ PROSPECTOR_VERSION: version, PROSPECTOR_CHECKSUM: checksum },
			};
			const insertValue = (_: string, name: string) => values[name] ?? assert.fail(`There is no ${name}`);
			const text = readFileSync('docs/compose.yaml', 'utf8').replace(/\$\{(\w+):\?\}/g, insertValue);
			return (parse(text, { merge: true }) as { services: Compose }).services;
		}

		async function addWorker(): Promise<Service> {
			const options = readCompose(OLD).worker.command.split(' ').slice(1);
			return closeLater(await startWorker(e2e.n8n, ...options));
		}

		/** Restarts the main process with another list of packages. Returns what it logs. */
		async function restartMain(N8N_COMMUNITY_PACKAGES: string): Promise<string> {
			const lengthBefore = e2e.n8n.log().length;
			await e2e.n8n.stop();
			Object.assign(e2e.n8n.env, { N8N_COMMUNITY_PACKAGES });
			await e2e.n8n.start();
			return e2e.n8n.log().slice(lengthBefore);
		}

		/** What n8n shows under Settings › Community nodes. */
		const listInstalled = async () => await e2e.rest.get<object[]>('/rest/community-packages');

		/** Starts a run as the editor's button does. Returns the worker that has executed it. */
		async function executeRun(): Promise<Service | undefined> {
			const run = { resource: 'workflow', operation: 'run', workflowId: byId(workflowId) };
			const { id, status } = await e2e.workflows.execute(manualWorkflow(e2e.prospector('Start', run)));
			expect(status).toBe('success');
			return workers.find(({ process }) => process.log().includes(`Worker started execution ${id} (`));
		}

		beforeAll(async () => {
			const tarballs = { [OLD]: packVersion(folder, OLD), [NEW]: packVersion(folder, NEW) };
			registry = closeLater(await startNpmRegistry(PACKAGE, tarballs));
			const [redisPort] = await freePorts(1);
			closeLater(await startRedis(redis as string, redisPort));
			const postgres = closeLater(await startPostgres());
			// Only the addresses and the accounts differ from the compose file.
			const documented = readCompose(OLD).main.environment;
			const local = { ...queueEnv(redisPort), ...postgres.n8nEnv };
			const known = [...Object.keys(documented), 'QUEUE_BULL_REDIS_PORT', 'DB_POSTGRESDB_PORT'];
			expect(known).toEqual(expect.arrayContaining(Object.keys(local)));
			const ownN8n = { ...documented, ...local, ...registry.env };
			const target = { ...readTarget(), packed: undefined, prepared: undefined };
			e2e = closeLater(await startEnvironment({ ownN8n, target }));
			[workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
			workers = [await addWorker()];
		});
		afterAll(() => rmSync(folder, { recursive: true, force: true }));

		test('n8n installs the package in the main process, and again in a worker with an empty folder, which executes runs', async () => {
			const installed = { packageName: PACKAGE, installedVersion: OLD, failedLoading: false };
			expect(await listInstalled()).toMatchObject([installed]);
			expect(registry.downloads(OLD)).toBe(2);
			expect(await executeRun()).toBe(workers[0]);
		});

		test('n8n installs another version in the main process, in a running worker and in a new one, which both execute runs', async () => {
			const log = await restartMain(readCompose(NEW).main.environment.N8N_COMMUNITY_PACKAGES);
			expect(log).toContain(`Updated community package '${PACKAGE}' from ${OLD} to ${NEW} from env`);
			await eventually('the running worker to update', () => registry.downloads(NEW) === 2);
			workers.push(await addWorker());
			expect(registry.downloads(NEW)).toBe(3);
			const executedBy = new Set<Service | undefined>();
			await eventually('both workers to execute a run', async () => {
				executedBy.add(await executeRun());
				return workers.every((worker) => executedBy.has(worker));
			});
		});

		test('n8n uninstalls the package if its environment variable does not list it any more', async () => {
			expect(await restartMain('[]')).toContain(`Removed community package '${PACKAGE}'`);
			expect(await listInstalled()).toEqual([]);
		});

		test('a package whose checksum is wrong is not installed, but n8n starts', async () => {
			const { environment } = readCompose(OLD, registry.checksums[NEW]).main;
			// n8n 2.41 does not say that the checksums differ (docs/self-hosting.md).
			expect(await restartMain(environment.N8N_COMMUNITY_PACKAGES)).toContain(
				`Failed to install community package '${PACKAGE}@${OLD}' from env: Failed to verify package checksum.`,
			);
			expect(await listInstalled()).toEqual([]);
			expect(registry.downloads(OLD)).toBe(2);
		});
	},
);
