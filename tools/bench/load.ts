/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spreadOf, type LoadFigures } from './figures';
import type { BenchOptions } from './options';

/** Loads the files that n8n loads of this package, and of the HTTP Request node, in new processes. */
export function measureLoading({ packageDirectory, loads }: BenchOptions): LoadFigures {
	const manifest = readFileSync(join(packageDirectory, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(manifest) as { n8n: { credentials: string[]; nodes: string[] } };
	const candidates = [
		{ label: 'This package', directory: packageDirectory, files: [...n8n.credentials, ...n8n.nodes] },
		{
			label: 'HTTP Request',
			directory: join(__dirname, '../../test/n8n/node_modules/n8n-nodes-base'),
			files: ['dist/nodes/HttpRequest/HttpRequest.node.js'],
		},
	];
	const times = candidates.map(() => [] as number[]);
	for (let round = 0; round < loads; round++) {
		candidates.forEach(({ directory, files }, index) => times[index].push(loadOnce(directory, files)));
	}
	const packages = candidates.map(({ label, files }, index) => ({
		label,
		files: files.length,
		milliseconds: spreadOf(times[index]),
	}));
	return { loads, packages };
}

const loadOnce = (directory: string, files: string[]) =>
	Number(execFileSync(process.execPath, [join(__dirname, 'loadOnce.mjs'), directory, ...files]).toString());
