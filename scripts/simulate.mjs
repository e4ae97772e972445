// `npm run simulate -- --seed 1 --histories 2000`: random histories of the Prospector Trigger in virtual time.
import { build, install, requireNode, run } from './setUp.mjs';

requireNode();
install();
build();
run('node', ['--import', 'tsx', 'tools/simulate/main.ts', ...process.argv.slice(2)], { onFailure: '' });
