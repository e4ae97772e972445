/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error, no-console -- not published */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './ports';
import { Process } from './processes';
import { Rest } from './rest';
import { readTarget, type SharedN8n, type Target } from './target';

/** n8n sends nothing to its maker's servers and listens on this machine only. */
const LOCAL_ONLY = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	// Without HTTPS, the browser would not send a secure cookie.
	N8N_SECURE_COOKIE: 'false',
};

/** Most tests need no editor and no Code nodes. Without them, n8n starts in about half of the processor time. */
const REDUCED = { N8N_DISABLE_UI: 'true', N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'unused' };
export const WITH_CODE_NODES = { N8N_RUNNERS_MODE: 'internal' };
export const WITH_EDITOR = { ...WITH_CODE_NODES, N8N_DISABLE_UI: 'false' };

/** n8n's durable scheduler for polling triggers is off by default and needs all of these. */
export const DURABLE_SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** Creates a user folder of n8n in which the packed package is installed, if the target has one. */
export function makeUserFolder({ packed, prepared }: Target): string {
	const folder = mkdtempSync(join(tmpdir(), 'prospector-n8n-'));
	const n8nFolder = join(folder, '.n8n');
	if (prepared) cpSync(prepared, n8nFolder, { recursive: true });
	else mkdirSync(n8nFolder);
	if (packed) cpSync(packed, join(n8nFolder, 'nodes'), { recursive: true });
	return folder;
}

export function removeUserFolder(folder: string): void {
	if (process.env.E2E_KEEP) console.log(`Kept: ${folder}`);
	else rmSync(folder, { recursive: true, force: true });
}

/** An n8n with its own user folder, in which the packed package is installed. Call `close()` in the end. */
export class N8n {
	readonly rest: Rest;
	readonly baseUrl: string;
	private process?: Process;

	constructor(
		readonly target: Target,
		readonly folder: string,
		readonly port: number,
		readonly env: NodeJS.ProcessEnv,
		cookie?: string,
	) {
		this.baseUrl = `http://127.0.0.1:${port}`;
		this.rest = new Rest(this.baseUrl, cookie);
	}

	/** Returns what a worker of Jest needs to use this n8n. */
	share(): SharedN8n {
		const { folder, port, env, rest } = this;
		return { folder, port, env, cookie: rest.cookie };
	}

	/**
	 * Starts n8n and waits until it accepts requests.
	 * @throws Error with the end of n8n's log if it does not start
	 */
	async start(): Promise<void> {
		const args = [this.target.bin, 'start'];
		this.process = new Process(this.target.node, args, this.env, this.folder, this.logFile);
		await this.process.waitUntil(async () => await this.rest.isReady(), 'n8n');
	}

	/** The output of n8n, over all its starts. */
	log(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	/** The leader of n8n's process group, whose child is n8n. */
	get pid(): number {
		return this.process?.pid ?? 0;
	}

	async kill(): Promise<void> {
		await this.process?.kill();
	}

	async stop(): Promise<void> {
		await this.process?.stop();
	}

	async exited(): Promise<void> {
		await this.process?.exited;
	}

	async close(): Promise<void> {
		await this.kill();
		removeUserFolder(this.folder);
	}

	private get logFile(): string {
		return join(this.folder, 'n8n.log');
	}
}

/** Starts an n8n and logs in as its owner. */
export async function startN8n(
	env: NodeJS.ProcessEnv = {},
	target = readTarget(),
	port?: number,
): Promise<N8n> {
	const folder = makeUserFolder(target);
	const [freePort, brokerPort] = await freePorts(2);
	const ownPort = port ?? freePort;
	const n8n = new N8n(target, folder, ownPort, {
		// Without the variables of Jest, on which the behavior of n8n depends.
		PATH: process.env.PATH,
		LANG: 'C.UTF-8',
		HOME: folder,
		N8N_USER_FOLDER: folder,
		N8N_PORT: String(ownPort),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// Shortens the start on Node.js 22 and newer.
		NODE_COMPILE_CACHE: target.compileCache,
		...{ ...REDUCED, ...LOCAL_ONLY },
		// Defaults of n8n 3.
		...{ N8N_RUNNERS_TASK_TIMEOUT: '60', N8N_ENV_FEAT_ENCRYPTION_KEY_ROTATION: 'true' },
		// The expression sandbox of n8n 1.123 does not load on Node.js 20.
		...(target.nodeMajor < 22 && { N8N_EXPRESSION_ENGINE: 'legacy' }),
		...(target.scheduler === 'durable' && DURABLE_SCHEDULER),
		...env,
	});
	try {
		await n8n.start();
		if (!n8n.target.prepared || n8n.env.DB_TYPE) await n8n.rest.setUpOwner();
		await n8n.rest.logIn();
		return n8n;
	} catch (error) {
		await n8n.close();
		throw error;
	}
}

/**
 * Sets up the database and the owner of an n8n once, because that takes n8n long. Other n8ns start from these files.
 *
 * @param prepared the folder for the files
 * @returns that folder
 * @throws Error with the end of n8n's log if it does not start
 */
export async function prepareUserFolder(target: Target, prepared: string): Promise<string> {
	if (existsSync(prepared)) return prepared;
	const n8n = await startN8n({}, target);
	await n8n.stop();
	const unfinished = `${prepared}.${process.pid}`;
	cpSync(join(n8n.folder, '.n8n'), unfinished, { recursive: true });
	// Each n8n installs the package that it tests.
	rmSync(join(unfinished, 'nodes'), { recursive: true });
	if (!existsSync(prepared)) renameSync(unfinished, prepared);
	rmSync(unfinished, { recursive: true, force: true });
	await n8n.close();
	return prepared;
}
