// `npm run campaign -- --seed 1 --operations 10000`: every create and run exactly once, whatever goes wrong.
// `npm run campaign:trigger -- --seed 1 --polls 100000`: everything new is emitted once, whatever goes wrong.
import { build, install, requireNode, run } from './setUp.mjs';

requireNode();
install();
build();
const [first, ...rest] = process.argv.slice(2);
const [main, args] = first === 'trigger' ? ['trigger/main.ts', rest] : ['main.ts', process.argv.slice(2)];
run('node', ['--import', 'tsx', `test/campaign/${main}`, ...args], { onFailure: '' });
