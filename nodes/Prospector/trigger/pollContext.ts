// What one poll reads with, and where it collects items and what is wrong. Created by `pollTrigger.ts` for each poll, and
// by `preview.ts` for a test in the editor.
// Tests: test/unit/trigger/poll.test.ts, test/unit/trigger/reports.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { UserError, type UserMessage } from '../messages/userMessage';
import type { Client } from '../transport/request/client';
import type { RequestBudget } from './budget';
import type { RunSnapshot } from './decideRun';
import type { PollClock } from './pollClock';
import type { TriggerSettings } from './settings';
import type { TriggerState, WorkflowState } from './state';

/** With when it was created or changed. */
export interface NewItem {
	json: IDataObject;
	sortByMs: number;
}

/** Why something could not be read. */
export interface PollFailure {
	/** For messages, e.g. `listing the Prospector workflows`; undefined if no later poll makes up for the failure. */
	taskName?: string;
	error: unknown;
	/** Whether it is not reported, because it has not lasted long enough or can be explained by a deletion. */
	isSuppressed?: boolean;
}

export class PollContext {
	/** For n8n's log. */
	readonly notes = new Set<string>();
	/** IDs of the Prospector workflows in the list that this poll has read. */
	readonly listedWorkflowIds = new Set<string>();
	readonly newItems: NewItem[] = [];
	/** The runs that this poll has read. */
	readonly snapshots = new Map<WorkflowState, Map<string, RunSnapshot>>();
	/** By the name of the task, or by the message. */
	readonly failures = new Map<string, PollFailure>();

	constructor(
		readonly client: Client,
		readonly settings: TriggerSettings,
		readonly budget: RequestBudget,
		readonly pollClock: PollClock,
		readonly state: TriggerState,
		/** After this many items, a list is read no further. */
		readonly maxItemsPerList = Infinity,
	) {}

	/** @param error why the task has failed; undefined if it has not */
	addFailure(taskName: string, error: unknown, isSuppressed?: boolean): void {
		if (error !== undefined) this.failures.set(taskName, { taskName, error, isSuppressed });
	}

	/** Adds a reason why items may never be emitted. */
	addLoss(loss: UserMessage): void {
		if (!this.failures.has(loss.message)) this.failures.set(loss.message, { error: new UserError(loss) });
	}

	/** Whether the poll has enough new items, so that it should read no further page. */
	hasEnoughItems = (): boolean => this.newItems.length >= this.settings.maxItems;
}
