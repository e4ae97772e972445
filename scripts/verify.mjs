// `npm run verify`: n8n's own tools accept the package, and build the same one. `npm run lint` runs their rules.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, requireNode, root } from './setUp.mjs';

/** Runs a command and returns what it prints. */
function output(command, ...args) {
	const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
	if (status !== 0) throw new Error(`'${[command, ...args].join(' ')}' has failed:\n${stdout}${stderr}`);
	return stdout;
}

/** Packs the package as it is built now, and unpacks it. Returns its folder. */
function pack(folder) {
	mkdirSync(folder);
	const [{ filename }] = JSON.parse(output('npm', 'pack', '--json', '--pack-destination', folder));
	output('tar', '-xzf', join(folder, filename), '-C', folder);
	return join(folder, 'package');
}

const readFiles = (folder) =>
	new Map(
		readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name))
			.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'latin1')]),
	);

/** Returns the names of the files that two folders do not both have, with the same content. */
function differences(one, other) {
	const [a, b] = [readFiles(one), readFiles(other)];
	return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}

/** Runs the rules of n8n's scan on a folder of sources or a published package. Returns what they report. */
async function scan(folder, kind) {
	const scanner = '@n8n/scan-community-package/scanner/scanner.mjs';
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(scanner);
	const patterns = kind === 'sources' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];
	const { passed, message, details } = await analyzePackage(folder, patterns);
	return passed ? [] : [message, details];
}

/** What n8n's tools check → returns what is wrong. */
const checks = (packed, packedByN8n) => ({
	'n8n-node cloud-support: enabled': () => {
		const text = output('npx', '--no-install', 'n8n-node', 'cloud-support');
		return /Cloud support is\s\S*ENABLED/.test(text) ? [] : [text];
	},
	'n8n-node build: the same package': () => differences(packed, packedByN8n),
	'scan-community-package: package': () => scan(packed, 'package'),
	'scan-community-package: sources': () => scan(root, 'sources'),
});

requireNode();
install();
const folder = mkdtempSync(join(tmpdir(), 'prospector-verify-'));
try {
	build();
	const packed = pack(join(folder, 'ours'));
	output('npx', '--no-install', 'n8n-node', 'build');
	const packedByN8n = pack(join(folder, 'n8n'));
	for (const [name, findProblems] of Object.entries(checks(packed, packedByN8n))) {
		const problems = await findProblems();
		console.log(`${problems.length === 0 ? 'passed' : 'FAILED'}  ${name}`);
		problems.forEach((problem) => console.log(problem));
		if (problems.length > 0) process.exitCode = 1;
	}
} finally {
	build();
	rmSync(folder, { recursive: true, force: true });
}
