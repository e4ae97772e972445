import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Target } from './n8n/target';
import { E2E, ROOT } from './setUp/folders';

/** A file of tests that does not end has failed. */
const LONGEST_MS = 40 * 60_000;

/** No other tests depend on the scheduler. None of them may be among those that a command line names. */
const TRIGGER_ONLY = ['--testMatch=<rootDir>/test/e2e/trigger/**/*.test.ts', '--passWithNoTests'];

export interface TestResult {
	/** The file below test/e2e, without its ending. */
	file: string;
	/** Names of the groups around it, and its own. */
	title: string[];
	outcome: 'passed' | 'failed' | 'skipped';
}

export interface Report {
	target: Target;
	tests: TestResult[];
	passed: number;
	failed: number;
	/** Titles of what was not tested. */
	skipped: string[];
}

interface JestReport {
	numRuntimeErrorTestSuites: number;
	testResults: Array<{
		name: string;
		assertionResults: Array<{ ancestorTitles: string[]; title: string; status: string }>;
	}>;
}

/**
 * Runs the tests of this folder on one n8n.
 *
 * @param name tells this run's files in `folder` from those of others
 */
export async function runTests(
	target: Target,
	folder: string,
	jestArguments: string[],
	{ quiet = false, name = `${target.release}-${target.nodeMajor}-${target.scheduler}` } = {},
): Promise<Report> {
	const targetFile = join(folder, `target-${name}.json`);
	const reportFile = join(folder, `report-${name}.json`);
	writeFileSync(targetFile, JSON.stringify(target));
	const jest = spawn(
		process.execPath,
		[
			'node_modules/jest/bin/jest.js',
			...['--config', 'test/e2e/jest.config.js', '--rootDir', ROOT],
			'--cacheDirectory=node_modules/.cache/jest',
			...['--json', `--outputFile=${reportFile}`, ...jestArguments],
			...(target.scheduler === 'durable' ? TRIGGER_ONLY : []),
		],
		{
			cwd: ROOT,
			stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit'],
			// What a test that was ended leaves there goes with this folder; what a person may look at stays.
			env: { ...process.env, E2E_TARGET: targetFile, E2E_SCREENS: tmpdir(), TMPDIR: folder },
			timeout: LONGEST_MS,
			killSignal: 'SIGKILL',
		},
	);
	const [status, signal] = (await once(jest, 'close')) as [number | null, string | null];
	try {
		return reportOf(target, JSON.parse(readFileSync(reportFile, 'utf8')) as JestReport);
	} catch {
		console.error(`Jest has ended without a report (${signal ?? `exit code ${status}`}).`);
		return { target, tests: [], passed: 0, failed: 1, skipped: [] };
	}
}

function reportOf(target: Target, { testResults, numRuntimeErrorTestSuites }: JestReport): Report {
	const tests = testResults.flatMap(({ name, assertionResults }) =>
		assertionResults.map(({ ancestorTitles, title, status }): TestResult => ({
			file: relative(E2E, name).replace(/\.test\.ts$/, ''),
			title: [...ancestorTitles, title],
			outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
		})),
	);
	const count = (outcome: string) => tests.filter((test) => test.outcome === outcome).length;
	return {
		target,
		tests,
		passed: count('passed'),
		failed: count('failed') + numRuntimeErrorTestSuites,
		skipped: tests.filter(({ outcome }) => outcome === 'skipped').map(({ title }) => title.join(' › ')),
	};
}
