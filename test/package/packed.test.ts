/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-imports -- not published */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyOperation } from '../workflow/everyOperation';

const folder = mkdtempSync(join(tmpdir(), 'prospector-pack-'));
let tarball: string;
const packed = join(folder, 'package');

beforeAll(() => {
	const pack = ['pack', '--silent', '--pack-destination', folder];
	tarball = join(folder, execFileSync('npm', pack, { encoding: 'utf8' }).trim());
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readJson = <T>(file: string) => JSON.parse(readFileSync(join(packed, file), 'utf8')) as T;

test('the npm tarball contains only the files that n8n and npm need, in less than 100 kB', () => {
	expect(statSync(tarball).size).toBeLessThan(100_000);
	const paths = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
	const names = paths.map((path) => path.replace('package/', ''));
	// The paths that n8n derives from the version, resource and operation of a node.
	const previews = everyOperation.map(
		({ resource, operation }) => `dist/nodes/Prospector/__schema__/v1.0.0/${resource}/${operation}.json`,
	);
	expect(names).toEqual(expect.arrayContaining(previews));
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

test.each(['Prospector', 'ProspectorTrigger'])(
	"the codex file of %s names the node with its package and uses only categories of n8n's own nodes",
	(file) => {
		const path = `dist/nodes/Prospector/${file}.node.json`;
		const { node, categories } = readJson<{ node: string; categories: string[] }>(path);
		expect(node).toBe(`n8n-nodes-prospector.p${file.slice(1)}`);
		const json = readFileSync('test/n8n/node_modules/n8n-nodes-base/dist/types/nodes.json', 'utf8');
		const nodes = JSON.parse(json) as Array<{ codex?: { categories?: string[] } }>;
		const known = nodes.flatMap(({ codex }) => codex?.categories ?? []);
		// n8n's own nodes use "Marketing", which its documentation does not list.
		expect([...known, 'Marketing & Content']).toEqual(expect.arrayContaining(categories));
	},
);

test('the package has no dependencies, no overrides and no lifecycle scripts', () => {
	const manifest = readJson<Record<string, object>>('package.json');
	expect(manifest).not.toHaveProperty('dependencies');
	expect(manifest).not.toHaveProperty('overrides');
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	const hooks = /^(pre|post)?(install|pack|publish|prepare)|^prepublishOnly$/;
	expect(Object.keys(manifest.scripts).filter((name) => hooks.test(name))).toEqual([]);
});

test('n8n finds the package among community nodes, and its nodes and its credential in the package', () => {
	const { keywords, n8n } = readJson<{ keywords: string[]; n8n: Record<string, string[]> }>('package.json');
	expect(keywords).toContain('n8n-community-node-package');
	const files = [...n8n.nodes, ...n8n.credentials];
	expect(files.filter((file) => statSync(join(packed, file)).isFile())).toEqual([
		'dist/nodes/Prospector/Prospector.node.js',
		'dist/nodes/Prospector/ProspectorTrigger.node.js',
		'dist/credentials/ProspectorApi.credentials.js',
	]);
});
