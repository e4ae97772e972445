// `npm run test:e2e`, `npm run editor`, `npm run screenshots`: what they need from npm, and the build. The rest is in
// test/e2e/.
import { foreground } from './foreground.mjs';
import { build, install, requireNode } from './setUp.mjs';

const [, , main, ...args] = process.argv;

requireNode();
install();
install('test/e2e');
console.log('Building the package …');
build();
foreground(`test/e2e/${main}.ts`, args);
