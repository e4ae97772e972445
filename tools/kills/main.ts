/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parse } from '../../test/e2e/options';
import { log, runMain, UsageError } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM } from '../../test/e2e/setUp/platforms';
import { withTarget } from '../../test/e2e/setUp/targets';
import { startKiller } from './killer';
import { COLUMNS, findWorse, nameOf, recordKills, type Column, type Kill } from './table';

const USAGE = `npm run kills [-- OPTIONS]

Kills n8n with SIGKILL at each point of a poll, counts the items in PostgreSQL, and compares the table in docs/n8n-behaviour.md.

  --kills N    with each scheduler, with durable cursors on and off (default 50)
  --file FILE  add each kill to this file, and continue with what it contains
  --record     write the table and docs/kills.json
  --help       this text`;

/** Number of n8ns that run at the same time. */
const WORKERS = 2;

const readKills = (file: string): Kill[] =>
	existsSync(file)
		? (JSON.parse(`[${readFileSync(file, 'utf8').trim().split('\n').join(',')}]`) as Kill[])
		: [];

/** `npm run kills`, after scripts/run.mjs has installed the dependencies. */
async function main(): Promise<number> {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	const options = { kills: text, file: text, record: flag, help: flag };
	const { kills: number = '50', file, record, help } = parse({ args: process.argv.slice(2), options }).values;
	if (!/^[1-9]\d*$/.test(number)) throw new UsageError('--kills takes a number.');
	if (help) {
		log(USAGE);
		return 0;
	}
	const kills = file === undefined ? [] : readKills(file);
	return await withTarget(DEFAULT_PLATFORM, async ({ version }) => {
		const measure = async (column: Column) => {
			const isDone = () => kills.filter((kill) => nameOf(kill) === nameOf(column)).length >= Number(number);
			if (isDone()) return;
			const killer = await startKiller(column);
			try {
				while (!isDone()) {
					const kill = { ...column, fates: await killer.kill() };
					kills.push(kill);
					if (file !== undefined) appendFileSync(file, `${JSON.stringify(kill)}\n`);
					log(`${kills.length} kills (${nameOf(column)})`);
				}
			} finally {
				await killer.close();
			}
		};
		const left = [...COLUMNS];
		const work = async () => {
			for (let column = left.pop(); column; column = left.pop()) await measure(column);
		};
		await Promise.all(Array.from({ length: WORKERS }, work));
		if (record) recordKills(version, kills);
		const worse = kills.flatMap(findWorse);
		log(worse.length > 0 ? `Worse than in the table: ${worse.join('; ')}` : 'The table is right.');
		return worse.length > 0 ? 1 : 0;
	});
}

runMain(main, USAGE);
