/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { requestLine } from '../../sandbox/cliText';
import { startSandbox } from '../../sandbox/sandbox';
import { startN8n, WITH_EDITOR } from '../../test/e2e/n8n/instance';
import { freePortFrom, isFree } from '../../test/e2e/n8n/ports';
import { log, ROOT, SetUpError, UsageError } from '../../test/e2e/setUp/commands';
import { choosePlatforms, RELEASES } from '../../test/e2e/setUp/platforms';
import { withTarget } from '../../test/e2e/setUp/targets';
import { FLAG, parseCount, runCommand, TEXT } from '../shared/command';
import { withResources } from '../shared/resources';
import { createContents } from './contents';
import { guide } from './guide';

/** n8n's usual port, and the default port of `npm run sandbox`. */
const [N8N_PORT, SANDBOX_PORT] = [5678, 4010];
const MAX_PORT = 65_535;

/** Compiles changed sources into the installed package, which n8n watches. */
function compileInto(n8nFolder: string) {
	const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'];
	const dist = join(n8nFolder, '.n8n/nodes/node_modules/n8n-nodes-prospector/dist');
	const compiler = spawn(process.execPath, [...tsc, '--outDir', dist], { cwd: ROOT, stdio: 'inherit' });
	return { close: () => compiler.kill() };
}

async function choosePort(wanted: string | undefined): Promise<number> {
	if (wanted !== undefined) {
		const port = parseCount('port', wanted, MAX_PORT);
		if (await isFree(port)) return port;
		throw new SetUpError(`Port ${port} is in use: choose another one, or leave --port out.`);
	}
	const free = await freePortFrom(N8N_PORT);
	if (free !== N8N_PORT) log(`Port ${N8N_PORT} is in use; n8n will use ${free}.`);
	return free;
}

/** Resolves at the first Ctrl+C. The terminal and npm both send a signal, and the second one must have no effect. */
const waitForSignal = async () =>
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
	});

const OPTIONS = { port: TEXT, n8n: TEXT, node: TEXT, dev: FLAG } as const;

/** `npm run editor`: keeps n8n and the sandbox open until Ctrl+C. */
runCommand('editor', OPTIONS, async ({ n8n: release = RELEASES[0], node, dev, ...rest }) => {
	const [platform] = choosePlatforms({ n8n: release, node, scheduler: 'classic' });
	if (!platform)
		throw new UsageError(`There is no n8n ${release} on Node.js ${node ?? 'of any version'} here.`);
	const port = await choosePort(rest.port);
	const stopRequested = waitForSignal();
	log('Getting n8n ready (the first time takes a few minutes) …');
	return await withTarget(
		platform,
		async (target) =>
			await withResources(async (open) => {
				let isReady = false;
				const sandbox = await open(
					startSandbox({
						port: await freePortFrom(SANDBOX_PORT),
						onRequest: (entry) => void (isReady && log(requestLine(entry))),
					}),
				);
				const n8n = await open(
					startN8n({ ...WITH_EDITOR, ...(dev && { N8N_DEV_RELOAD: 'true' }) }, target, port),
				);
				if (dev) await open(compileInto(n8n.folder));
				const examples = await createContents(n8n.rest, sandbox);
				log(
					guide(
						n8n,
						sandbox,
						examples.map(({ name }) => name),
					),
				);
				isReady = true;
				const hasExited = await Promise.race([
					stopRequested.then(() => false),
					n8n.exited().then(() => true),
				]);
				if (hasExited) throw new SetUpError(`n8n has ended:\n${n8n.log().slice(-3000)}`);
				log('\nStopping n8n and the sandbox …');
				return 0;
			}),
	);
});
