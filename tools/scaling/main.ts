import { log, UsageError } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM } from '../../test/e2e/setUp/platforms';
import { withTarget } from '../../test/e2e/setUp/targets';
import { FLAG, runCommand, TEXT } from '../shared/command';
import { readRecord, writeRecord } from '../shared/docs';
import { measure, type Configuration, type Figures } from './measure';
import { measureWaiting } from './waiting';

/** Eight API keys have eight times the limit, and get eight times the items. */
const CONFIGURATIONS: Configuration[] = [
	...[1, 8].flatMap((keys) =>
		[1, 2, 4, 8].map((workers) => ({ workers, keys, executions: keys === 1 ? 60 : 24, concurrency: 2 })),
	),
	{ workers: 8, keys: 1, executions: 60, concurrency: 5 },
];

const nameOf = ({ workers, keys, concurrency }: Configuration) => `${workers}/${keys}/${concurrency}`;

/** Changes docs/scaling.json. */
function recordFigures(change: (recorded: { queueMode: Configuration[] }) => object): void {
	const recorded = readRecord<{ queueMode: Configuration[] }>('scaling.json');
	writeRecord('scaling.json', { ...recorded, ...change(recorded) });
}

async function measureConfiguration(configuration: Configuration, record: boolean): Promise<void> {
	const figures: Figures = await measure(configuration);
	log(JSON.stringify(figures));
	if (!record) return;
	recordFigures(({ queueMode }) => ({
		queueMode: [...queueMode.filter((each) => nameOf(each) !== nameOf(figures)), figures],
	}));
}

runCommand('scaling', { only: TEXT, waiting: FLAG, record: FLAG }, async ({ only, waiting, record }) => {
	const configurations = CONFIGURATIONS.filter(
		(each) => only === undefined || `${nameOf(each)}/`.startsWith(`${only}/`),
	);
	if (configurations.length === 0) throw new UsageError(`There is no configuration '${only}'.`);
	return await withTarget(DEFAULT_PLATFORM, async () => {
		if (waiting) {
			const figures = await measureWaiting();
			log(JSON.stringify(figures));
			if (record) recordFigures(() => ({ waiting: figures }));
		} else {
			for (const configuration of configurations) await measureConfiguration(configuration, record);
		}
		return 0;
	});
});
