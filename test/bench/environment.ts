import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Figures } from './figures';

const root = join(__dirname, '../..');

/** What the figures depend on, as far as it may be published: nothing that names the machine. */
export const environmentOf = (packageDirectory: string): Figures['environment'] => ({
	node: process.versions.node,
	platform: `${process.platform} ${process.arch}`,
	cpus: availableParallelism(),
	package: versionIn(packageDirectory),
	n8nCore: versionIn(join(root, 'node_modules/n8n-core')),
	n8nNodesBase: versionIn(join(__dirname, '../n8n/node_modules/n8n-nodes-base')),
	undici: versionIn(join(root, 'node_modules/undici')),
});

const versionIn = (directory: string) =>
	(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }).version;
