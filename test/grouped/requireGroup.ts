/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @typescript-eslint/no-require-imports -- not published */
// Runs a part of a project's short test files in the test file that imports this, because loading n8n takes longer than
// most of them. The name of the test file has the project and the part, such as `unit1`.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { isShort, testFilesOf } from '../testFiles';

const [, project, part] = /(\w+)(\d)\.test\.ts$/.exec(expect.getState().testPath!)!;
const parts = readdirSync(__dirname).filter((name) => name.startsWith(project)).length;
const files = testFilesOf(project).filter(isShort);
for (const file of files.filter((_, index) => index % parts === Number(part) - 1))
	describe(basename(file, '.test.ts'), () => void require(file));
