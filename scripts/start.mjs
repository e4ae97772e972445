// `npm start`: the main job on a fresh clone. Everything after the set-up is in demo/.
import { build, install, requireNode, run } from './setUp.mjs';

requireNode();
install();
console.log('Building the package …');
build();
run('node', ['--import', 'tsx', 'demo/main.ts'], { onFailure: '' });
