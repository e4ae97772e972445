/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../eventually';

const WATCHDOG = join(__dirname, 'watchdog.mjs');
/** Also enough for n8n on a busy machine. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 40_000;

/** A process group with its output in a file. It ends at the latest when this process ends. */
export class Process {
	readonly exited: Promise<void>;
	hasExited = false;
	private readonly child: ChildProcess;
	/** Whether the whole group is gone. Its number can then belong to another group. */
	private isGone = false;

	constructor(
		file: string,
		args: string[],
		env: NodeJS.ProcessEnv,
		cwd: string,
		private readonly logFile: string,
	) {
		const log = openSync(logFile, 'a');
		// In its own group, n8n's task runner can be ended with n8n.
		this.child = spawn(process.execPath, [WATCHDOG, file, ...args], {
			...{ env, cwd, detached: true },
			stdio: ['pipe', log, log],
		});
		closeSync(log);
		const ended = new Promise((resolve) => this.child.once('exit', resolve).once('error', resolve));
		this.exited = ended.then(() => void (this.hasExited = true));
	}

	/** The process ID of the group's leader, whose child is the program. */
	get pid(): number {
		return this.child.pid as number;
	}

	log(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	/** @throws Error with the end of the output if the program ends before it is ready */
	async waitUntil(isReady: () => boolean | Promise<boolean>, name: string): Promise<void> {
		await eventually(
			`${name} to start`,
			async () => {
				if (this.hasExited) throw new Error(`${name} has ended:\n${this.log().slice(-3000)}`);
				return await isReady();
			},
			START_TIMEOUT_MS,
		);
	}

	/** Ends the process without a warning, as a power failure does. */
	async kill(): Promise<void> {
		this.signal('SIGKILL');
		await this.groupExited();
	}

	/** Ends the process as a service manager does: SIGTERM, and SIGKILL if that takes too long. */
	async stop(): Promise<void> {
		this.signal('SIGTERM');
		const timer = setTimeout(() => this.signal('SIGKILL'), STOP_TIMEOUT_MS);
		await this.exited;
		clearTimeout(timer);
		await this.groupExited();
	}

	/** The ports and files are free only when the whole group has exited. */
	private async groupExited(): Promise<void> {
		await this.exited;
		const deadline = Date.now() + 5000;
		while (this.signal('SIGKILL') && Date.now() < deadline) await pause(20);
	}

	/** @returns false if the group is gone */
	private signal(name: NodeJS.Signals): boolean {
		if (this.isGone) return false;
		try {
			return process.kill(-(this.child.pid as number), name);
		} catch {
			this.isGone = true;
			return false;
		}
	}
}
