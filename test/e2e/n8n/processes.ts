import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const WATCHDOG = join(__dirname, 'watchdog.mjs');

/** A process and all that it has started, with its output in a file; it ends with this process at the latest. */
export class Process {
	private readonly child: ChildProcess;
	private readonly ended: Promise<void>;
	private over = false;
	/** Not only the process itself, but all of its group. */
	private isGone = false;

	constructor(
		file: string,
		args: string[],
		env: NodeJS.ProcessEnv,
		cwd: string,
		private readonly logFile: string,
	) {
		const log = openSync(logFile, 'a');
		// A group of its own: n8n's task runner ends with it, and all of it with this process.
		this.child = spawn(process.execPath, [WATCHDOG, file, ...args], {
			...{ env, cwd, detached: true },
			stdio: ['pipe', log, log],
		});
		closeSync(log);
		this.ended = new Promise((resolve) => {
			const end = () => {
				this.over = true;
				resolve();
			};
			this.child.once('exit', end);
			this.child.once('error', end);
		});
	}

	get isOver(): boolean {
		return this.over;
	}

	log(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	/** Resolves once the process is over. */
	async end(): Promise<void> {
		await this.ended;
	}

	/** As when the machine loses power: nothing can be saved any more. */
	async kill(): Promise<void> {
		this.signal('SIGKILL');
		await this.ended;
		await this.nobodyLeft();
	}

	/** As a service manager does it: asked to end, and killed where that takes too long. */
	async stop(patienceMs = 40_000): Promise<void> {
		this.signal('SIGTERM');
		const timer = setTimeout(() => this.signal('SIGKILL'), patienceMs);
		await this.ended;
		clearTimeout(timer);
		await this.nobodyLeft();
	}

	/** Its ports and files are free only then. */
	private async nobodyLeft(): Promise<void> {
		const end = Date.now() + 5000;
		while (this.signal('SIGKILL') && Date.now() < end) await pause(20);
	}

	/** @returns false where nobody is left to hear it */
	private signal(name: NodeJS.Signals): boolean {
		// By then the number may be that of somebody else's group.
		if (this.isGone) return false;
		try {
			return process.kill(-(this.child.pid as number), name);
		} catch {
			this.isGone = true;
			return false;
		}
	}
}
