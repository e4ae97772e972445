// `npm run dev`: n8n with the package and the sandbox. Changed sources are compiled and loaded again while n8n runs.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/sandbox';
import { CREDENTIALS, fill } from '../test/e2e/editor/contents';
import { guide } from '../test/e2e/editor/guide';
import { startN8n } from '../test/e2e/n8n/instance';
import { credentialsOfOwner } from '../test/e2e/n8n/rest';
import { installPacked } from '../test/e2e/setUp/packed';
import { USUAL } from '../test/e2e/setUp/releases';
import { prepareTarget } from '../test/e2e/setUp/targets';

const interrupted = new Promise<void>((resolve) => {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
});

async function main() {
	const folder = mkdtempSync(join(tmpdir(), 'prospector-dev-'));
	const target = prepareTarget(USUAL[0], installPacked(folder), console.log);
	const sandbox = await startSandbox({ port: 0 });
	const n8n = await startN8n({ target, env: { N8N_DEV_RELOAD: 'true' } });
	// The compiler writes into the installed package, which n8n watches.
	const installed = join(n8n.folder, '.n8n/nodes/node_modules/n8n-nodes-prospector/dist');
	const compiler = spawn(
		'node',
		[
			'node_modules/typescript/bin/tsc',
			'-p',
			'tsconfig.json',
			'--watch',
			'--preserveWatchOutput',
			'--outDir',
			installed,
		],
		{ stdio: 'inherit' },
	);
	try {
		const examples = await fill(n8n.rest, sandbox);
		console.log(
			guide({
				...{ version: target.version, url: n8n.baseUrl, ...credentialsOfOwner, sandbox },
				credentials: Object.values(CREDENTIALS),
				examples: examples.map(({ name }) => name),
			}),
		);
		await Promise.race([interrupted, n8n.end()]);
	} finally {
		compiler.kill();
		await n8n.stop();
		await n8n.close();
		await sandbox.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
