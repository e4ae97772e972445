/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- not published */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { GOAL, GRID, runGrid, SHAPES, summarize } from '../unit/helpers/rateGrid';
import { runCampaign, type CampaignReport } from './campaign';

/** Further violations are not listed. */
const MAX_SHOWN = 50;
/** The number of fast rows differs between seeds. */
const TOLERANCE = 3;
const LIMITS_SEEDS = 8;

/** @returns the exit code */
async function main(): Promise<number> {
	const option = { type: 'string' } as const;
	const { values } = parseArgs({
		options: { seed: option, operations: option, 'limits-seed': option },
	});
	const seed = Number(values.seed ?? 1);
	const operations = Number(values.operations ?? 10_000);
	const limitsSeed = Number(values['limits-seed'] ?? randomInt(1_000_000_000));
	const command = `npm run tool -- campaign --seed ${seed} --operations ${operations} --limits-seed ${limitsSeed}`;
	console.log(command);
	let tenths = 0;
	const onProgress = (ended: number, planned: number) => {
		if (ended < (planned * (tenths + 1)) / 10) return;
		tenths = Math.floor((10 * ended) / planned);
		console.log(`  ${ended} of ${planned} planned executions have ended`);
	};
	const report = await runCampaign({ seed, operations, onProgress });
	const { violations } = report;
	console.log(describe(report));
	for (const violation of violations.slice(0, MAX_SHOWN)) console.log(`  - ${violation}`);
	if (violations.length === 0) console.log(`Each of ${operations} operations was done exactly once.`);

	if (violations.length === 0 && (await areLimitsMet(limitsSeed))) return 0;
	console.log(`\nThe campaign has failed. To repeat it: ${command}`);
	return 1;
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

function describe({ evidence, records: { journal, runs, workflowsCreated } }: CampaignReport): string {
	const { executions, retries, interruptions, repeated } = evidence;
	return `
  executions         ${executions}, of which ${retries} retries; ${interruptions} stopped or killed
  repeated items     ${repeated}
  requests           ${journal.length}, of which ${journal.filter(({ replayed }) => replayed).length} replayed
  faults             ${journal.filter(({ fault }) => fault).length}
  runs started       ${runs.started}
  workflows created  ${workflowsCreated}
`;
}

void main().then((code) => (process.exitCode = code));
