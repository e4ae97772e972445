import { readTarget } from '../../test/e2e/n8n/target';
import { reportLines } from './report';
import { runSoak } from './soak';

test('PostgreSQL contains every result exactly once after outages, restarts and rotated API keys', async () => {
	const report = await runSoak({ minutes: 1.5, seed: 1, target: readTarget(), log: () => {} });
	const { verdict, counts } = report;
	expect(counts).toMatchObject({ n8nKilled: 1, n8nStopped: 1, postgresKilled: 1, keyRotated: 1 });
	expect(verdict.leads).toBeGreaterThan(100);
	expect(verdict.violations.map((line) => [line, ...reportLines(report)])).toEqual([]);
}, 900_000);
