import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../n8n/target';
import { runTests } from '../runTests';
import { BREAKAGES } from './breakages.cjs';

/** The result of the tests that must detect a breakage. */
export interface Detection {
	what: string;
	failed: number;
	/** If no test passed, the failures may have another cause. */
	passed: number;
}

export const isDetected = ({ failed, passed }: Detection) => failed > 0 && passed > 0;

export const describeDetection = (detection: Detection): string =>
	`${isDetected(detection) ? 'detected' : 'NOT DETECTED'}: the node ${detection.what} (${detection.failed} tests failed, ${detection.passed} passed)`;

/**
 * Runs the tests that must detect each breakage.
 *
 * @param target the n8n in which the tests run
 * @param folder an existing folder for the broken packages
 * @param onDetection called after the tests of each breakage
 */
export async function detectBreakages(
	target: Target,
	folder: string,
	onDetection: (detection: Detection) => void,
): Promise<void> {
	for (const [index, { what, file }] of BREAKAGES.entries()) {
		const packed = join(folder, `nodes-${index}`);
		cpSync(target.packed, packed, { recursive: true });
		breakPackage(join(packed, 'node_modules/n8n-nodes-prospector/dist/nodes/Prospector'), index);
		const name = `broken-${index}`;
		onDetection({
			what,
			...(await runTests({ ...target, packed }, folder, { files: [file], name, quiet: true })),
		});
	}
}

function breakPackage(folder: string, index: number): void {
	cpSync(join(__dirname, 'breakages.cjs'), join(folder, 'breakages.cjs'));
	for (const name of ['Prospector', 'ProspectorTrigger']) {
		renameSync(join(folder, `${name}.node.js`), join(folder, `${name}.original.js`));
		writeFileSync(
			join(folder, `${name}.node.js`),
			`const { ${name} } = require('./${name}.original.js');
const { breakNode, BREAKAGES } = require('./breakages.cjs');
exports.${name} = breakNode(${name}, BREAKAGES[${index}]);
`,
		);
	}
}
