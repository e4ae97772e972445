// `npm start`: the main job on a fresh clone. The rest is in scripts/demo/.
import { build, install, requireNode, run } from './setUp.mjs';

requireNode();
install();
console.log('Building the package …');
build();
run('node', ['--import', 'tsx', 'scripts/demo/main.ts'], { onFailure: '' });
