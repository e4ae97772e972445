// `npm run test:e2e` and `npm run editor`: what they need from npm, and the build. The rest is in test/e2e/.
import { build, install, requireNode, run } from './setUp.mjs';

const [, , main, ...args] = process.argv;

requireNode();
install();
install('test/e2e');
console.log('Building the package …');
build();
run('node', ['--import', 'tsx', `test/e2e/${main}.ts`, ...args], { onFailure: '' });
