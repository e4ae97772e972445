import type { IDataObject, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { Poller } from '../../engine';
import type { SandboxSettings } from '../../sandbox/settings';
import { systemClock, wallClock } from '../../nodes/Prospector/transport/retry/clock';
import { replaceTiming } from '../fastClock';
import { chainNodes, node, startEnvironment } from './support';

export const MINUTE = 60_000;

let triggers = 0;

/** A bench with polling triggers, on which the service and n8n share a clock that tests, and waits, move. */
export async function startTriggerEnvironment(settings: Partial<SandboxSettings> = {}) {
	let ahead = 0;
	const begin = Date.now();
	const clock = () => begin + ahead;
	const realClock = wallClock.now;
	wallClock.now = clock;
	const restore = replaceTiming(systemClock, {
		now: clock,
		async sleep(milliseconds) {
			ahead += Math.max(milliseconds, 0);
			return await Promise.resolve(true);
		},
	});
	const bench = await startEnvironment(settings, { clock });
	const { control } = bench.sandbox;
	return {
		...bench,
		control,
		clock,
		/** Lets time pass. */
		pass: (milliseconds: number) => void (ahead += milliseconds),
		iso: (milliseconds = 0) => new Date(clock() + milliseconds).toISOString(),
		/** A trigger in an n8n workflow of its own. */
		trigger(parameters: IDataObject, staticData?: IDataObject, key = 'full') {
			const type = 'n8n-nodes-prospector.prospectorTrigger';
			const trigger = node('Trigger', type, parameters, {
				credentials: bench.references[key],
				id: 'trigger',
			});
			const executions: INodeExecutionData[][] = [];
			const errors: NodeApiError[] = [];
			const poller = new Poller({
				nodeTypes: bench.nodeTypes,
				credentials: bench.credentials,
				// The process remembers an n8n workflow by its ID.
				workflow: { ...chainNodes(trigger), id: `workflow ${++triggers}`, name: 'Watching' },
				staticData,
				onItems: (items) => void executions.push(items),
				onError: (error) => void errors.push(error as NodeApiError),
			});
			return Object.assign(poller, { executions, errors });
		},
		/** The requests since the last time this was asked. */
		requests() {
			const asked = control.journal().map(({ operation }) => operation);
			control.clearJournal();
			return asked;
		},
		async close() {
			restore();
			wallClock.now = realClock;
			await bench.close();
		},
	};
}

export type TriggerEnvironment = Awaited<ReturnType<typeof startTriggerEnvironment>>;

/** Polls, and returns the items or the exception, from which n8n makes a failed execution. */
export async function outcomeOf(
	poll: Promise<INodeExecutionData[]>,
): Promise<{ items?: INodeExecutionData[]; message?: string; description?: string | null }> {
	try {
		return { items: await poll };
	} catch (thrown) {
		const { message, description } = thrown as NodeApiError;
		return { message, description };
	}
}

export const ids = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);
