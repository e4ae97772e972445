// `npm run test:e2e`, `npm run editor`, `npm run screenshots`: what they need from npm, and the build. The rest is in
// test/e2e/ and tools/.
import { foreground } from './foreground.mjs';
import { build, install, requireNode } from './setUp.mjs';

const [, , main, ...args] = process.argv;

requireNode();
install();
console.log('Building the package …');
build();
foreground(`${main}.ts`, args);
