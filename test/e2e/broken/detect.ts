import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { forEachConcurrently } from '../../forEachConcurrently';
import { startN8n } from '../n8n/instance';
import type { Target } from '../n8n/target';
import { runTests } from '../runTests';
import { BREAKAGES, type Breakage } from './breakages';

/** Each n8n keeps one core busy. */
const CONCURRENCY = 2;

/** The result of the tests that must detect a breakage. */
export interface Detection {
	breakage: Breakage;
	/** Titles of the failed tests. */
	failed: string[];
	/** Whether other tests have passed, so the failures are not caused by n8n. */
	othersPassed: boolean;
}

export const isDetected = ({ failed, othersPassed }: Detection) => failed.length > 0 && othersPassed;

export const describeDetection = (detection: Detection): string => {
	const { breakage, failed } = detection;
	if (isDetected(detection)) return `detected      The node ${breakage.what}: ${failed[0]}`;
	const reason = failed.length > 0 ? ', no test passed' : '';
	return `NOT DETECTED  The node ${breakage.what} (${breakage.file}${reason})`;
};

/**
 * Copies an installed package and lets its nodes behave as in the breakage whose index is in a file.
 *
 * @param packed the folder `nodes` with the installed package
 */
export function makeBreakable(packed: string, copy: string, indexFile: string): void {
	cpSync(packed, copy, { recursive: true });
	const folder = join(copy, 'node_modules/n8n-nodes-prospector/dist/nodes/Prospector');
	const source = readFileSync(join(__dirname, 'breakages.ts'), 'utf8');
	const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
	writeFileSync(join(folder, 'breakages.js'), transpileModule(source, { compilerOptions }).outputText);
	for (const name of ['Prospector', 'ProspectorTrigger']) {
		renameSync(join(folder, `${name}.node.js`), join(folder, `${name}.original.js`));
		writeFileSync(
			join(folder, `${name}.node.js`),
			`const { ${name} } = require('./${name}.original.js');
const { breakNode } = require('./breakages.js');
exports.${name} = breakNode(${name}, ${JSON.stringify(indexFile)});
`,
		);
	}
}

/**
 * Runs the tests that must detect each breakage. The same n8n runs with one breakage after the other.
 *
 * @param targets n8n releases, the newest first
 * @param onDetection called after the tests of each breakage
 */
export async function detectBreakages(
	targets: Target[],
	folder: string,
	onDetection: (detection: Detection) => void,
): Promise<void> {
	const batches = targets.flatMap((target, index) => {
		const isOn = ({ release = targets[0].release }: Breakage) => release === target.release;
		const breakages = BREAKAGES.filter(isOn);
		// Two batches for the newest release, so that both cores are used.
		const sizes = index === 0 ? [0, 1] : [0];
		return sizes.map((offset) => ({
			target,
			breakages: breakages.filter((_, i) => i % sizes.length === offset),
		}));
	});
	await forEachConcurrently([...batches.entries()], CONCURRENCY, async ([batch, { target, breakages }]) => {
		const own = join(folder, `breakable-${batch}`);
		mkdirSync(own);
		const [packed, indexFile] = [join(own, 'nodes'), join(own, 'index')];
		makeBreakable(target.packed, packed, indexFile);
		writeFileSync(indexFile, 'none');
		const n8n = await startN8n({}, { ...target, packed });
		try {
			for (const breakage of breakages) {
				writeFileSync(indexFile, String(BREAKAGES.indexOf(breakage)));
				const { tests } = await runTests({ ...target, packed, shared: [n8n.share()] }, own, {
					files: [breakage.file],
					testNames: breakage.tests,
					quiet: true,
				});
				const withOutcome = (wanted: string) => tests.filter(({ outcome }) => outcome === wanted);
				onDetection({
					breakage,
					failed: withOutcome('failed').map(({ title }) => title.join(' › ')),
					othersPassed: withOutcome('passed').length > 0,
				});
			}
		} finally {
			await n8n.close();
		}
	});
}
