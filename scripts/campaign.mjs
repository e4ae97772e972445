// `npm run campaign -- --seed 1 --operations 10000`: every create and run exactly once, whatever goes wrong.
import { build, install, requireNode, run } from './setUp.mjs';

requireNode();
install();
build();
run('node', ['--import', 'tsx', 'test/campaign/main.ts', ...process.argv.slice(2)], { onFailure: '' });
