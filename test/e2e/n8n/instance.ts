import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './ports';
import { Process } from './processes';
import { eventually, Rest } from './rest';
import { readTarget, type Target } from './target';

export interface N8nOptions {
	/** Environment variables of n8n's on top of the usual ones. */
	env?: Record<string, string>;
	target?: Target;
	/** n8n's port; by default a free one. */
	port?: number;
}

/** n8n asks its maker's servers nothing, greets nobody, and is reached from this machine only. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	// The browser is not told to insist on HTTPS.
	N8N_SECURE_COOKIE: 'false',
};

/** n8n's durable scheduler for polling triggers. It is off by default, and needs all of these. */
const DURABLE_SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** A new user folder of n8n's, in which the packed package is installed. */
export function makeUserFolder({ packed, prepared }: Target): string {
	const folder = mkdtempSync(join(tmpdir(), 'prospector-n8n-'));
	const own = join(folder, '.n8n');
	if (prepared) cpSync(prepared, own, { recursive: true });
	else mkdirSync(own);
	cpSync(packed, join(own, 'nodes'), { recursive: true });
	return folder;
}

/**
 * Starts a new n8n once and sets up its owner, so that others can start from its files.
 *
 * @param prepared the folder to put its files in
 * @throws Error with the end of n8n's log if it does not start
 */
export async function prepareFiles(target: Target, prepared: string): Promise<void> {
	const n8n = await startN8n({ target });
	await n8n.stop();
	cpSync(join(n8n.folder, '.n8n'), prepared, { recursive: true });
	// Each test installs the package that it is about.
	rmSync(join(prepared, 'nodes'), { recursive: true });
	await n8n.close();
}

/** Removes a user folder, unless somebody wants to look into it. */
export function removeUserFolder(folder: string, keep = Boolean(process.env.E2E_KEEP)): void {
	if (!keep) rmSync(folder, { recursive: true, force: true });
	else console.log(`Kept: ${folder}`);
}

/** An n8n with a user folder of its own, in which the packed package is installed; `close()` it in the end. */
export class N8n {
	readonly rest: Rest;
	private process?: Process;

	private constructor(
		readonly target: Target,
		readonly folder: string,
		readonly port: number,
		readonly env: NodeJS.ProcessEnv,
	) {
		this.rest = new Rest(this.baseUrl);
	}

	/** A new n8n that nobody has opened yet, not started. */
	static async create({ env = {}, target = readTarget(), port }: N8nOptions = {}): Promise<N8n> {
		const folder = makeUserFolder(target);
		const [own, broker] = await freePorts(2);
		return new N8n(target, folder, port ?? own, {
			// Not that of the tests: n8n behaves differently where it believes to be tested.
			PATH: process.env.PATH,
			LANG: 'C.UTF-8',
			HOME: folder,
			N8N_USER_FOLDER: folder,
			N8N_PORT: String(port ?? own),
			N8N_RUNNERS_BROKER_PORT: String(broker),
			// Node.js 22 and newer starts faster with it.
			NODE_COMPILE_CACHE: target.compileCache,
			...QUIET,
			// n8n 1.123 has no sandbox for expressions that Node.js 20 could load.
			...(target.nodeMajor < 22 && { N8N_EXPRESSION_ENGINE: 'legacy' }),
			...(target.scheduler === 'durable' && DURABLE_SCHEDULER),
			...env,
		});
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/**
	 * Starts n8n and waits until it takes requests.
	 * @throws Error with the end of n8n's log where it does not come up
	 */
	async start(): Promise<void> {
		this.process = this.run('start');
		await eventually(
			'n8n to start',
			async () => {
				if (this.process?.isOver) throw new Error(`n8n has ended:\n${this.log().slice(-3000)}`);
				return await this.rest.isReady();
			},
			120_000,
		);
	}

	/** What n8n has printed, over all its starts. */
	log(): string {
		return existsSync(this.logFile) ? (this.process?.log() ?? '') : '';
	}

	/** Ends n8n without any warning. */
	async kill(): Promise<void> {
		await this.process?.kill();
	}

	/** Ends n8n as a service manager does. */
	async stop(): Promise<void> {
		await this.process?.stop();
	}

	/** Starts another process of this n8n, such as a worker. */
	run(...args: string[]): Process {
		return new Process(this.target.node, [this.target.bin, ...args], this.env, this.folder, this.logFile);
	}

	/**
	 * n8n's command line, as in `await cli('execute', '--id=…')`, also while n8n runs.
	 * @returns exit code, or the signal that ended it, and output
	 */
	async cli(...args: string[]): Promise<{ status: unknown; output: string }> {
		const [broker] = await freePorts(1);
		// Not waited for in place: the sandbox in this process has to answer meanwhile.
		return await new Promise((resolve) => {
			execFile(
				this.target.node,
				[this.target.bin, ...args],
				{
					cwd: this.folder,
					env: { ...this.env, N8N_RUNNERS_BROKER_PORT: String(broker) },
					timeout: 120_000,
					maxBuffer: 64 * 1024 * 1024,
				},
				(error, stdout, stderr) =>
					resolve({
						status: error ? (error.code ?? error.signal) : 0,
						output: `${stdout}${stderr}`,
					}),
			);
		});
	}

	/** Resolves once n8n is over, whoever has ended it. */
	async end(): Promise<void> {
		await this.process?.end();
	}

	async close({ keep }: { keep?: boolean } = {}): Promise<void> {
		await this.process?.kill();
		removeUserFolder(this.folder, keep);
	}

	private get logFile(): string {
		return join(this.folder, 'n8n.log');
	}
}

/** A running n8n, whose owner has logged in. */
export async function startN8n(options: N8nOptions = {}): Promise<N8n> {
	const n8n = await N8n.create(options);
	try {
		await n8n.start();
		if (!n8n.target.prepared) await n8n.rest.setUpOwner();
		await n8n.rest.logIn();
		return n8n;
	} catch (error) {
		await n8n.close();
		throw error;
	}
}
