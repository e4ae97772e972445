import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A process and all that it has started, with its output in a file. */
export class Process {
	private readonly child: ChildProcess;
	private readonly ended: Promise<void>;
	private over = false;

	constructor(
		file: string,
		args: string[],
		env: NodeJS.ProcessEnv,
		cwd: string,
		private readonly logFile: string,
	) {
		const log = openSync(logFile, 'a');
		// A group of its own: n8n's task runner ends with it.
		this.child = spawn(file, args, { env, cwd, detached: true, stdio: ['ignore', log, log] });
		closeSync(log);
		this.ended = new Promise((resolve) => {
			const end = () => {
				this.over = true;
				running.delete(this);
				resolve();
			};
			this.child.once('exit', end);
			this.child.once('error', end);
		});
		running.add(this);
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
	}

	/** As a service manager does it: asked to end, and killed where that takes too long. */
	async stop(patienceMs = 40_000): Promise<void> {
		this.signal('SIGTERM');
		const timer = setTimeout(() => this.signal('SIGKILL'), patienceMs);
		await this.ended;
		clearTimeout(timer);
		// Whatever of its group is left.
		this.signal('SIGKILL');
	}

	signal(name: NodeJS.Signals): void {
		try {
			process.kill(-(this.child.pid as number), name);
		} catch {
			// Nobody is left to hear it.
		}
	}
}

const running = new Set<Process>();
// Nothing outlives the tests, however they end.
process.on('exit', () => running.forEach((each) => each.signal('SIGKILL')));
