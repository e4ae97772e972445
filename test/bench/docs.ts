import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { chart } from './chart';
import type { Figures } from './figures';
import { markdown } from './markdown';

const root = join(__dirname, '../..');

/** @returns the files that were written, relative to the repository */
export async function writeDocs(figures: Figures): Promise<string[]> {
	const files = {
		'docs/benchmark.json': JSON.stringify(figures),
		'docs/benchmark.md': markdown(figures),
		'docs/benchmark.svg': chart(figures),
	};
	mkdirSync(join(root, 'docs'), { recursive: true });
	for (const [file, text] of Object.entries(files)) {
		writeFileSync(join(root, file), file.endsWith('.svg') ? text : await pretty(join(root, file), text));
	}
	return Object.keys(files);
}

const pretty = async (filepath: string, text: string) =>
	await format(text, { ...(await resolveConfig(filepath)), filepath });
