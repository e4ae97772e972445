import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Breakage } from './breakages';

/**
 * A text with one place of it replaced.
 * @throws Error where that place is not there exactly once: the list of breakages is then out of date
 */
export function replaceOnce(text: string, { from, to, file }: Breakage): string {
	const places = text.split(from).length - 1;
	if (places !== 1) throw new Error(`"${from}" is ${places} times in ${file}, and not once`);
	return text.replace(from, () => to);
}

/**
 * Copies an installed package and breaks the copy.
 * @param packed the folder `nodes` with the package installed
 * @param copy where the broken `nodes` shall be
 */
export function breakPackage(packed: string, copy: string, breakage: Breakage): void {
	cpSync(packed, copy, { recursive: true });
	const file = join(copy, 'node_modules/n8n-nodes-prospector/dist', breakage.file);
	writeFileSync(file, replaceOnce(readFileSync(file, 'utf8'), breakage));
}
