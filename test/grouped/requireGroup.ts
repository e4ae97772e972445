/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @typescript-eslint/no-require-imports -- not published */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { isShort, testFilesOf } from '../testFiles';

/**
 * Runs a part of a project's short test files in one file, because loading n8n takes longer than most of them. There are as
 * many parts as files here have the project's name.
 *
 * @param part from 1 on
 */
export function requireGroup(project: string, part: number): void {
	const parts = readdirSync(__dirname).filter((name) => name.startsWith(project)).length;
	const files = testFilesOf(project).filter(isShort);
	for (const file of files.filter((_, index) => index % parts === part - 1))
		describe(basename(file, '.test.ts'), () => void require(file));
}
