import type { IDataObject, IHttpRequestOptions, INodeType, IPollFunctions, NodeApiError } from 'n8n-workflow';
import type { Dependencies } from '../../nodes/Prospector/transport/dependencies';
import type { Clock } from '../../nodes/Prospector/transport/clock';
import type { TriggerState } from '../../nodes/Prospector/trigger/state';
import { ProspectorTrigger, RateLimiterRegistry, Turns } from '../built';
import { fromDist } from '../fromDist';
import { CREDENTIAL_DATA, NODE } from '../unit/helpers/support';

const { parseState } = fromDist<typeof import('../../nodes/Prospector/trigger/state')>(
	'nodes/Prospector/trigger/state.js',
);

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Time that passes only when the package sleeps, or when a history moves it. */
export class VirtualTime {
	/** Milliseconds since the epoch, on the service's clock. */
	nowMs = Date.parse('2026-01-01T00:00:00Z');
	/** Milliseconds by which n8n's clock is ahead of the service's. */
	n8nAheadMs = 0;

	readonly clock: Clock = {
		// Far from n8n's clock, so that a mistake of one for the other shows, but as precise as `nowMs`.
		now: () => this.nowMs - 3650 * DAY_MS,
		sleep: async (ms) => {
			this.advance(Math.max(ms, 0));
			return await Promise.resolve(true);
		},
	};

	/** Tests may change it before the first poll. */
	readonly dependencies: Dependencies = {
		clock: this.clock,
		wallClock: { now: () => this.nowMs + this.n8nAheadMs },
		random: () => 0.5,
		rateLimiters: new RateLimiterRegistry(this.clock),
		turns: new Turns({ now: () => 0 }),
	};

	advance = (ms: number): void => void (this.nowMs += ms);
}

/**
 * How n8n calls a trigger, and when it saves the static data. `classic`: at activation, and with items. `durable`: new
 * static data for every poll, saved with items; a poll has 36 s. `durableCursors`: also saved without items, except
 * after the first poll.
 */
export type Scheduler = 'classic' | 'durable' | 'durableCursors';

/** What a poll did. */
export interface PollRecord {
	startedAtMs: number;
	requests: number;
	maxRequests: number;
	/** Number of requests with a cursor that failed with a status that restarts the list. */
	rejectedCursors: number;
	/** Bytes of the static data, as n8n stores it. */
	stateBytes: number;
	/** The trigger's part of them. */
	stateText?: string;
	/** What the poll threw. */
	failure?: unknown;
	/** Failed executions that the poll emitted. */
	errors: NodeApiError[];
}

/** Sends a request of a poll to the service. @throws what n8n's HTTP helper throws */
export type Send = (options: IHttpRequestOptions, poll: PollRecord) => Promise<unknown>;

/** A trigger as n8n runs it. */
export class ActiveTrigger {
	/** Everything that was emitted, with the index of its poll. */
	readonly emitted: Array<{ json: IDataObject; poll: number }> = [];
	readonly polls: PollRecord[] = [];
	readonly log: string[] = [];
	/** What the last poll has stored. Only one is kept, because a state can have 20,000 runs. */
	lastState?: TriggerState;
	activations = 0;
	/** Static data in n8n's database. */
	saved = '{}';
	/** In n8n's database. A trigger of another n8n workflow may have the same node ID. */
	workflowId = 'workflow-1';
	nodeId = NODE.id;
	credential = CREDENTIAL_DATA;
	/** Time that n8n tells the trigger to have for a poll; undefined if it tells none. */
	pollBudgetMs?: number;
	/** The node of n8n's process, which all triggers share. */
	private node?: INodeType;
	private isActivated = false;
	private memory: IDataObject = {};

	/** @param parameters the node's; the caller may change them between two polls */
	constructor(
		private readonly time: VirtualTime,
		private readonly send: Send,
		readonly parameters: IDataObject & { options: { maxRequests: number } },
		private readonly scheduler: Scheduler = 'classic',
	) {
		if (scheduler !== 'classic') this.pollBudgetMs = 36_000;
	}

	/** The IDs of everything that was emitted. */
	get ids(): string[] {
		return this.emitted.map(({ json }) => String(json.id));
	}

	/** Failed executions that polls threw or emitted as errors. */
	get failedExecutions(): NodeApiError[] {
		return this.polls.flatMap(({ errors, failure }) =>
			failure === undefined ? errors : [...errors, failure as NodeApiError],
		);
	}

	/** Activates the n8n workflow, as after a restart of n8n too. @throws what the poll throws */
	async activate(): Promise<this> {
		this.activations++;
		if (this.scheduler === 'classic') {
			const memory = this.load();
			await this.poll(memory);
			this.memory = memory;
			this.saved = JSON.stringify(memory);
		} else await this.tick();
		return this;
	}

	/** Polls once. @throws what the poll throws */
	async tick(): Promise<void> {
		if (this.scheduler === 'classic') return await this.poll(this.memory);
		const memory = this.load();
		await this.poll(memory);
		if (this.scheduler === 'durableCursors' && this.isActivated) this.saved = JSON.stringify(memory);
		this.isActivated = true;
	}

	/** A poll that n8n abandons: nothing of it is saved or emitted. @throws what the poll throws */
	async abandon(): Promise<void> {
		const { saved, emitted } = this;
		const count = emitted.length;
		try {
			await this.poll(this.load());
		} finally {
			emitted.length = count;
			this.saved = saved;
		}
	}

	/** A poll that n8n abandons before it ends. */
	startAbandoned(): void {
		this.poll(this.load()).catch(() => {});
	}

	/** n8n starts a poll a second time while the first one is still running. @throws what the polls throw */
	async repeat(): Promise<void> {
		await Promise.all([this.poll(this.load()), this.poll(this.load())]);
	}

	/** n8n's process ends: what was not saved is lost. */
	crash(): void {
		this.node = undefined;
	}

	/** Moves the trigger to the n8n process of another one. */
	join(other: ActiveTrigger): void {
		this.node = other.node ??= new ProspectorTrigger(this.time.dependencies);
	}

	private load = () => JSON.parse(this.saved) as IDataObject;

	private async poll(memory: IDataObject): Promise<void> {
		const { pollBudgetMs, parameters } = this;
		const addLine = (line: string) => void this.log.push(line);
		const { maxRequests } = parameters.options;
		const record: PollRecord = {
			startedAtMs: this.time.nowMs,
			...{ requests: 0, maxRequests, rejectedCursors: 0, stateBytes: 0, errors: [] },
		};
		const index = this.polls.push(record) - 1;
		const context = {
			getNode: () => ({ ...NODE, id: this.nodeId, parameters }),
			getMode: () => 'trigger',
			getWorkflow: () => ({ id: this.workflowId, name: 'workflow' }),
			getWorkflowStaticData: () => memory,
			...(pollBudgetMs !== undefined && { getPollBudgetMs: () => pollBudgetMs }),
			__emitError: (error: NodeApiError) => void record.errors.push(error),
			getCredentials: async () => await Promise.resolve(this.credential),
			getNodeParameter: (name: string, fallback: unknown) =>
				new Map(Object.entries(parameters)).get(name) ?? fallback,
			logger: { info: addLine, warn: addLine },
			helpers: {
				httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) => {
					record.requests++;
					return await this.send(options, record);
				},
			},
		} as unknown as IPollFunctions;
		this.node ??= new ProspectorTrigger(this.time.dependencies);
		try {
			const output = await this.node.poll!.call(context);
			const items = (output?.[0] ?? []).map(({ json }) => json);
			if (output !== null && items.length === 0)
				throw new Error('n8n would start an execution without items');
			if (items.length === 0) return;
			this.saved = JSON.stringify(memory);
			for (const json of items) this.emitted.push({ json, poll: index });
		} catch (failure) {
			record.failure = failure;
			throw failure; // eslint-disable-line @n8n/community-nodes/require-node-api-error -- not published
		} finally {
			record.stateBytes = Buffer.byteLength(JSON.stringify(memory));
			record.stateText = memory.prospectorTrigger as string | undefined;
			const state = await parseState(record.stateText, this.time.dependencies.turns);
			if (this.polls.at(-1) === record) this.lastState = state;
		}
	}
}
