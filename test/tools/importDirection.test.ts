import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const NODES = 'nodes/Prospector';
const CRUISER = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const CONFIG = resolve('.dependency-cruiser.cjs');

interface Violation {
	rule: { name: string };
	from: string;
}

/** Writes files that import each other, and returns the rules that the imports break, by the importing file. */
function findViolations(imports: string[][]): Map<string, string[]> {
	const folder = mkdtempSync(join(tmpdir(), 'prospector-imports-'));
	try {
		writeFileSync(join(folder, 'tsconfig.json'), '{}');
		const texts = new Map<string, string>();
		for (const [from, to] of imports) {
			const path = `${'../'.repeat(from.split('/').length - 1)}${to}`;
			texts.set(to, texts.get(to) ?? '');
			texts.set(from, `${texts.get(from) ?? ''}import type {} from '${path}';\n`);
		}
		for (const [file, text] of texts) {
			const path = join(folder, `${file}.ts`);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, `${text}export {};\n`);
		}
		const { stdout } = spawnSync(
			process.execPath,
			[CRUISER, '--config', CONFIG, '--output-type', 'json', 'nodes', 'sandbox'],
			{ cwd: folder, encoding: 'utf8' },
		);
		const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
		const rules = new Map<string, string[]>();
		for (const { rule, from } of summary.violations) {
			const file = from.replace(/\.ts$/, '');
			rules.set(file, [...(rules.get(file) ?? []), rule.name]);
		}
		return rules;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** From the node to the foundation: each imports the next. */
const ALLOWED = [
	'Prospector.node',
	'actions/run/get.operation',
	'parameters/parse',
	'messages/format',
	'transport/request/client',
	'transport/retry/withRetries',
	'transport/rateLimiterRegistry',
	'transport/rate/rateLimiter',
	'transport/retry/clock',
	'model/resource',
	'utils',
].map((file) => `${NODES}/${file}`);

/** The rule that each import breaks. No file imports twice. */
const FORBIDDEN = [
	['import-direction', 'actions/router', 'ProspectorTrigger.node'],
	['import-direction', 'trigger/poll', 'actions/operation'],
	['import-direction', 'methods/listSearch', 'trigger/pollTrigger'],
	['import-direction', 'parameters/waitOptions', 'actions/operation'],
	['import-direction', 'messages/render', 'parameters/getManyOptions'],
	['import-direction', 'transport/request/pagination', 'messages/nodeErrors'],
	['import-direction', 'model/runStatus', 'transport/request/response'],
	['transport-direction', 'transport/failure/failure', 'transport/request/pagination'],
	['transport-direction', 'transport/rate/rateLimitHeaders', 'transport/retry/retryPolicy'],
	['resources-are-independent', 'actions/workflow/run.operation', 'actions/run/waitForRun'],
	['every-file-has-a-layer', 'actions/resources', 'helpers/text'],
	['no-cycles', 'trigger/state/pollLocks', 'trigger/state/outage'],
	['sandbox-is-independent', '../../sandbox/operations', 'model/resourceId'],
].map(([rule, from, to]) => [rule, join(NODES, from), join(NODES, to)]);

/** Closes the cycle. dependency-cruiser reports a cycle once, at one of its files. */
const BACK = [`${NODES}/trigger/state/outage`, `${NODES}/trigger/state/pollLocks`];

describe('the import rules', () => {
	let violations: Map<string, string[]>;
	beforeAll(() => {
		const allowed = ALLOWED.slice(1).map((to, index) => [ALLOWED[index], to]);
		violations = findViolations([...allowed, BACK, ...FORBIDDEN.map(([, from, to]) => [from, to])]);
	});

	test('accept imports from the node to the foundation', () => {
		expect(ALLOWED.filter((file) => violations.has(file))).toEqual([]);
	});

	test.each(FORBIDDEN)('report %s when %s imports %s', (rule, from) => {
		const files = rule === 'no-cycles' ? [from, BACK[0]] : [from];
		const rules = files.flatMap((file) => violations.get(file) ?? []);
		expect([...new Set(rules)]).toEqual([rule]);
	});
});
