// `npm run typecheck`: installs the packages whose types are checked against.
import { install, requireNode, run } from './setUp.mjs';

requireNode();
install();
run('npx', ['--no-install', 'tsc', '-p', 'test/tsconfig.json'], { onFailure: '' });
