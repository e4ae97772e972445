/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- not published */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, WITH_CODE_NODES } from './n8n/instance';
import type { Target } from './n8n/target';
import type { Scope } from './options';
import { E2E, ROOT } from './setUp/commands';
import { RELEASES, type Release } from './setUp/platforms';

/** Many tests only wait, so a machine with two cores has time for three files. */
const WORKERS = 3;

/** Of the n8n that test files share. In n8n 3, it will block internal addresses by default. */
const SHARED_ENV = {
	N8N_LOG_LEVEL: 'debug',
	...WITH_CODE_NODES,
	...{ N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' },
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10',
	// By default, n8n 1 has one connection to SQLite, and mixes up the transactions of data tables.
	DB_SQLITE_POOL_SIZE: '3',
};

const FOLDERS = [E2E, join(ROOT, 'tools')];

const MAX_DURATION_MS = 40 * 60_000;

/** Folders of test files that take long, or that test n8n rather than the package. */
const NOT_BY_DEFAULT = ['pictures/', 'canaries/'];

/** Test files that run in the newest n8n only, by the start of their names. The documentation is about that n8n. */
const ONLY_IN_NEWEST = ['pictures/', 'canaries/', 'installation/', 'mcp/', 'trigger/twoPollers'];

export interface Report {
	target: Target;
	passed: number;
	failed: number;
	skipped: string[];
}

interface JestReport {
	numRuntimeErrorTestSuites: number;
	testResults: Array<{
		assertionResults: Array<{ ancestorTitles: string[]; title: string; status: string }>;
	}>;
}

function findTestFiles(scope: Scope, parts: string[], release: Release): string[] {
	const startsWithAny = (file: string, starts: string[]) => starts.some((start) => file.startsWith(start));
	const isWanted = (file: string) =>
		(scope !== 'trigger' || file.startsWith('trigger/')) &&
		(release === RELEASES[0] || !startsWithAny(file, ONLY_IN_NEWEST)) &&
		(parts.length > 0
			? parts.some((part) => file.includes(part))
			: scope !== 'default' || !startsWithAny(file, NOT_BY_DEFAULT));
	return FOLDERS.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules') && isWanted(file))
			.map((file) => join(folder, file)),
	);
}

/** Runs test files on a new n8n. @param parts of file names; empty for all files of the scope */
export async function runTests(
	target: Target,
	folder: string,
	scope: Scope,
	parts: string[],
): Promise<Report> {
	const files = findTestFiles(scope, parts, target.release);
	const report: Report = { target, passed: 0, failed: 0, skipped: [] };
	if (files.length === 0) return report;
	const n8n = await startN8n(SHARED_ENV, target);
	try {
		return { ...report, ...(await runJest({ ...target, shared: n8n.share() }, folder, files)) };
	} finally {
		await n8n.close();
	}
}

async function runJest(target: Target, folder: string, files: string[]): Promise<Partial<Report>> {
	const name = `${target.release}-${target.nodeMajor}-${target.scheduler}`;
	const targetFile = join(folder, `target-${name}.json`);
	const reportFile = join(folder, `report-${name}.json`);
	writeFileSync(targetFile, JSON.stringify(target));
	const jest = spawn(
		process.execPath,
		[
			'node_modules/jest/bin/jest.js',
			...['--config', 'test/e2e/jest.config.js', '--rootDir', ROOT],
			'--cacheDirectory=node_modules/.cache/jest',
			`--maxWorkers=${Math.min(WORKERS, files.length)}`,
			...['--json', `--outputFile=${reportFile}`],
			...['--runTestsByPath', ...files],
		],
		{
			cwd: ROOT,
			stdio: ['ignore', 'ignore', 'inherit'],
			// Temporary files are removed with the folder, but screenshots are kept.
			env: { ...process.env, E2E_TARGET: targetFile, E2E_SCREENS: tmpdir(), TMPDIR: folder },
			timeout: MAX_DURATION_MS,
			killSignal: 'SIGKILL',
		},
	);
	const [exitCode, signal] = (await once(jest, 'close')) as [number | null, string | null];
	try {
		return summarize(JSON.parse(readFileSync(reportFile, 'utf8')) as JestReport);
	} catch {
		console.error(`Jest has ended without a report (${signal ?? `exit code ${exitCode}`}).`);
		return { failed: 1 };
	}
}

function summarize({ testResults, numRuntimeErrorTestSuites }: JestReport): Partial<Report> {
	const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
	const passed = tests.filter(({ status }) => status === 'passed').length;
	const failed = tests.filter(({ status }) => status === 'failed').length + numRuntimeErrorTestSuites;
	const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
	return {
		passed,
		failed,
		skipped: skipped.map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' › ')),
	};
}
