// `npm run bench`: this node beside n8n's HTTP Request node and a bare loop. What is measured is in tools/bench/.
import { build, install, requireNode, run } from './setUp.mjs';

const args = process.argv.slice(2);
const asked = (option) => args.some((arg) => arg === option || arg.startsWith(`${option}=`));

requireNode();
install();
if (!asked('--help')) {
	install('test/n8n');
	if (!asked('--package')) {
		console.log('Building the package …');
		build();
	}
}
run('node', ['--import', 'tsx', 'tools/bench/main.ts', ...args], { onFailure: '' });
