/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import type { Rule } from './rules';

const SOURCES = 'nodes/Prospector';

/** @throws Error if the rule's text does not occur in its file once */
export function removeRule({ name, file, find, replace }: Rule): string {
	const source = readFileSync(join(SOURCES, file), 'utf8');
	const [before, ...after] = source.split(find);
	if (after.length !== 1) {
		const count = `${after.length} times in ${SOURCES}/${file} instead of once`;
		throw new Error(
			`This text of the rule "${name}" occurs ${count}. Adapt tools/simulate/rules.ts:\n${find}`,
		);
	}
	return before + replace + after[0];
}

/** Copies the built package into a new directory, without a rule. @returns the directory that stands for dist/ */
export function buildWithoutRule(rule: Rule, directory: string): string {
	const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { config: object };
	const { options: compilerOptions } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
	const { outputText, diagnostics = [] } = ts.transpileModule(removeRule(rule), {
		...{ compilerOptions, fileName: rule.file, reportDiagnostics: true },
	});
	for (const { messageText } of diagnostics) {
		throw new Error(`Without the rule "${rule.name}": ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
	}
	mkdirSync(directory);
	// The copy requires the packages that the original requires.
	symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
	const dist = join(directory, 'dist');
	cpSync('dist', dist, { recursive: true });
	writeFileSync(join(dist, SOURCES, rule.file.replace(/\.ts$/, '.js')), outputText);
	return dist;
}
