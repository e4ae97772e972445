import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CredentialStore, NodeTypes, outputOf, run } from '../../scripts/engine';
import { startSandbox } from '../../sandbox/sandbox';
import { chainNodes, node, PROSPECTOR } from '../nodes';

// Inside the repository, so that the package finds n8n-workflow. One per process, because jest runs this file for
// several versions of n8n.
const folder = `.pack/${process.pid}`;
let tarball: string;
const packed = join(folder, 'package');

beforeAll(() => {
	mkdirSync(folder, { recursive: true });
	const [{ filename }] = JSON.parse(
		execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { encoding: 'utf8' }),
	) as Array<{ filename: string }>;
	tarball = join(folder, filename);
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = (directory: string): string[] =>
	readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
		entry.isDirectory()
			? files(join(directory, entry.name)).map((name) => join(entry.name, name))
			: [entry.name],
	);

test('the npm tarball is smaller than 100 kB', () => {
	expect(statSync(tarball).size).toBeLessThan(100_000);
});

test('the npm tarball contains only the files that n8n and npm need', () => {
	const names = files(packed);
	// The path that n8n derives from the version, resource and operation of a node.
	expect(names).toContain('dist/nodes/Prospector/__schema__/v1.0.0/account/getSettings.json');
	const kinds = names.map((name) =>
		name.replace(/^dist\/nodes\/.+\.js$/, 'node code').replace(/^dist\/nodes\/.+\.json$/, 'node data'),
	);
	expect([...new Set(kinds)].sort()).toEqual([
		'LICENSE.md',
		'README.md',
		'dist/credentials/ProspectorApi.credentials.js',
		'dist/icons/prospector.dark.svg',
		'dist/icons/prospector.svg',
		'node code',
		'node data',
		'package.json',
	]);
});

test('each codex file (.node.json) contains the full name of its node', () => {
	for (const [file, name] of [
		['Prospector', 'prospector'],
		['ProspectorTrigger', 'prospectorTrigger'],
	]) {
		const path = join(packed, 'dist/nodes/Prospector', `${file}.node.json`);
		expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ node: `n8n-nodes-prospector.${name}` });
	}
});

test('the package has no dependencies, no overrides and no lifecycle scripts', () => {
	const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as Record<string, object>;
	expect(manifest).not.toHaveProperty('dependencies');
	expect(manifest).not.toHaveProperty('overrides');
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	const hooks = /^(pre|post)?(install|pack|publish|prepare)|^prepublishOnly$/;
	expect(Object.keys(manifest.scripts).filter((name) => hooks.test(name))).toEqual([]);
});

test('n8n loads the package from the tarball and runs an n8n workflow with its node', async () => {
	const sandbox = await startSandbox({ port: 0 });
	try {
		const nodeTypes = await NodeTypes.load(packed);
		const credentials = new CredentialStore(nodeTypes);
		const reference = await credentials.add('key', 'prospectorApi', {
			apiKey: sandbox.keys.full,
			baseUrl: sandbox.baseUrl,
		});
		const workflow = chainNodes(
			node(
				'Prospector',
				PROSPECTOR,
				{ resource: 'workflow', operation: 'getAll' },
				{ credentials: reference },
			),
		);
		const ended = await run({ nodeTypes, credentials, workflow });
		expect(ended.data.resultData.error).toBeUndefined();
		expect(outputOf(ended, 'Prospector')[0].json).toMatchObject({
			...{ id: expect.stringMatching(/^wf_/), request_id: expect.stringMatching(/^req_/) },
		});
	} finally {
		await sandbox.close();
	}
});
