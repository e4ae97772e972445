import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { startEnvironment } from '../../test/e2e/environment';
import { isInProgress } from '../../test/e2e/n8n/executions';
import { DURABLE_SCHEDULER } from '../../test/e2e/n8n/instance';
import { eventually } from '../../test/eventually';
import { startPostgres } from '../../test/e2e/outside/postgresServer';
import { createTrigger, nextPoll, pollTimes, waitForPolls } from '../../test/e2e/trigger/polling';
import { byId } from '../../test/nodes';
import { startDatabaseProxy, type Interception } from '../../test/e2e/outside/databaseProxy';
import { findWrite, FIRST, ITEMS, POINTS, type Event } from '../../test/e2e/trigger/killPoints';
import { withResources } from '../shared/resources';
import { createCredential } from '../../test/e2e/n8n/credentials';
import { insertNode } from '../shared/insertNode';
import type { Column, Fate } from './table';

/** A poll emits all of them or none. */
const ITEMS_PER_KILL = 2;

/** If n8n has not saved the execution before the state in this time, it never does. */
const NO_EXECUTION_MS = 2000;

/** Items that are to come with a poll must exist this long before it. */
const MIN_LEAD_MS = 500;

const NAMES = POINTS.map(({ name }) => name);

/** Per n8n workflow and item: how often the item was added, and the executions that have it. */
const LOOK_UP = `
	SELECT w AS workflow, (SELECT count(*)::int FROM ${ITEMS} WHERE workflow = w AND id = item) AS times,
		array_agg(e.id) FILTER (WHERE status = 'crashed') AS crashed, bool_or(status = 'success') AS "hasEnded"
	FROM unnest($1::text[]) AS item CROSS JOIN unnest($2::text[]) AS w
	LEFT JOIN (execution_entity e JOIN execution_data d ON e.id = d."executionId")
		ON e."workflowId" = w AND d.data LIKE '%' || item || '%'
	GROUP BY w, item ORDER BY w, item`;

interface FoundItem {
	workflow: string;
	times: number;
	crashed: number[] | null;
	hasEnded: boolean | null;
}

/**
 * Starts an n8n that uses PostgreSQL, with an active n8n workflow for each point, and closes it in the end.
 *
 * @param act gets a function that kills n8n while each n8n workflow is at its point
 */
export async function withKiller(
	{ scheduler, durableCursors }: Column,
	act: (kill: () => Promise<Fate[]>) => Promise<void>,
): Promise<void> {
	const isDurable = scheduler === 'durable';
	const pollEveryMs = isDurable ? 10_000 : 5000;
	const triggers: Record<string, { workflowId: string; keyName: string }> = {};
	/** IDs of the run and results that are new when n8n is killed. */
	let newIds: string[] = [];
	const events = new Set<string>();
	const addEvent = (name: string, event: Event) => void events.add(`${name}: ${event}`);

	function intercept(sql: string, transaction: string): Interception {
		const text = transaction || sql;
		const write = newIds.some((id) => text.includes(id)) && findWrite(sql, transaction);
		const point = write && POINTS.find(({ name }) => text.includes(triggers[name].workflowId));
		if (!write || !point) return { action: 'forward' };
		const action = point.actions[write] ?? 'forward';
		if (action === 'hold') addEvent(point.name, `${write} held`);
		return { action, onAnswer: () => addEvent(point.name, `${write} saved`) };
	}

	await withResources(async (open) => {
		const postgres = await open(startPostgres());
		await postgres.query(`CREATE TABLE ${ITEMS} (workflow text, id text)`);
		const proxy = await open(startDatabaseProxy(postgres.credential.port, intercept));
		const e2e = await open(
			startEnvironment({
				ownN8n: {
					...postgres.n8nEnv,
					DB_POSTGRESDB_PORT: String(proxy.port),
					// Each held write occupies a connection.
					DB_POSTGRESDB_POOL_SIZE: '40',
					...Object.fromEntries(Object.keys(DURABLE_SCHEDULER).map((name) => [name, String(isDurable)])),
					N8N_POLLER_DURABLE_CURSORS_ENABLED: String(durableCursors),
				},
			}),
		);
		const { control, n8n, rest, workflows, executions, sandbox } = e2e;
		const data = { ...postgres.credential, port: proxy.port };
		const credentials = await createCredential(rest, 'postgres', 'postgres', data);
		const addItem = insertNode('Add item', ITEMS, ['$workflow.id', '$json.id'], credentials);
		const [watched] = control.seed({ workflows: 1 }).workflows;
		let triggerCount = 0;
		async function addTrigger(name: string): Promise<void> {
			const polls = { pollTimes: pollTimes(pollEveryMs / 1000) };
			const parameters = { event: 'newResult', watch: 'one', workflowId: byId(watched), ...polls };
			const keyName = `${name}-${++triggerCount}`;
			const saved = await createTrigger(e2e, sandbox, keyName, parameters, addItem);
			await workflows.activate(saved);
			triggers[name] = { workflowId: saved.id, keyName };
		}

		const addResults = () => control.seed({ runs: [{ workflowId: watched, results: ITEMS_PER_KILL }] });
		const lookUp = async (items: string[], ids = Object.values(triggers).map((each) => each.workflowId)) =>
			await postgres.query<FoundItem>(LOOK_UP, [items, ids]);

		/** Waits until each trigger has polled twice and every execution has ended. */
		async function settle(): Promise<void> {
			const keyNames = Object.values(triggers).map(({ keyName }) => keyName);
			for (let polls = 0; polls < 2; polls++) await nextPoll(sandbox, ...keyNames);
			await eventually('the executions to end', async () => {
				const rows = await postgres.query<{ status: string }>('SELECT status FROM execution_entity');
				return !rows.some(({ status }) => isInProgress(status));
			});
		}

		/** Activates a trigger, and waits until only the poll at the activation has ended. */
		async function addFirstTrigger(): Promise<void> {
			for (;;) {
				while (Date.now() % pollEveryMs > pollEveryMs / 4) await pause(100);
				const firstPollAt = Math.ceil(Date.now() / pollEveryMs) * pollEveryMs;
				await addTrigger(FIRST);
				// n8n polls during the activation.
				await waitForPolls(sandbox, triggers[FIRST].keyName, 1);
				if (Date.now() < firstPollAt - MIN_LEAD_MS) return;
				await workflows.deactivate({ id: triggers[FIRST].workflowId });
			}
		}

		/** Lets each n8n workflow get as far as its point. */
		async function reachPoints(items: string[]): Promise<void> {
			const savesBothAtOnce = isDurable && durableCursors;
			const missing = () =>
				POINTS.flatMap(({ name, events: wanted }) => wanted.map((event) => `${name}: ${event}`)).filter(
					(event) => !events.has(event) && !(savesBothAtOnce && event === 'executionSaved: execution saved'),
				);
			await eventually('all points', async () => {
				for (const { id: name, fired } of control.faults()) if (fired > 0) addEvent(name, 'request held');
				const found = await lookUp(items, [triggers.finished.workflowId]);
				if (found.some(({ hasEnded }) => hasEnded)) addEvent('finished', 'execution ended');
				return missing().length === 0;
			}).catch((error: Error) => {
				throw new Error(`${error.message} (${missing().join(', ')})`);
			});
			if (savesBothAtOnce) await pause(NO_EXECUTION_MS);
		}

		async function kill(): Promise<Fate[]> {
			await addFirstTrigger();
			const { runs, results } = addResults();
			newIds = [...runs, ...results];
			for (const name of [FIRST, 'reading']) {
				const match = { keyName: triggers[name].keyName, path: runs[0] };
				control.addFault({ id: name, kind: 'hang', times: 0, match });
			}
			await reachPoints(results);
			await n8n.kill();
			newIds = [];
			events.clear();
			control.clearFaults();
			control.clearJournal();
			await n8n.start();
			const names = Object.fromEntries(NAMES.map((name) => [triggers[name].workflowId, name]));
			await settle();
			const found = await lookUp(results, Object.keys(names));
			const crashed = new Set(found.flatMap((item) => item.crashed ?? []));
			for (const executionId of crashed) await executions.retry(String(executionId));
			const afterRetry = await lookUp(results, Object.keys(names));
			await workflows.deactivate({ id: triggers[FIRST].workflowId });
			return found.map((item, index) => ({
				...{ point: names[item.workflow], times: item.times, crashed: item.crashed?.length ?? 0 },
				timesAfterRetry: afterRetry[index].times,
			}));
		}

		for (const name of NAMES) if (name !== FIRST) await addTrigger(name);
		// At the other points, each trigger has emitted items before.
		await settle();
		const { results } = addResults();
		await eventually('the first items', async () =>
			(await lookUp(results)).every(({ times }) => times === 1),
		);
		await act(kill);
	});
}
