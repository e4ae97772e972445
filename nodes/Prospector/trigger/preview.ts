// What Fetch Test Event shows in the editor: the newest items of a first poll with Include Existing that reads only the
// beginning of each list. Called by `pollTrigger.ts`; stores no state.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { N8nCall } from '../messages/nodeErrors';
import { noRunWithStatusMessage, nothingToShowMessage } from '../messages/runMessages';
import { UserError, type UserMessage } from '../messages/userMessage';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import type { Dependencies } from '../transport/dependencies';
import { RequestBudget } from './budget';
import { runPoll } from './poll';
import { PollClock } from './pollClock';
import { PollContext } from './pollContext';
import { isWantedStatus, readTriggerSettings } from './settings';
import { createState } from './state';
import { refreshWorkflows } from './watchedWorkflows';

/** Limits of a test in the editor, for which a person waits. */
const MAX_REQUESTS = 12;
const MAX_ITEMS_PER_LIST = 50;
const MAX_ITEMS_SHOWN = 10;
const MAX_WAIT_MS = 10_000;

/** @throws UserError, RequestError */
export async function readPreview(
	call: N8nCall<IPollFunctions>,
	dependencies: Dependencies,
): Promise<IDataObject[]> {
	const parameters = await readTriggerSettings(call.context, dependencies);
	// The results of a run are shown even if its last ones may still be missing.
	const shown = { includeExisting: true, returnsResultsTogether: false, maxItems: Infinity };
	const settings = { ...parameters, ...shown };
	const credential = await call.context.getCredentials(CREDENTIAL_NAME);
	const budget = new RequestBudget(dependencies.clock, MAX_REQUESTS, 0, MAX_WAIT_MS);
	const pollClock = new PollClock(dependencies.wallClock);
	const requestSettings = {
		timeoutMs: MAX_WAIT_MS,
		retryForMs: MAX_WAIT_MS,
		budget,
		onResponse: pollClock.observeResponse,
	};
	const client = openClient(call, credential, requestSettings, dependencies);
	const state = createState('', pollClock.createBaseline());
	const poll = new PollContext(client, settings, budget, pollClock, state, MAX_ITEMS_PER_LIST);
	await refreshWorkflows(poll, true);
	const { failures } = await runPoll(poll);
	// Why a list can't be read is shown rather than some of the items.
	const failure = failures.find(({ taskName }) => taskName !== undefined);
	if (failure !== undefined) throw failure.error;
	const { newItems } = poll;
	if (newItems.length === 0) throw new UserError(emptyPreviewMessage(poll));
	// With the names that `runPoll` has added. Of equally old items, those that were read first come first.
	const newestFirst = await client.turns.sort(newItems, (a, b) => b.sortByMs - a.sortByMs);
	return newestFirst.slice(0, MAX_ITEMS_SHOWN).map(({ json }) => json);
}

function emptyPreviewMessage({ settings, snapshots }: PollContext): UserMessage {
	const { event, returnsResults, runStatuses } = settings;
	const runs = [...snapshots.values()].flatMap((ofWorkflow) => [...ofWorkflow.values()]);
	const statuses = runs.map(({ status }) => status);
	const isAnyWanted = statuses.some((status) => isWantedStatus(settings, status));
	if (runs.length === 0 || isAnyWanted) return nothingToShowMessage(returnsResults ? 'result' : 'run');
	return noRunWithStatusMessage(runStatuses, statuses, event === 'runFailed' ? 'failed' : 'finished');
}
