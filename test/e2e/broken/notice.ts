import { join } from 'node:path';
import type { Target } from '../n8n/target';
import { runTests } from '../runTests';
import { BREAKAGES, type Breakage } from './breakages';
import { breakPackage } from './breakPackage';

/** Whether the tests have noticed a breakage. */
export interface Notice {
	breakage: Breakage;
	/** Titles of the tests that failed. */
	failed: string[];
	/** Others passed: what failed did so because of the breakage, and not because n8n did not come up. */
	othersPassed: boolean;
}

/** Breaks the package in every way on the list, one after the other, and runs the tests that must notice. */
export function* noticeAll(targets: Target[], folder: string): Generator<Notice> {
	for (const [index, breakage] of BREAKAGES.entries()) {
		const { on = targets[0].release } = breakage;
		const target = targets.find(({ release, scheduler }) => release === on && scheduler === 'classic');
		if (!target) continue;
		const packed = join(folder, `broken-${index}`);
		breakPackage(target.packed, packed, breakage);
		const { tests } = runTests({ ...target, packed }, folder, [breakage.noticedBy], { quiet: true });
		const titles = (outcome: string) =>
			tests.filter((test) => test.outcome === outcome).map(({ title }) => title.join(' › '));
		yield { breakage, failed: titles('failed'), othersPassed: titles('passed').length > 0 };
	}
}

export const isNoticed = ({ failed, othersPassed }: Notice) => failed.length > 0 && othersPassed;

export const inWords = (notice: Notice): string =>
	isNoticed(notice)
		? `noticed      The node ${notice.breakage.what}: ${notice.failed[0]}`
		: `NOT NOTICED  The node ${notice.breakage.what} (${notice.breakage.noticedBy}${notice.failed.length > 0 ? ', where nothing passed' : ''})`;
