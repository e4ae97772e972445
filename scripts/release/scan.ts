import { ROOT, SetUpError } from '../../test/e2e/setUp/commands';

export interface ScanResult {
	passed: boolean;
	message?: string;
	/** The violations. Undefined if the scan could not look for any. */
	details?: string;
}

/** The module behind the command of n8n's scanner. The command itself exits with 0 even if a scan does not pass. */
interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(folder: string, patterns: string[]): Promise<ScanResult>;
	analyzePackageByName(name: string, version: string): Promise<ScanResult>;
}

// Not a literal: the module has no types.
const SCANNER = `${ROOT}/tools/node_modules/@n8n/scan-community-package/scanner/scanner.mjs`;
const loadScanner = async () => (await import(SCANNER)) as Scanner;

/** Scans the repository as n8n does after the publication. @throws SetUpError with the violations */
export async function scanSources(root: string): Promise<void> {
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await loadScanner();
	requirePassed('The source', await analyzePackage(root, SOURCE_FILE_PATTERNS));
}

/** Scans an unpacked tarball as n8n does after the publication. @throws SetUpError with the violations */
export async function scanPackage(folder: string): Promise<void> {
	const { analyzePackage } = await loadScanner();
	requirePassed('The package', await analyzePackage(folder, ['**/*.js', 'package.json']));
}

/** Waits until npm has a version, and scans it. @throws SetUpError with the violations */
export async function scanPublished(
	name: string,
	version: string,
	sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
	const { analyzePackageByName } = await loadScanner();
	const result = await repeatScan(() => analyzePackageByName(name, version), sleep);
	requirePassed(`${name}@${version}`, result);
}

const MAX_ATTEMPTS = 40;
const DELAY_MS = 15_000;

/**
 * Repeats the scan of a published version until it passes or finds violations: for minutes after the publication, the
 * registry may show neither the version nor its provenance.
 */
export async function repeatScan(
	scan: () => Promise<ScanResult>,
	sleep: (ms: number) => Promise<unknown>,
): Promise<ScanResult> {
	for (let attempt = 1; ; attempt++) {
		const result = await scan();
		if (result.passed || result.details || attempt === MAX_ATTEMPTS) return result;
		await sleep(DELAY_MS);
	}
}

function requirePassed(what: string, { passed, message, details }: ScanResult): void {
	if (!passed)
		throw new SetUpError([`n8n's scan refuses ${what}: ${message}`, details].filter(Boolean).join('\n'));
	console.log(`${what} passed n8n's scan.`); // eslint-disable-line no-console -- not published
}
