/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareUserFolder } from '../n8n/instance';
import type { Target } from '../n8n/target';
import { command, log, ROOT } from './commands';
import { installN8n, nodeProgram } from './installation';
import { platformName, type Platform } from './platforms';
import type { Services } from './services';

/**
 * Packs the package as it is built now.
 *
 * @param folder an existing folder for the tarball
 * @param directory the package
 * @returns the path of the tarball
 */
export function packTarball(folder: string, directory = ROOT): string {
	const pack = ['pack', '--silent', '--pack-destination', folder];
	return join(
		folder,
		command('npm', pack, { cwd: directory, advice: 'The package could not be packed.' }).trim(),
	);
}

/**
 * Packs the package and installs the tarball with `npm install` in a folder `nodes`, as n8n's documentation says.
 *
 * @param folder an existing folder, in which `nodes` is created
 * @returns the `nodes` folder, which can be copied into the user folder of an n8n
 */
export function installPackage(folder: string): string {
	const advice = 'The package could not be installed.';
	const tarball = packTarball(folder);
	const nodes = join(folder, 'nodes');
	mkdirSync(nodes);
	writeFileSync(
		join(nodes, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	// n8n provides the peer dependency. Without it, the installation needs no registry.
	const flags = ['--offline', '--omit=peer', '--legacy-peer-deps', '--ignore-scripts', '--no-audit'];
	command('npm', ['install', ...flags, tarball], { cwd: nodes, advice });
	return nodes;
}

/**
 * Installs the n8n of a platform, unless it is in the cache.
 *
 * @param packed the folder `nodes` with the installed package
 * @throws SetUpError if the installation fails
 */
export async function prepareTarget(
	platform: Platform,
	packed: string,
	services?: Services,
): Promise<Target> {
	log(`\nn8n ${platformName(platform)} …`);
	const { folder, nodes, ...installed } = installN8n(platform.release);
	const target: Target = {
		...installed,
		nodeMajor: platform.node,
		scheduler: platform.scheduler,
		node: nodeProgram(nodes, platform),
		packed,
		redis: services?.redis.program,
		chromium: services?.chromium.program,
	};
	return { ...target, prepared: await prepareUserFolder(target, join(folder, 'prepared')) };
}

/** Calls a function that can start the n8n of a platform with the packed package. */
export async function withTarget<T>(platform: Platform, act: (target: Target) => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), 'prospector-target-'));
	try {
		const target = await prepareTarget(platform, installPackage(folder));
		process.env.E2E_TARGET = join(folder, 'target.json');
		writeFileSync(process.env.E2E_TARGET, JSON.stringify(target));
		return await act(target);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
