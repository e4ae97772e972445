import type { Choices } from './seeded';

/** What a person has set in the Prospector nodes of one n8n workflow. */
export interface NodeSettings {
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Tries of Retry On Fail, where that is on. */
	maxTries?: number;
	/** Seconds. */
	maxWait?: number;
	/** Wait for Completion of runs. */
	waits: boolean;
}

/** Something that ends an attempt before its time. */
export interface Interruption {
	/** The attempt that it hits; 0 is the first. */
	attempt: number;
	/**
	 * `stop`: stopped by a person; what the ended nodes did is known. `kill`: the process dies, and with it all that was
	 * not saved. `lost`: it dies after everything was done and nothing saved.
	 */
	how: 'stop' | 'kill' | 'lost';
	/** Real milliseconds from the first request that may go out. */
	after: number;
}

/**
 * Settings as people have them, and waits short enough that executions fail for the want of time.
 *
 * @param isChain whether all items pass from one node to the next. There, an error branch would let it depend on luck
 * which items reach the second node together, and so on which place each of them is
 */
export function chooseSettings(choose: Choices, isChain = false): NodeSettings {
	const onErrors = { stopWorkflow: 6, continueRegularOutput: 2, continueErrorOutput: isChain ? 0 : 2 };
	return {
		onError: choose.weighted(onErrors),
		maxTries: choose.chance(0.3) ? choose.whole(2, 5) : undefined,
		maxWait: choose.chance(0.7) ? choose.whole(1, 20) : undefined,
		waits: choose.chance(0.1),
	};
}

/** Most executions come to an end by themselves; some are interrupted once, and a few twice. */
export function chooseInterruptions(choose: Choices): Interruption[] {
	const attempts = {
		none: [],
		first: [0],
		later: [choose.whole(0, 2)],
		twice: [0, choose.whole(1, 3)],
	}[choose.weighted({ none: 7, first: 1, later: 1, twice: 1 })];
	return attempts.map((attempt) => ({
		attempt,
		how: choose.weighted({ stop: 2, kill: 1, lost: 1 }),
		after: choose.whole(0, 200),
	}));
}
