/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SetUpError } from '../../test/e2e/setUp/commands';

const CYCLONEDX = join(ROOT, 'tools/node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');

/** Writes a bill of materials (CycloneDX) from package-lock.json. */
function writeBill(file: string, ...options: string[]): void {
	const flags = ['--package-lock-only', '--mc-type', 'library', '--output-reproducible', '--validate'];
	execFileSync(process.execPath, [CYCLONEDX, ...flags, ...options, '--output-file', file], {
		stdio: ['ignore', 'inherit', 'inherit'],
	});
}

/**
 * Writes two bills, because they answer different questions: `<name>.cdx.json` lists what an installation of the
 * package brings into n8n, which is the package alone, and `<name>-build.cdx.json` the packages that build and test it.
 *
 * @throws SetUpError if an installation would bring anything else
 */
export function writeBills(folder: string, name: string): void {
	const bill = join(folder, `${name}.cdx.json`);
	// n8n provides the peer dependency.
	writeBill(bill, '--omit', 'dev', '--omit', 'peer');
	const { components } = JSON.parse(readFileSync(bill, 'utf8')) as { components: unknown[] };
	if (components.length > 0) throw new SetUpError(`${bill} lists dependencies. The package must have none.`);
	// Some development dependencies disagree on the versions of others.
	writeBill(join(folder, `${name}-build.cdx.json`), '--ignore-npm-errors');
}
