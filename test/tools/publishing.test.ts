/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checksumOf } from '../../scripts/release/checksum';
import { describeChecksum, readNotes } from '../../scripts/release/notes';
import { repeatScan, type ScanResult } from '../../scripts/release/scan';

const read = (file: string) => readFileSync(file, 'utf8');

type Workflow = Record<'jobs', Record<string, { permissions?: object; environment?: string }>>;
const WORKFLOWS = readdirSync('.github/workflows').map((file) => read(`.github/workflows/${file}`));

test('every GitHub action is pinned to a commit, and no GitHub workflow uses a secret', () => {
	const text = WORKFLOWS.join('\n');
	const pinned = text.match(/uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/gm)!;
	expect(pinned).toEqual(text.match(/uses: .+/g));
	expect(text).not.toContain('secrets.');
});

test('only the two publishing jobs on GitHub have write permissions, and the npm job waits for a reviewer', () => {
	const rights = WORKFLOWS.map((text) => parse(text) as Workflow).flatMap(({ jobs, ...workflow }) =>
		Object.entries(jobs).map(([name, job]) => [name, { ...workflow, ...job }.permissions] as const),
	);
	expect(rights.filter(([, right]) => !right || JSON.stringify(right).includes('write'))).toEqual([
		['publish', { 'id-token': 'write', attestations: 'write' }],
		['release', { contents: 'write' }],
	]);
	expect((parse(read('.github/workflows/publish.yml')) as Workflow).jobs.publish.environment).toBe('npm');
	expect(JSON.parse(read('package.json'))).toHaveProperty('publishConfig.provenance', true);
});

test('the release notes of a version are the section of this version in the changelog', () => {
	const changelog = '# Changelog\n\n## 0.1.1\n\n- b\n\n## 0.1.0\n\n- a\n';
	expect(['0.1.1', '0.1.0'].map((version) => readNotes(changelog, version))).toEqual(['- b', '- a']);
	expect(() => readNotes(changelog, '0.1')).toThrow('CHANGELOG.md says nothing about version 0.1.');
});

test('the release notes have what N8N_COMMUNITY_PACKAGES needs, with the checksum in the format of npm', () => {
	// npm's integrity of an empty file.
	const checksum =
		'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==';
	const notes = describeChecksum('n8n-nodes-a', '0.1.0', checksumOf(Buffer.alloc(0)));
	const [, packages] = /```json\n(.+)\n```/.exec(notes)!;
	expect(JSON.parse(packages)).toEqual([{ name: 'n8n-nodes-a', version: '0.1.0', checksum }]);
});

test('the scan of a release is repeated a limited number of times until npm has the release, but not after it finds violations', async () => {
	const absent = { passed: false, message: 'No package metadata found' };
	const refused = { passed: false, message: 'ESLint violations found', details: '1:1 error' };
	const sleep = async () => undefined;
	const scan = (...results: ScanResult[]) => repeatScan(async () => results.shift()!, sleep);
	expect(await scan(absent, absent, { passed: true })).toEqual({ passed: true });
	expect(await scan(absent, refused, { passed: true })).toBe(refused);
	expect(await scan(...Array<ScanResult>(99).fill(absent))).toBe(absent);
});

test('the checklist before the first release names every placeholder and the files that contain it', () => {
	const checklist = read('CONTRIBUTING.md').split('## Before the first release')[1];
	const folders = ['.github', 'credentials', 'docs', 'examples', 'nodes', 'sandbox', 'scripts', 'tools'];
	const files = ['.', ...folders].flatMap((folder) =>
		readdirSync(folder, { recursive: folder !== '.', withFileTypes: true })
			.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
			.map((entry) => join(entry.parentPath, entry.name)),
	);
	const placeholders =
		/n8n-nodes-prospector\/n8n-nodes-prospector|@n8n-nodes-prospector[/.]\w+|n8n-nodes-prospector contributors/g;
	const found = files.flatMap((file) => read(file).match(placeholders)?.concat(file) ?? []);
	expect(found.filter((text) => !checklist.includes(text))).toEqual([]);
});
