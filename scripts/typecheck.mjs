// `npm run typecheck`: installs the packages whose types are checked against.
import { install, requireNode, run } from './setUp.mjs';

requireNode();
install();
install('test/e2e');
run('npx', ['--no-install', 'tsc', '-p', 'tsconfig.check.json'], { onFailure: '' });
