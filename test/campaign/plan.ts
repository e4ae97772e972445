import { seededRandom, seededToken, type SeededRandom } from './seededRandom';

const KINDS = ['create', 'run'] as const;
export type Kind = (typeof KINDS)[number];

/** A creation or start that must happen exactly once. */
export interface Operation {
	/** 0, 1, 2 … */
	id: number;
	kind: Kind;
	/** `create`: the unique name of the Prospector workflow to create. `run`: the ID of the one to run. */
	target: string;
}

/** Settings of the Prospector nodes of one n8n workflow. */
export interface NodeSettings {
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Set if Retry On Fail is on. */
	maxTries?: number;
	/** How long a request is retried, and how long the node waits for a run. */
	retryForSeconds?: number;
	/** Whether runs are started with Run and Get Results instead of Run. */
	getResults: boolean;
}

export interface Interruption {
	/** Number of the attempt, from 0. */
	attempt: number;
	/**
	 * `stop`: a user stops the execution; the output of finished nodes is saved. `kill`: the process dies during the
	 * execution, and everything unsaved is lost. `lost`: the process dies after the execution, before saving it.
	 */
	how: 'stop' | 'kill' | 'lost';
	/** Real milliseconds after the start of the first Prospector node. */
	afterMs: number;
}

/** An n8n workflow execution and its retries. */
export interface PlannedExecution {
	/** Unique: `17`, and `17.run` for the execution that repeats the failed starts of 17. */
	name: string;
	/** n8n gives the same token to an execution and its retries. */
	resumeToken: string;
	/** All items through each node, or one item per round of a loop. */
	shape: 'chain' | 'loop';
	/** Operation of each item in the first and, if there is one, in the second Prospector node. One kind per node. */
	first: Operation[];
	second: Operation[];
	/** Idempotency keys that the user sets, by operation ID. */
	keys: Record<number, string>;
	settings: NodeSettings;
	interruptions: Interruption[];
}

export interface Plan {
	executions: PlannedExecution[];
	operations: Operation[];
}

/** IDs of existing Prospector workflows. */
export interface Targets {
	/** Each is run by many operations. */
	shared: readonly string[];
	/** Each is run by one operation: as many as there are operations. */
	single: readonly string[];
}

/** Returns the same plan for the same seed. */
export function planCampaign(seed: number, count: number, { shared, single }: Targets): Plan {
	const operations: Operation[] = [];
	const executions: PlannedExecution[] = [];
	while (operations.length < count) {
		const name = String(executions.length);
		const random = seededRandom(seed, name);
		const left = count - operations.length;
		const nodes = left > 1 && random.chance(0.25) ? 2 : 1;
		const items = Math.min(random.integer(1, 5), Math.floor(left / nodes));
		const common = random.one(shared);
		const execution = planExecution(seed, name, nodes);
		const planNode = () => {
			const kind = random.one(KINDS);
			return Array.from({ length: items }, () => {
				const id = operations.length;
				// If items can fail one by one, unique targets show which operation a request belongs to.
				const workflow = execution.settings.onError === 'stopWorkflow' ? common : single[id];
				const operation = { id, kind, target: kind === 'create' ? `Campaign ${seed}, ${id}` : workflow };
				operations.push(operation);
				return operation;
			});
		};
		execution.first = planNode();
		if (nodes === 2) execution.second = planNode();
		executions.push(withOwnKeys(seed, execution));
	}
	return { executions, operations };
}

/** An operation that failed under Continue. */
export interface FailedItem {
	operation: Operation;
	/** The idempotency key to repeat it with; absent if nothing was done. */
	key: string | undefined;
}

/** Plans the executions in which a user repeats the failed items of an execution: one per kind of operation. */
export const planRepeats = (seed: number, { name }: PlannedExecution, failed: FailedItem[]) =>
	KINDS.flatMap((kind): PlannedExecution[] => {
		const items = failed.filter(({ operation }) => operation.kind === kind);
		if (items.length === 0) return [];
		const first = items.map(({ operation }) => operation);
		const keys = Object.fromEntries(
			items.flatMap(({ operation, key }) => (key === undefined ? [] : [[operation.id, key]])),
		) as Record<number, string>;
		return [withOwnKeys(seed, { ...planExecution(seed, `${name}.${kind}`, 1), first, keys })];
	});

/**
 * Under Continue, the message of a failed item has the key to repeat it with only if this attempt may have done it. A
 * user who lets n8n repeat such executions sets keys, and so does one who continues with runs that were started.
 */
function withOwnKeys(seed: number, execution: PlannedExecution): PlannedExecution {
	const { settings, interruptions, first, second, keys } = execution;
	const { onError, maxTries, getResults } = settings;
	const isRepeated = maxTries !== undefined || interruptions.length > 0;
	if (onError === 'stopWorkflow' || !(isRepeated || getResults)) return execution;
	const ownKeys = [...first, ...second].map(({ id }) => [id, `campaign-${seed}-${id}`]);
	return { ...execution, keys: { ...Object.fromEntries(ownKeys), ...keys } };
}

/** Plans an execution without its operations. */
function planExecution(seed: number, name: string, nodes: number): PlannedExecution {
	const random = seededRandom(seed, name, 'conditions');
	const shape = random.weighted({ chain: 7, loop: 3 });
	// With an error branch, chance would decide which items reach the second node together, and so their positions.
	const errorOutput = shape === 'chain' && nodes === 2 ? 0 : 2;
	return {
		name,
		resumeToken: seededToken(seed, name),
		shape,
		first: [],
		second: [],
		keys: {},
		settings: {
			onError: random.weighted({
				stopWorkflow: 6,
				continueRegularOutput: 2,
				continueErrorOutput: errorOutput,
			}),
			maxTries: random.chance(0.3) ? random.integer(2, 5) : undefined,
			// Short, so that some executions fail for lack of time.
			retryForSeconds: random.chance(0.7) ? random.integer(1, 20) : undefined,
			getResults: random.chance(0.4),
		},
		interruptions: planInterruptions(random),
	};
}

function planInterruptions(random: SeededRandom): Interruption[] {
	const attempts = {
		none: [],
		first: [0],
		later: [random.integer(0, 2)],
		twice: [0, random.integer(1, 3)],
	}[random.weighted({ none: 7, first: 1, later: 1, twice: 1 })];
	return attempts.map((attempt) => ({
		attempt,
		how: random.weighted({ stop: 2, kill: 1, lost: 1 }),
		afterMs: random.integer(0, 200),
	}));
}
