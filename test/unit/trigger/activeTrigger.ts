import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { rateLimiters } from '../../../nodes/Prospector/transport/rate/rateLimiters';
import { systemClock } from '../../../nodes/Prospector/transport/retry/clock';
import { wallClock } from '../../../nodes/Prospector/trigger/wallClock';
import { CREDENTIAL_DATA, NODE } from '../support';
import type { Service } from './service';

/** Time that passes only when somebody waits, or lets it pass. */
export function virtualTime() {
	const real = { now: systemClock.now, sleep: systemClock.sleep, wall: wallClock.now };
	const time = {
		now: Date.parse('2026-01-01T00:00:00Z'),
		restore() {
			Object.assign(systemClock, { now: real.now, sleep: real.sleep });
			wallClock.now = real.wall;
			rateLimiters.clear();
		},
	};
	rateLimiters.clear();
	systemClock.now = () => time.now;
	systemClock.sleep = async (milliseconds) => {
		time.now += Math.max(milliseconds, 0);
		return await Promise.resolve(true);
	};
	wallClock.now = () => time.now;
	return time;
}

let instances = 0;

/** A trigger as n8n keeps it: what it remembers is saved when it is activated, and when it puts something out. */
export class ActiveTrigger {
	/** Everything that was put out. */
	readonly emitted: IDataObject[] = [];
	readonly log: string[] = [];
	/** The text that the database holds. */
	saved = '{}';
	private readonly workflow = `workflow ${++instances}`;
	private memory: IDataObject = {};

	constructor(
		private readonly service: Service,
		private readonly parameters: IDataObject,
	) {}

	/** Begins from what is saved, as after a restart. @throws what the poll throws */
	activate = async (): Promise<IDataObject[]> => {
		const memory = JSON.parse(this.saved) as IDataObject;
		const items = await this.poll('trigger', memory);
		this.memory = memory;
		this.saved = JSON.stringify(memory);
		return items;
	};

	/** One try of an activation, as n8n repeats it with the same memory. @throws what the poll throws */
	begin = async (memory: IDataObject) => await this.poll('trigger', memory);

	/** @throws what the poll throws */
	tick = async () => await this.poll('trigger', this.memory);
	test = async () => await this.poll('manual', this.memory);

	private async poll(mode: string, memory: IDataObject): Promise<IDataObject[]> {
		const note = (line: string) => void this.log.push(line);
		const context = {
			getNode: () => NODE,
			getMode: () => mode,
			getWorkflow: () => ({ id: this.workflow, name: this.workflow }),
			getWorkflowStaticData: () => memory,
			getCredentials: async () => CREDENTIAL_DATA,
			getNodeParameter: (name: string, otherwise: unknown) =>
				name.split('.').reduce<unknown>((value, part) => (value as IDataObject)?.[part], this.parameters) ??
				otherwise,
			logger: { info: note, warn: note },
			helpers: {
				httpRequestWithAuthentication: async (_: string, options: never) =>
					await this.service.answer(options),
			},
		} as unknown as IPollFunctions;
		const output = await new ProspectorTrigger().poll.call(context);
		const items = (output?.[0] ?? []).map(({ json }) => json);
		if (items.length > 0 && mode === 'trigger') {
			this.saved = JSON.stringify(memory);
			this.emitted.push(...items);
		}
		return items;
	}
}
