/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- not published */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { GOAL, GRID, runGrid, SHAPES, summarize } from '../unit/helpers/rateGrid';

/** The number of fast rows differs between seeds. */
const TOLERANCE = 3;
const LIMITS_SEEDS = 8;

/** @returns the exit code */
async function main(): Promise<number> {
	const option = { type: 'string' } as const;
	const { values } = parseArgs({
		options: { seed: option, workflows: option, 'limits-seed': option },
	});
	const seed = Number(values.seed ?? randomInt(1_000_000_000));
	const workflows = Number(values.workflows ?? 2000);
	const limitsSeed = Number(values['limits-seed'] ?? randomInt(1_000_000_000));
	const command = `npm run tool -- campaign --seed ${seed} --workflows ${workflows} --limits-seed ${limitsSeed}`;
	console.log(command);
	if (isDoneOnce(seed, workflows) && (await areLimitsMet(limitsSeed))) return 0;
	console.log(`\nThe campaign has failed. To repeat it: ${command}`);
	return 1;
}

/** Executes random n8n workflows, and returns whether each call took effect exactly once. */
function isDoneOnce(seed: number, workflows: number): boolean {
	const jest = 'node_modules/jest/bin/jest.js --selectProjects workflow --testPathPatterns workflow/identity';
	const env = { ...process.env, IDENTITY_SEED: String(seed), IDENTITY_RUNS: String(workflows) };
	return spawnSync(process.execPath, jest.split(' '), { env, stdio: 'inherit' }).status === 0;
}

/** Prints how the rate limiter compares with other clients, and returns whether it reaches its goal. */
async function areLimitsMet(firstSeed: number): Promise<boolean> {
	let isMet = true;
	for (let seed = firstSeed; seed < firstSeed + LIMITS_SEEDS; seed++) {
		const { gridRows, fastRows, median, slow, failed } = summarize(await runGrid(seed, [...GRID, ...SHAPES]));
		const text = `${fastRows} of ${gridRows} within ${GOAL.ratio}, median ${median.toFixed(3)}, ${failed} failed requests`;
		console.log(`Rate limits ${seed}: ${text}, much slower than back-off: ${slow.join('; ') || 'none'}`);
		isMet &&= fastRows >= GOAL.share * gridRows - TOLERANCE && slow.length <= GOAL.slowRows && failed === 0;
	}
	return isMet;
}

void main().then((code) => (process.exitCode = code));
