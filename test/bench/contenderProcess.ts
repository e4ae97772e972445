import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Job, Message, Report } from './job';

/** So long a contender may take for anything it does. */
const PATIENCE_MS = 15 * 60_000;

/** A contender in a process of its own, loaded and waiting for its turn. */
export interface WaitingContender {
	/** @returns what it reports, or why it could not do its work */
	begin(): Promise<Report | { reason: string }>;
}

/** Starts a contender's process, and lets it load. */
export async function startContender(job: Job): Promise<WaitingContender> {
	const child = fork(join(__dirname, 'contender.ts'), {
		execArgv: ['--import', 'tsx', '--expose-gc'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	child.send(job);
	const first = await nextMessage(child);
	return {
		async begin() {
			if (first.type === 'failed') return first;
			const next = nextMessage(child);
			child.send('begin');
			const message = await next;
			if (message.type === 'ready') throw new Error('A contender was ready twice');
			return message.type === 'done' ? message.report : message;
		},
	};
}

async function nextMessage(child: ChildProcess): Promise<Message> {
	return await new Promise((resolve) => {
		const settle = (message: Message) => {
			clearTimeout(timer);
			child.removeAllListeners();
			resolve(message);
		};
		const timer = setTimeout(() => {
			child.kill('SIGKILL');
			settle({ type: 'failed', reason: `It was not done after ${PATIENCE_MS / 60_000} minutes` });
		}, PATIENCE_MS);
		child.once('message', (message) => settle(message as Message));
		child.once('exit', (code, signal) =>
			settle({ type: 'failed', reason: `Its process ended early (${signal ?? code})` }),
		);
		child.once('error', (error) => settle({ type: 'failed', reason: error.message }));
	});
}
