/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestLine } from '../../sandbox/cliText';
import { startSandbox } from '../../sandbox/sandbox';
import { usageOf } from '../../scripts/commands.cjs';
import { createContents, CREDENTIALS } from './contents';
import { guide } from './guide';
import { startN8n } from '../../test/e2e/n8n/instance';
import { freePortFrom, isFree } from '../../test/e2e/n8n/ports';
import { OWNER } from '../../test/e2e/n8n/rest';
import { DEFAULT_EDITOR_PORT, readEditorOptions, type EditorOptions } from './options';
import { log, ROOT, runMain, SetUpError } from '../../test/e2e/setUp/commands';
import { installPackage, prepareTarget } from '../../test/e2e/setUp/targets';

/** The default port of `npm run sandbox`. */
const SANDBOX_PORT = 4010;

async function main(): Promise<number> {
	const options = readEditorOptions(process.argv.slice(2));
	const stopRequested = waitForSignal();
	const folder = mkdtempSync(join(tmpdir(), 'prospector-editor-'));
	try {
		return await open(options, folder, stopRequested);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Keeps n8n and the sandbox open until Ctrl+C. */
async function open(
	{ platform, port, keep, dev }: EditorOptions,
	folder: string,
	stopRequested: Promise<void>,
) {
	const n8nPort = await choosePort(port);
	log('Getting n8n ready (the first time takes a few minutes) …');
	const target = await prepareTarget(platform, installPackage(folder));
	let isReady = false;
	const sandbox = await startSandbox({
		port: await freePortFrom(SANDBOX_PORT),
		onRequest: (entry) => void (isReady && log(requestLine(entry))),
	});
	try {
		const n8n = await startN8n(dev ? { N8N_DEV_RELOAD: 'true' } : {}, target, n8nPort);
		const compiler = dev ? compileInto(n8n.folder) : undefined;
		try {
			const examples = await createContents(n8n.rest, sandbox);
			log(
				guide({
					...{ version: target.version, url: n8n.baseUrl, ...OWNER, sandbox },
					credentials: Object.values(CREDENTIALS),
					examples: examples.map(({ name }) => name),
				}),
			);
			isReady = true;
			const hasExited = await Promise.race([stopRequested.then(() => false), n8n.exited().then(() => true)]);
			if (hasExited) throw new SetUpError(`n8n has ended:\n${n8n.log().slice(-3000)}`);
			log('\nStopping n8n and the sandbox …');
			return 0;
		} finally {
			compiler?.kill();
			if (keep) await n8n.stop();
			await n8n.close({ keep });
		}
	} finally {
		await sandbox.close();
	}
}

/** Compiles changed sources into the installed package, which n8n watches. */
const compileInto = (n8nFolder: string) =>
	spawn(
		process.execPath,
		[
			...['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'],
			...['--outDir', join(n8nFolder, '.n8n/nodes/node_modules/n8n-nodes-prospector/dist')],
		],
		{ cwd: ROOT, stdio: 'inherit' },
	);

async function choosePort(wanted: number | undefined): Promise<number> {
	if (wanted === undefined) {
		const free = await freePortFrom(DEFAULT_EDITOR_PORT);
		if (free !== DEFAULT_EDITOR_PORT) log(`Port ${DEFAULT_EDITOR_PORT} is in use; n8n will use ${free}.`);
		return free;
	}
	if (await isFree(wanted)) return wanted;
	throw new SetUpError(`Port ${wanted} is in use: choose another one, or leave --port out.`);
}

/** Resolves at the first Ctrl+C. The terminal and npm both send a signal, and the second one must have no effect. */
const waitForSignal = async () =>
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
	});

runMain(main, usageOf('editor'));
