import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestLine } from '../../sandbox/cliText';
import { startSandbox } from '../../sandbox/sandbox';
import type { JournalEntry, Sandbox } from '../../sandbox/types';
import { CREDENTIALS, fill } from './editor/contents';
import { guide } from './editor/guide';
import {
	EDITOR_USAGE,
	FIRST_PORT,
	readEditorOptions,
	UsageError,
	type EditorOptions,
} from './editor/options';
import { startN8n } from './n8n/instance';
import { freePortFrom, isFree } from './n8n/ports';
import { credentialsOfOwner } from './n8n/rest';
import { SetUpError } from './setUp/commands';
import { installPacked } from './setUp/packed';
import { prepareTarget } from './setUp/targets';

/** The sandbox's port where it is free, as in `npm run sandbox`. */
const SANDBOX_PORT = 4010;

const say = (line: string) => console.log(line);

/** `npm run editor`, after scripts/e2e.mjs has installed what this needs. */
async function main(): Promise<number> {
	const options = readEditorOptions(process.argv.slice(2));
	if (options.help) {
		say(EDITOR_USAGE);
		return 0;
	}
	const asked = toldToEnd();
	const folder = mkdtempSync(join(tmpdir(), 'prospector-editor-'));
	try {
		return await open(options, folder, asked);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Opens n8n and the sandbox, and keeps them open until the person has enough of them. */
async function open({ pair, port, keep }: EditorOptions, folder: string, asked: Promise<void>) {
	const n8nPort = await choosePort(port);
	say('Getting n8n ready (the first time takes a few minutes) …');
	const target = prepareTarget(pair, installPacked(folder), say);
	let listening = false;
	const sandbox = await startSandboxFrom(SANDBOX_PORT, (entry) => listening && say(requestLine(entry)));
	try {
		const n8n = await startN8n({ target, port: n8nPort });
		try {
			const examples = await fill(n8n.rest, sandbox);
			say(
				guide({
					...{ version: target.version, url: n8n.baseUrl, ...credentialsOfOwner, sandbox },
					credentials: Object.values(CREDENTIALS),
					examples: examples.map(({ name }) => name),
				}),
			);
			listening = true;
			const endedByItself = await Promise.race([asked.then(() => false), n8n.end().then(() => true)]);
			if (endedByItself) throw new SetUpError(`n8n has ended by itself:\n${n8n.log().slice(-3000)}`);
			say('\nStopping n8n and the sandbox …');
			return 0;
		} finally {
			if (keep) await n8n.stop();
			await n8n.close({ keep });
		}
	} finally {
		await sandbox.close();
	}
}

/** Takes the first port from this one on that it gets; another one may ask for the same at this moment. */
async function startSandboxFrom(port: number, onRequest: (entry: JournalEntry) => void): Promise<Sandbox> {
	try {
		return await startSandbox({ port, onRequest });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		return await startSandboxFrom(port + 1, onRequest);
	}
}

async function choosePort(wanted: number | undefined): Promise<number> {
	if (wanted === undefined) {
		const free = await freePortFrom(FIRST_PORT);
		if (free !== FIRST_PORT) say(`Port ${FIRST_PORT} is in use; n8n will be on ${free}.`);
		return free;
	}
	if (await isFree(wanted)) return wanted;
	throw new SetUpError(`Port ${wanted} is in use: choose another one, or leave --port out.`);
}

/** Resolves at the first Ctrl+C. It comes from the terminal and again from npm: the second must not cut short. */
async function toldToEnd(): Promise<void> {
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
	});
}

main().then(
	(status) => (process.exitCode = status),
	(error: unknown) => {
		if (error instanceof UsageError) console.error(`${error.message}\n\n${EDITOR_USAGE}`);
		else console.error(error instanceof SetUpError ? error.message : error);
		process.exitCode = error instanceof UsageError ? 2 : 1;
	},
);
