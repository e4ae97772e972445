import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeType,
	IPollFunctions,
	NodeApiError,
} from 'n8n-workflow';
import { built } from '../../../built';
import type { Dependencies } from '../../../../nodes/Prospector/transport/dependencies';
import type { Clock } from '../../../../nodes/Prospector/transport/retry/clock';
import { CREDENTIAL_DATA, NODE } from '../support';
import type { Service } from './service';

const { ProspectorTrigger } = built<typeof import('../../../../nodes/Prospector/ProspectorTrigger.node')>(
	'nodes/Prospector/ProspectorTrigger.node.js',
);
const { RateLimiterRegistry } = built<
	typeof import('../../../../nodes/Prospector/transport/rateLimiterRegistry')
>('nodes/Prospector/transport/rateLimiterRegistry.js');

/** Creates the node. A test of the tests replaces it. */
export const triggerNode = {
	create: (dependencies: Dependencies): Pick<INodeType, 'poll'> => new ProspectorTrigger(dependencies),
};

/** Time that passes only when the package sleeps, or when a test moves it. */
export class VirtualTime {
	/** Milliseconds since the epoch, on the service's clock. */
	now = Date.parse('2026-01-01T00:00:00Z');
	/** Milliseconds by which n8n's clock is ahead of the service's. */
	n8nAhead = 0;

	readonly clock: Clock = {
		now: () => this.now,
		sleep: async (milliseconds) => {
			this.now += Math.max(milliseconds, 0);
			return await Promise.resolve(true);
		},
	};

	readonly dependencies: Dependencies = {
		clock: this.clock,
		wallClock: { now: () => this.now + this.n8nAhead },
		random: () => 0.5,
		limiters: new RateLimiterRegistry(this.clock),
	};
}

/**
 * How n8n calls a trigger, and when it saves the static data. `classic`: at activation, and with items. `durable`: new
 * static data for every poll, saved with items; a poll has 36 s. `durableCursors`: also saved without items, except
 * after the first poll.
 */
export type Scheduler = 'classic' | 'durable' | 'durableCursors';

/** The cost and the outcome of a poll. */
export interface PollFigures {
	requests: number;
	maxRequests: number;
	stateBytes: number;
	/** The exception that it threw. */
	failure?: unknown;
}

let processes = 0;

/** A trigger as n8n runs it. */
export class ActiveTrigger {
	/** Everything that was emitted. */
	readonly emitted: IDataObject[] = [];
	/** Failed executions that were emitted as errors. */
	readonly emittedErrors: NodeApiError[] = [];
	readonly log: string[] = [];
	/** How often n8n's process has ended. */
	kills = 0;
	/** Called after each poll. */
	onPoll: (poll: PollFigures) => void = () => {};
	/** Static data in n8n's database. */
	saved = '{}';
	credential: ICredentialDataDecryptedObject = CREDENTIAL_DATA;
	/** Time that n8n gives a poll; milliseconds. */
	budgetMs: number | undefined;
	private process = ++processes;
	private isActivated = false;
	private memory: IDataObject = {};

	constructor(
		private readonly time: VirtualTime,
		private readonly service: Service,
		private readonly parameters: IDataObject,
		readonly scheduler: Scheduler = 'classic',
	) {
		if (scheduler !== 'classic') this.budgetMs = 36_000;
	}

	/** Activates the n8n workflow, as after a restart of n8n too. @throws what the poll throws */
	activate = async (): Promise<IDataObject[]> => {
		if (this.scheduler !== 'classic') return await this.tick();
		const memory = this.load();
		const items = await this.poll('trigger', memory);
		this.memory = memory;
		this.saved = JSON.stringify(memory);
		return items;
	};

	/** One attempt of an activation, as n8n repeats it with the same static data. @throws what the poll throws */
	retryActivation = async (memory: IDataObject) => await this.poll('trigger', memory);

	/** @throws what the poll throws */
	tick = async (): Promise<IDataObject[]> => {
		if (this.scheduler === 'classic') return await this.poll('trigger', this.memory);
		const memory = this.load();
		const items = await this.poll('trigger', memory);
		const isSaved = this.scheduler === 'durableCursors' && this.isActivated;
		if (isSaved) this.saved = JSON.stringify(memory);
		this.isActivated = true;
		return items;
	};

	/** A poll that n8n abandons: nothing of it is saved or emitted. */
	abandon = async (): Promise<void> => {
		const { saved, emitted } = this;
		const count = emitted.length;
		await this.poll('trigger', this.load());
		emitted.length = count;
		this.saved = saved;
	};

	/** n8n starts a poll a second time while the first one is still running. */
	repeat = async (): Promise<void> => {
		await Promise.all([this.poll('trigger', this.load()), this.poll('trigger', this.load())]);
	};

	/** n8n's process ends: what was not saved is lost. */
	die(): void {
		this.kills++;
		this.process = ++processes;
	}

	test = async () => await this.poll('manual', this.memory);

	private load = () => JSON.parse(this.saved) as IDataObject;

	private async poll(mode: string, memory: IDataObject): Promise<IDataObject[]> {
		const note = (line: string) => void this.log.push(line);
		const { budgetMs } = this;
		const { maxRequests = 30 } = (this.parameters.options ?? {}) as { maxRequests?: number };
		let requests = 0;
		const context = {
			getNode: () => NODE,
			getMode: () => mode,
			getWorkflow: () => ({ id: `workflow of process ${this.process}`, name: 'workflow' }),
			getWorkflowStaticData: () => memory,
			...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
			__emitError: (error: NodeApiError) => void this.emittedErrors.push(error),
			getCredentials: async () => this.credential,
			getNodeParameter: (name: string, fallback: unknown) => this.parameters[name] ?? fallback,
			logger: { info: note, warn: note },
			helpers: {
				httpRequestWithAuthentication: async (_: string, options: never) => {
					requests++;
					return await this.service.answer(options);
				},
			},
		} as unknown as IPollFunctions;
		let failure: unknown;
		const output = await triggerNode
			.create(this.time.dependencies)
			.poll!.call(context)
			.catch((thrown: unknown) => {
				failure = thrown;
				throw thrown;
			})
			.finally(() => {
				const stateBytes = Buffer.byteLength(JSON.stringify(memory));
				this.onPoll({ requests, maxRequests, stateBytes, failure });
			});
		const items = (output?.[0] ?? []).map(({ json }) => json);
		if (items.length > 0 && mode === 'trigger') {
			this.saved = JSON.stringify(memory);
			this.emitted.push(...items);
		}
		return items;
	}
}
