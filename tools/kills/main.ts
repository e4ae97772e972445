import { log } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM } from '../../test/e2e/setUp/platforms';
import { withTarget } from '../../test/e2e/setUp/targets';
import { forEachConcurrently } from '../../test/forEachConcurrently';
import { FLAG, parseCount, runCommand, TEXT } from '../shared/command';
import { withKiller } from './killer';
import { COLUMNS, findWorse, nameOf, recordKills, type Kill } from './table';

/** Number of n8ns that run at the same time. */
const WORKERS = 2;

runCommand('kills', { kills: TEXT, record: FLAG }, async ({ kills: count = '50', record }) => {
	const perColumn = parseCount('kills', count);
	return await withTarget(DEFAULT_PLATFORM, async ({ version }) => {
		const kills: Kill[] = [];
		await forEachConcurrently(COLUMNS, WORKERS, async (column) => {
			await withKiller(column, async (kill) => {
				for (let i = 1; i <= perColumn; i++) {
					kills.push({ ...column, fates: await kill() });
					log(`${i} kills (${nameOf(column)})`);
				}
			});
		});
		if (record) recordKills(version, kills);
		const worse = kills.flatMap(findWorse);
		log(worse.length > 0 ? `Worse than in the table: ${worse.join('; ')}` : 'The table is right.');
		return worse.length > 0 ? 1 : 0;
	});
});
