import type { Action } from '../outside/databaseProxy';

/** What n8n writes after a poll has found items. Without durable cursors, it does not wait for the state. */
type Write = 'state' | 'execution' | 'item';

/** What has happened to the items of a poll. */
export type Event = `${Write} ${'held' | 'saved'}` | 'request held' | 'execution ended';

/** A moment at which n8n is killed. */
interface Point {
	/** Also the name of the n8n workflow that gets as far as this point. */
	name: string;
	/** Completes "n8n is killed". */
	title: string;
	/** What happens before the kill. */
	events: Event[];
	/** What the database proxy does with writes. n8n continues when it receives an answer. */
	actions: Partial<Record<Write, Action>>;
}

const point = (name: string, title: string, events: Event[], actions: Point['actions'] = {}): Point => ({
	...{ name, title, events, actions },
});

/** The point of n8n workflows that are activated for one kill. */
export const FIRST = 'first';

/** In the order in which n8n passes them. */
export const POINTS = [
	point(FIRST, 'in the first scheduled poll', ['request held']),
	point('reading', 'while the trigger reads', ['request held']),
	point('nothingSaved', 'before it saves anything', ['state held'], { state: 'hold', execution: 'hold' }),
	point('stateSaved', 'with only the state saved', ['state saved', 'execution held'], {
		execution: 'hold',
	}),
	point('executionSaved', 'with only the execution saved', ['state held', 'execution saved'], {
		...{ state: 'hold', execution: 'withhold' },
	}),
	point('bothSaved', 'with both saved', ['state saved', 'execution saved'], { execution: 'withhold' }),
	point('nextNode', 'while the next node works', ['item held'], { item: 'hold' }),
	point('nextNodeDone', 'after the next node', ['item saved'], { item: 'withhold' }),
	point('finished', 'after the execution', ['execution ended']),
];

/** The table to which the n8n workflows add their items. */
export const ITEMS = 'items';

const STATE = /UPDATE "public"\."(?:workflow_entity" SET "staticData"|poller_state" SET "cursor")/;
const EXECUTION = 'INSERT INTO "public"."execution_entity"';
/** A simple query. Other requests can have the text as a parameter. */
const ITEM = new RegExp(`^Q[^]{4}INSERT INTO ${ITEMS} `);

/** @param transaction all requests of the open transaction */
export function findWrite(sql: string, transaction: string): Write | undefined {
	if (STATE.test(sql)) return 'state';
	if (sql.includes('COMMIT') && transaction.includes(EXECUTION)) return 'execution';
	return ITEM.test(sql) ? 'item' : undefined;
}
