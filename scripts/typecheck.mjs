// `npm run typecheck`: checks the types of everything.
import { install, requireNode, run } from './setUp.mjs';

requireNode();
// The tests and tools that need these packages are checked, too.
for (const folder of ['.', 'test/e2e', 'tools']) install(folder);
run('npx', ['--no-install', 'tsc', '-p', 'test/tsconfig.json'], { onFailure: '' });
