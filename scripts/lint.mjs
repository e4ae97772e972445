// `npm run lint`: n8n's rules, the project's own, the directions of imports, and the links of the documentation.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, run } from './setUp.mjs';

const DOCUMENTATION = ['README.md', 'CONTRIBUTING.md', '.github', 'docs', 'examples/README.md'];

/** Makes a package of tools/ available to the ESLint configurations: n8n's rules forbid changes to eslint.config.mjs. */
function link(name) {
	const path = join(root, 'node_modules', name);
	rmSync(path, { recursive: true, force: true });
	mkdirSync(dirname(path), { recursive: true });
	symlinkSync(join(root, 'tools/node_modules', name), path, 'junction');
}

/** Runs a program of an installed package. */
const program = (path, ...args) => run(process.execPath, [join(root, path), ...args], { onFailure: '' });

['@n8n/node-cli', 'eslint-plugin-regexp'].forEach(link);
program('tools/node_modules/@n8n/node-cli/bin/n8n-node.mjs', 'lint');
program(
	'node_modules/eslint/bin/eslint.js',
	...['.', '--config', 'scripts/lint/eslint.config.mjs', '--max-warnings', '0'],
);
program(
	'tools/node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
	...['--config', '.dependency-cruiser.cjs', 'nodes', 'credentials', 'sandbox'],
);
program(
	'tools/node_modules/remark-cli/cli.js',
	...['--frail', '--quiet', '--no-stdout', '--rc-path', 'scripts/lint/links.json', ...DOCUMENTATION],
);
