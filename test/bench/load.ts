import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadFigures } from './figures';
import type { BenchOptions } from './options';
import { spreadOf, type Spread } from './spread';

/** Loads the files that n8n loads of this package, and the HTTP Request node's for comparison, in fresh processes. */
export function measureLoading({ packageDirectory, loads }: BenchOptions): LoadFigures {
	const candidates = [
		{ label: 'This package', directory: packageDirectory, files: filesOf(packageDirectory) },
		{
			label: 'HTTP Request',
			directory: join(__dirname, '../n8n/node_modules/n8n-nodes-base'),
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
		milliseconds: spreadOf(times[index]) as Spread,
	}));
	return { loads, packages };
}

const loadOnce = (directory: string, files: string[]) =>
	Number(execFileSync(process.execPath, [join(__dirname, 'loadOnce.mjs'), directory, ...files]).toString());

/** The files that the package names to n8n. */
function filesOf(directory: string): string[] {
	const { n8n } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
		n8n: { credentials: string[]; nodes: string[] };
	};
	return [...n8n.credentials, ...n8n.nodes];
}
