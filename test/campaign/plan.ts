import fc from 'fast-check';
import { digest } from '../../sandbox/ids';

const KINDS = ['create', 'run'] as const;

/** A creation or start that must happen exactly once. */
export interface Operation {
	/** 0, 1, 2 … */
	id: number;
	kind: (typeof KINDS)[number];
	/** `create`: the unique name of the Prospector workflow to create. `run`: the ID of the one to run. */
	target: string;
}

const weighted = <T>(...choices: Array<[weight: number, value: T]>) =>
	fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

/**
 * `stop`: a user stops the execution; the output of finished nodes is saved. `kill`: the process dies during the
 * execution, and everything unsaved is lost. `lost`: the process dies after the execution, before saving it.
 */
const INTERRUPTION = fc.record({
	/** Number of the attempt, from 0. */
	attempt: weighted([2, 0], [1, 1], [1, 2], [1, 3]),
	how: weighted([2, 'stop' as const], [1, 'kill' as const], [1, 'lost' as const]),
	/** Real milliseconds after the start of the first Prospector node. */
	afterMs: fc.integer({ min: 0, max: 200 }),
});
export type Interruption = typeof INTERRUPTION extends fc.Arbitrary<infer T> ? T : never;

/** An execution without its operations. */
const CONDITIONS = fc.record({
	/** All items through each node, or one item per round of a loop. */
	shape: weighted([7, 'chain' as const], [3, 'loop' as const]),
	/** Kinds of the operations of each Prospector node. */
	kinds: fc.oneof(
		{ weight: 3, arbitrary: fc.tuple(fc.constantFrom(...KINDS)) },
		{ weight: 1, arbitrary: fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom(...KINDS)) },
	),
	items: fc.integer({ min: 1, max: 5 }),
	onError: weighted(
		[6, 'stopWorkflow' as const],
		[2, 'continueRegularOutput' as const],
		[2, 'continueErrorOutput' as const],
	),
	/** Set if Retry On Fail is on. */
	maxTries: fc.option(fc.integer({ min: 2, max: 5 }), { nil: undefined, freq: 1 }),
	/** How long a request is retried, and how long the node waits for a run. Some executions fail for lack of time. */
	retryForSeconds: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined, freq: 2 }),
	/** Whether runs are started with Run and Get Results instead of Run. */
	getResults: fc.boolean(),
	interruptions: fc.oneof(
		{ weight: 7, arbitrary: fc.constant<Interruption[]>([]) },
		{ weight: 3, arbitrary: fc.array(INTERRUPTION, { minLength: 1, maxLength: 2 }) },
	),
	sharedTarget: fc.nat(),
});
type Conditions = typeof CONDITIONS extends fc.Arbitrary<infer T> ? T : never;

/** An n8n workflow execution and its retries. */
export interface PlannedExecution extends Conditions {
	/** Unique: `17`, and `17.run` for the execution that repeats the failed starts of 17. */
	name: string;
	/** Operations of the first and, if there is one, of the second Prospector node: one per item. */
	first: Operation[];
	second: Operation[];
	/** Idempotency keys that the user sets, by operation ID. */
	keys: Record<number, string>;
}

/**
 * Returns the same plan for the same seed.
 *
 * @param shared IDs of Prospector workflows that many operations run
 * @param single as many IDs of Prospector workflows as there are operations: each is run by one
 */
export function planCampaign(seed: number, count: number, shared: string[], single: string[]) {
	const operations: Operation[] = [];
	const executions: PlannedExecution[] = [];
	for (const conditions of fc.sample(CONDITIONS, { seed, numRuns: count })) {
		const { kinds, onError, sharedTarget, shape } = conditions;
		const items = Math.min(conditions.items, Math.floor((count - operations.length) / kinds.length));
		if (items === 0) continue;
		const [first, second = []] = kinds.map((kind) =>
			Array.from({ length: items }, () => {
				const id = operations.length;
				// If items can fail one by one, unique targets show which operation a request belongs to.
				const workflow = onError === 'stopWorkflow' ? shared[sharedTarget % shared.length] : single[id];
				const operation = { id, kind, target: kind === 'create' ? `Campaign ${seed}, ${id}` : workflow };
				operations.push(operation);
				return operation;
			}),
		);
		// With an error branch, chance would decide which items reach the second node together, and so their positions.
		const mixesItems = onError === 'continueErrorOutput' && shape === 'chain' && second.length > 0;
		executions.push(
			withOwnKeys(seed, {
				...{ ...conditions, name: String(executions.length), first, second, keys: {} },
				onError: mixesItems ? 'continueRegularOutput' : onError,
			}),
		);
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
export const planRepeats = (seed: number, planned: PlannedExecution, failed: FailedItem[]) =>
	KINDS.flatMap((kind): PlannedExecution[] => {
		const items = failed.filter(({ operation }) => operation.kind === kind);
		if (items.length === 0) return [];
		const first = items.map(({ operation }) => operation);
		const known = items.flatMap(({ operation, key }) => (key === undefined ? [] : [[operation.id, key]]));
		const keys = Object.fromEntries(known) as Record<number, string>;
		const name = `${planned.name}.${kind}`;
		return [withOwnKeys(seed, { ...planned, name, first, second: [], keys, interruptions: [] })];
	});

/**
 * Under Continue, the message of a failed item has the key to repeat it with only if this attempt may have done it. A
 * user who lets n8n repeat such executions sets keys, and so does one who continues with runs that were started.
 */
function withOwnKeys(seed: number, execution: PlannedExecution): PlannedExecution {
	const { onError, maxTries, getResults, interruptions, first, second, keys } = execution;
	const isRepeated = maxTries !== undefined || interruptions.length > 0;
	if (onError === 'stopWorkflow' || !(isRepeated || getResults)) return execution;
	const ownKeys = [...first, ...second].map(({ id }) => [id, `campaign-${seed}-${id}`]);
	return { ...execution, keys: { ...Object.fromEntries(ownKeys), ...keys } };
}

/** Returns 64 hexadecimal digits. n8n gives the same token to an execution and its retries. */
export const resumeTokenOf = (seed: number, { name }: PlannedExecution) => digest(`${seed}:${name}`, 64);
