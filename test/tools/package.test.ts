import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, never>;
const manifest = read('package.json');
const codex = read('nodes/Prospector/Prospector.node.json');

describe('package.json', () => {
	test('has the name that workflows depend on and the keyword by which n8n finds it', () => {
		expect(manifest.name).toBe('n8n-nodes-prospector');
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.license).toBe('MIT');
	});

	test('requires no other package', () => {
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	test.each([
		'dependencies',
		'optionalDependencies',
		'bundledDependencies',
		'bundleDependencies',
		'overrides',
		'resolutions',
		'bin',
	])('has no %s', (field) => expect(manifest).not.toHaveProperty(field));

	test.each([
		'preinstall',
		'install',
		'postinstall',
		'prepare',
		'prepublish',
		'prepack',
		'postpack',
		'uninstall',
	])('runs nothing at %s', (script) => expect(manifest.scripts).not.toHaveProperty(script));

	test('publishes what is built and nothing else', () => expect(manifest.files).toEqual(['dist']));

	test('names built files that exist, with their sources beside them', () => {
		const { nodes, credentials, n8nNodesApiVersion } = manifest.n8n as Record<string, string[]>;
		expect(n8nNodesApiVersion).toBe(1);
		for (const file of [...nodes, ...credentials]) {
			expect(existsSync(join(ROOT, file))).toBe(true);
			expect(existsSync(join(ROOT, file.replace(/^dist\/(.*)\.js$/, '$1.ts')))).toBe(true);
		}
		expect(nodes).toContain('dist/nodes/Prospector/Prospector.node.js');
		expect(credentials).toEqual(['dist/credentials/ProspectorApi.credentials.js']);
	});
});

describe('the codex file', () => {
	test('belongs to the node', () => {
		expect(codex).toMatchObject({
			node: 'n8n-nodes-prospector.prospector',
			nodeVersion: '1.0',
			codexVersion: '1.0',
		});
	});

	test('helps to find the node by other words', () => {
		expect(codex.categories).toContain('Sales');
		expect(codex.alias).toEqual(expect.arrayContaining(['leads', 'prospecting']));
		expect(new Set(codex.alias as string[]).size).toBe((codex.alias as string[]).length);
	});

	test('links documentation over https', () => {
		const urls = [...JSON.stringify(codex.resources).matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url);
		expect(urls).toHaveLength(2);
		for (const url of urls) expect(new URL(url).protocol).toBe('https:');
	});
});
