import { chooseInterruptions, chooseSettings, type Interruption, type NodeSettings } from './conditions';
import { choices, seededToken } from './seeded';

export type Kind = 'create' | 'run';
const KINDS: Kind[] = ['create', 'run'];

/** Something that is to happen once, whatever goes wrong. */
export interface Operation {
	/** 0, 1, 2 … */
	id: number;
	kind: Kind;
	/** `create`: the name of the Prospector workflow to make, which no other has. `run`: the id of the one to run. */
	target: string;
}

/** What an n8n workflow looks like: all items through each node, or one by one round a loop; see workflowFile.ts. */
export type Shape = 'row' | 'loop';

/** One n8n workflow execution with all its retries. */
export interface PlannedExecution {
	/** Unique, and says where it comes from: `17`, and `17.run` for the runs that it left to be started. */
	name: string;
	/** What n8n gives to an execution and to all its retries. */
	resumeToken: string;
	shape: Shape;
	/** Per item, what the first Prospector node is to do, and the second, where there is one. All of one kind each. */
	first: Operation[];
	second: Operation[];
	/** Per item, for the first node: the key to repeat it with, where there is one. */
	keys: Array<string | undefined>;
	settings: NodeSettings;
	interruptions: Interruption[];
}

export interface Intent {
	executions: PlannedExecution[];
	operations: Operation[];
}

/** Ids of Prospector workflows that there are to run. */
export interface Targets {
	/** Run by many executions. */
	shared: readonly string[];
	/** Run once. */
	single: readonly string[];
}

/**
 * Decides what is to be done: the same for the same seed.
 *
 * @param operations how many
 * @param targets at least one shared one, and as many single ones as operations
 */
export function planCampaign(seed: number, operations: number, { shared, single }: Targets): Intent {
	const all: Operation[] = [];
	const executions: PlannedExecution[] = [];
	while (all.length < operations) {
		const name = String(executions.length);
		const choose = choices(seed, name);
		const left = operations - all.length;
		const shape = choose.weighted({ row: 7, loop: 3 });
		const nodes = left > 1 && choose.chance(0.25) ? 2 : 1;
		const settings = chooseSettings(choose, shape === 'row' && nodes === 2);
		const count = Math.min(choose.whole(1, 5), Math.floor(left / nodes));
		const common = choose.one(shared);
		const operation = (kind: Kind): Operation => {
			const id = all.length;
			// Where items may fail one by one, each is to be known by its target: see target.ts.
			const workflow = settings.onError === 'stopWorkflow' ? common : single[id];
			const made = { id, kind, target: kind === 'create' ? `Campaign ${seed}, ${id}` : workflow };
			all.push(made);
			return made;
		};
		const node = (kind: Kind) => Array.from({ length: count }, () => operation(kind));
		executions.push({
			name,
			resumeToken: seededToken(seed, name),
			shape,
			first: node(choose.one(KINDS)),
			second: nodes === 2 ? node(choose.one(KINDS)) : [],
			keys: [],
			settings,
			interruptions: chooseInterruptions(choose),
		});
	}
	return { executions, operations: all };
}

/** What a failed item leaves to be done: the operation again, with the key that it was tried with. */
export interface Leftover {
	operation: Operation;
	/** Absent where nothing can have reached the service. */
	key: string | undefined;
}

/**
 * The executions by which a person repeats failed items: one per kind of operation.
 *
 * @param of the execution that they failed in
 */
export function planRepeats(seed: number, of: PlannedExecution, left: Leftover[]): PlannedExecution[] {
	return KINDS.flatMap((kind): PlannedExecution[] => {
		const alike = left.filter(({ operation }) => operation.kind === kind);
		if (alike.length === 0) return [];
		const name = `${of.name}.${kind}`;
		const choose = choices(seed, name);
		return [
			{
				name,
				resumeToken: seededToken(seed, name),
				shape: choose.weighted({ row: 7, loop: 3 }),
				first: alike.map(({ operation }) => operation),
				second: [],
				keys: alike.map(({ key }) => key),
				settings: chooseSettings(choose),
				interruptions: chooseInterruptions(choose),
			},
		];
	});
}
