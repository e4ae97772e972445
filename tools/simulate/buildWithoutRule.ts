/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import type { Rule } from './rules';

const SOURCES = 'nodes/Prospector';

/**
 * Returns the file below nodes/Prospector that contains the rule, and its text without the rule.
 *
 * @throws Error if the rule's text does not occur in one file once
 */
export function removeRule({ name, find, replace }: Rule): { file: string; source: string } {
	const files = ['utils.ts', ...readdirSync(join(SOURCES, 'trigger')).map((file) => join('trigger', file))];
	const found = files.flatMap((file) => {
		const [before, ...after] = readFileSync(join(SOURCES, file), 'utf8').split(find);
		return after.map((rest) => ({ file, source: before + replace + rest }));
	});
	if (found.length === 1) return found[0];
	const count = `${found.length} times in ${SOURCES}/trigger and utils.ts instead of once`;
	throw new Error(`This text of the rule "${name}" occurs ${count}. Adapt tools/simulate/rules.ts:\n${find}`);
}

/** Copies the built package into a new directory, without a rule. @returns the directory that stands for dist/ */
export function buildWithoutRule(rule: Rule, directory: string): string {
	const { file, source } = removeRule(rule);
	const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { config: object };
	const { options: compilerOptions } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
	const { outputText, diagnostics = [] } = ts.transpileModule(source, {
		...{ compilerOptions, fileName: file, reportDiagnostics: true },
	});
	for (const { messageText } of diagnostics) {
		throw new Error(`Without the rule "${rule.name}": ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
	}
	mkdirSync(directory);
	// The copy requires the packages that the original requires.
	symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
	const dist = join(directory, 'dist');
	cpSync('dist', dist, { recursive: true });
	writeFileSync(join(dist, SOURCES, file.replace(/\.ts$/, '.js')), outputText);
	return dist;
}
