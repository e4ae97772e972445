// One fresh process, as plain JavaScript so that no compiler takes part: how long do a package's files take to load?
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [directory, ...files] = process.argv.slice(2);
const load = createRequire(join(resolve(directory), 'package.json'));
// n8n has it loaded long before.
load('n8n-workflow');
const begun = performance.now();
for (const file of files) load(`./${file}`);
console.log(performance.now() - begun);
