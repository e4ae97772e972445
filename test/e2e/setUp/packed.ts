import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './commands';
import { ROOT } from './folders';

/**
 * Packs the package and installs the tarball as n8n's guide tells users to: `npm install` in a folder `nodes`.
 *
 * @param folder an existing folder, in which `nodes` is made
 * @returns that `nodes` folder, to be copied into an n8n's own
 */
export function installPacked(folder: string): string {
	const advice = 'The package could not be packed and installed.';
	const [{ filename }] = JSON.parse(
		command('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT, advice }),
	) as [{ filename: string }];
	const nodes = join(folder, 'nodes');
	mkdirSync(nodes);
	writeFileSync(
		join(nodes, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	// n8n brings the peer itself; without looking it up, the package needs nothing from anywhere.
	const flags = ['--offline', '--omit=peer', '--legacy-peer-deps', '--ignore-scripts', '--no-audit'];
	command('npm', ['install', ...flags, join(folder, filename)], { cwd: nodes, advice });
	return nodes;
}
