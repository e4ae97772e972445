import { join } from 'node:path';
import { forEachConcurrently } from '../../forEachConcurrently';
import type { Target } from '../n8n/target';
import { runTests } from '../runTests';
import { BREAKAGES, type Breakage } from './breakages';
import { breakPackage } from './breakPackage';

/** Each runs one file of tests, and so keeps one core busy at most. */
const CONCURRENCY = 2;

/** Whether the tests have noticed a breakage. */
export interface Notice {
	breakage: Breakage;
	/** Titles of the tests that failed. */
	failed: string[];
	/** Others passed: what failed did so because of the breakage, and not because n8n did not come up. */
	othersPassed: boolean;
}

/**
 * Breaks the package in every way on the list, and runs the tests that must notice.
 *
 * @param targets releases of n8n, with the classic scheduler
 * @param onNotice is called for each breakage once its tests are over
 */
export async function noticeAll(
	targets: Target[],
	folder: string,
	onNotice: (notice: Notice) => void,
): Promise<void> {
	await forEachConcurrently(BREAKAGES, CONCURRENCY, async (breakage) => {
		const { on = targets[0]?.release } = breakage;
		const target = targets.find(({ release }) => release === on);
		if (!target) return;
		const name = `broken-${BREAKAGES.indexOf(breakage)}`;
		const packed = join(folder, name);
		breakPackage(target.packed, packed, breakage);
		const { tests } = await runTests({ ...target, packed }, folder, [breakage.noticedBy], {
			quiet: true,
			name,
		});
		const titles = (outcome: string) =>
			tests.filter((test) => test.outcome === outcome).map(({ title }) => title.join(' › '));
		onNotice({ breakage, failed: titles('failed'), othersPassed: titles('passed').length > 0 });
	});
}

export const isNoticed = ({ failed, othersPassed }: Notice) => failed.length > 0 && othersPassed;

export const inWords = (notice: Notice): string =>
	isNoticed(notice)
		? `noticed      The node ${notice.breakage.what}: ${notice.failed[0]}`
		: `NOT NOTICED  The node ${notice.breakage.what} (${notice.breakage.noticedBy}${notice.failed.length > 0 ? ', where nothing passed' : ''})`;
