import { join } from 'node:path'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { JournalEntry } from '../../../sandbox/types';
import { closeAfterAll } from '../closeAfterAll';
import { useEnvironment } from '../environment';
import { Executions } from '../n8n/executions';
import { startN8n, type N8n } from '../n8n/instance';
import { eventually } from '../../eventually';
import { readTarget } from '../n8n/target';
import type { Saved } from '../n8n/workflows';
import { readEmitted } from './history';
import { createTrigger, NEXT_POLL_TIMEOUT_MS, nextPoll, pollsOf, pollTimes } from './polling';

/** Delays each response, so that polls that start at the same time overlap. */
const RESPONSE_DELAY_MS = 200;

const isDurable = readTarget().scheduler === 'durable';

/** The interval is longer than the five seconds by which the durable scheduler can start a poll late. */
const ONE_SCHEDULE = pollTimes(isDurable ? 15 : 5);

/** Starts two polls at the same time. n8n ignores a schedule with the same text. */
const TWO_SCHEDULES = {
	item: ONE_SCHEDULE.item.flatMap(({ mode, cronExpression }) => [
		{ mode, cronExpression },
		{ mode, cronExpression: cronExpression.replace('*', '*/1') },
	]),
};

const SCHEDULES = {
	oneSchedule: ONE_SCHEDULE,
	twoSchedules: TWO_SCHEDULES,
	activatedTwice: ONE_SCHEDULE,
};
type Name = keyof typeof SCHEDULES;
const NAMES = Object.keys(SCHEDULES) as Name[];

/** Whether a request is the first one of a poll. */
const isListOfWorkflows = ({ operation }: JournalEntry) => operation === 'listWorkflows';

/** How often a trigger must, and may, emit a run. */
interface Expected {
	name: Name;
	run: string;
	least: number;
	most: number;
}

describe('Concurrent polls of one trigger', () => {
	const e2e = useEnvironment({ ownN8n: {} });
	const closeLater = closeAfterAll();
	let second: N8n | undefined;
	let watched: string;
	const triggers: Array<{ name: Name; saved: Saved }> = [];
	/** Of all runs that were started so far. */
	const allExpected: Expected[] = [];

	async function countEmissions() {
		const executions = second ? new Executions(second.rest) : e2e.executions;
		const counts = [];
		for (const { name, saved } of triggers) {
			const ids = await readEmitted({ ...e2e, executions }, 'newRun', saved.id);
			for (const expected of allExpected.filter((each) => each.name === name))
				counts.push({ ...expected, count: ids.filter((id) => id === expected.run).length });
		}
		return counts;
	}

	/** Starts runs, and expects that each trigger emits these and all earlier runs as often as it should. */
	async function expectEmissions(limitsOf: (name: Name) => [least: number, most: number]): Promise<void> {
		const { runs } = e2e.control.seed({ runs: [{ workflowId: watched }, { workflowId: watched }] });
		for (const name of NAMES) {
			const [least, most] = limitsOf(name);
			allExpected.push(...runs.map((run) => ({ name, run, least, most })));
		}
		await eventually(
			'the runs to be emitted',
			async () => (await countEmissions()).every(({ count, least }) => count >= least),
			NEXT_POLL_TIMEOUT_MS,
		).catch(() => {});
		await nextPoll(e2e.sandbox, ...NAMES);
		const counts = await countEmissions();
		expect(counts.filter(({ count, least, most }) => count < least || count > most)).toEqual([]);
	}

	beforeAll(async () => {
		[watched] = e2e.control.seed({ workflows: [{ runs: 2 }] }).workflows;
		e2e.control.addFault({ kind: 'slow', delayMs: RESPONSE_DELAY_MS, times: 0 });
		for (const [name, schedule] of Object.entries(SCHEDULES) as Array<[Name, typeof ONE_SCHEDULE]>) {
			const parameters = { event: 'newRun', watch: 'all', pollTimes: schedule };
			const saved = await createTrigger(e2e, e2e.sandbox, name, parameters);
			const activations = name === 'activatedTwice' ? [saved, saved] : [saved];
			await Promise.all(activations.map(async (each) => await e2e.workflows.activate(each)));
			triggers.push({ name, saved });
		}
		// A run that starts before the first poll is not new.
		await nextPoll(e2e.sandbox, ...NAMES);
	});

	test('one n8n process emits each run once if a trigger has two schedules or is activated twice', async () => {
		for (const { saved } of triggers) await e2e.workflows.activate(saved);
		await expectEmissions(() => [1, 1]);
	});

	const perRun = isDurable ? 'once, or at most twice if the trigger has two schedules' : 'twice';
	test(`two n8n processes with one database emit each run ${perRun}`, async () => {
		const database = join(e2e.n8n.folder, '.n8n/database.sqlite');
		second = closeLater(await startN8n({ DB_SQLITE_DATABASE: database }));
		const startedAt = new Date().toISOString();
		const isPolledByBoth = (name: Name) =>
			pollsOf(e2e.sandbox, name).some(
				(poll) => poll[0].time > startedAt && poll.filter(isListOfWorkflows).length > 1,
			);
		// A trigger that is activated later would load a state of the first process that knows the runs.
		if (!isDurable) await eventually('polls of both processes', () => NAMES.every(isPolledByBoth));
		// Each process keeps its own state. The durable scheduler keeps it in the database, and assigns each poll to one.
		await expectEmissions((name) => (isDurable ? [1, name === 'twoSchedules' ? 2 : 1] : [2, 2]));
	});

	test('the second n8n process emits each run once when the first n8n process was killed', async () => {
		await e2e.n8n.kill();
		await expectEmissions(() => [1, 1]);
	});
});
