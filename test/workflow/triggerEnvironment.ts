import type { IDataObject } from 'n8n-workflow';
import { Poller } from '../../scripts/engine';
import type { SandboxSettings } from '../../sandbox/settings';
import type { Clock } from '../../nodes/Prospector/transport/clock';
import { chainNodes, node } from '../nodes';
import { PROSPECTOR_TRIGGER, startEnvironment } from './environment';

export const MINUTE = 60_000;

let triggers = 0;

/** An environment with polling triggers. The service and n8n share a clock that only tests and delays advance. */
export async function startTriggerEnvironment(settings: Partial<SandboxSettings> = {}) {
	let nowMs = Date.now();
	const now = () => nowMs;
	const clock: Clock = {
		now,
		async sleep(milliseconds) {
			nowMs += Math.max(milliseconds, 0);
			return await Promise.resolve(true);
		},
	};
	const environment = await startEnvironment(settings, { clock, time: now });
	const { control } = environment;
	return {
		...environment,
		now,
		advance: (milliseconds: number) => void (nowMs += milliseconds),
		/** A trigger in an n8n workflow of its own. */
		trigger(parameters: IDataObject, staticData?: IDataObject) {
			const trigger = node('Trigger', PROSPECTOR_TRIGGER, parameters, {
				credentials: environment.references.full,
				id: 'trigger',
			});
			return new Poller({
				nodeTypes: environment.nodeTypes,
				credentials: environment.credentials,
				// The trigger keeps pending items per n8n workflow ID.
				workflow: { ...chainNodes(trigger), id: `workflow ${++triggers}`, name: 'Watching' },
				staticData,
			});
		},
		/** Returns the operations that the service was asked for since the last call. */
		takeOperations() {
			const operations = environment.operations();
			control.clearJournal();
			return operations;
		},
	};
}

export type TriggerEnvironment = Awaited<ReturnType<typeof startTriggerEnvironment>>;
