import type { IHttpRequestOptions } from 'n8n-workflow';
import type { SimulatedResponse } from '../../sandbox/simulator';
import type { PollRecord } from './activeTrigger';
import { isLive } from './ledger';
import { LASTING, type World } from './world';

interface ListBody {
	data?: unknown[];
	pagination?: { has_more?: boolean; next_cursor?: string | null };
}

/** Records what a response means for the trigger, and which behaviours of the service took effect in it. */
export function observeResponse(
	world: World,
	{ url, qs }: IHttpRequestOptions,
	{ statusCode, body }: SimulatedResponse,
	poll: PollRecord,
): void {
	const hasCursor = (qs as { cursor?: string } | undefined)?.cursor !== undefined;
	const { pathname } = new URL(url);
	if (statusCode < 300) return observeList(world, pathname, body as ListBody | string, hasCursor, poll);
	const { settings, ledger, outage, lasting } = world;
	const { control } = world.simulator;
	if (lasting && control.faults().some(({ id, fired }) => id === LASTING && fired > lasting.metAtMs.length)) {
		lasting.metAtMs.push(world.time.nowMs);
		lasting.metInPoll.set(world.polls, (lasting.metInPoll.get(world.polls) ?? 0) + 1);
		world.failedRequests++;
		world.count(`lasting ${lasting.status}`);
		return world.count(`lasting failure: ${lasting.operation}`);
	}
	const isRejected = hasCursor && control.journal().at(-1)?.reason?.includes('cursor') === true;
	if (isRejected || (hasCursor && statusCode < 500 && ![401, 403, 429].includes(statusCode))) {
		poll.rejectedCursors++;
		if (isRejected) countRejection(world);
		// A poll reads the list again. It may report that another poll's cursor was rejected too, or that the list is too long.
		const isRepeated = world.trigger.polls.some((other) => other !== poll && other.rejectedCursors > 0);
		if (!isRepeated && poll.requests < poll.maxRequests) return;
	} else if (outage === undefined) {
		const isNoResultsYet = String(statusCode) === settings.noResultsYet && pathname.endsWith('/results');
		if (isNoResultsYet) return;
		if (statusCode === 429) world.count('rate limit reached');
		if (statusCode === 404) {
			const entry = ledger.findByPath(pathname);
			const isGone = entry !== undefined && 'workflow' in entry && !(isLive(entry) && isLive(entry.workflow));
			const isGoneWorkflow = entry !== undefined && 'runs' in entry && !isLive(entry);
			// A request for the name of a Prospector workflow may fail.
			const isList = pathname.endsWith('/runs');
			if (isList && isGoneWorkflow && entry.isChosen && world.watch !== 'all' && !world.missing.has(entry)) {
				world.missing.add(entry);
				const { nowMs } = world.time;
				const failure = world.addFailure({ operation: 'listRuns', status: 404, untilMs: nowMs, entry });
				failure.metAtMs.push(nowMs);
			}
			if (isList && isGoneWorkflow) entry.readsWhenGone = (entry.readsWhenGone ?? 0) + 1;
			// A deleted run is no failure, and neither is a deleted Prospector workflow if all are watched.
			if (isGone || (isGoneWorkflow && world.watch === 'all')) return;
		}
	}
	world.failedRequests++;
	if (statusCode === 404 && !hasCursor) world.notFoundRequests++;
	world.disturbedPolls.push(world.polls);
}

function observeList(
	world: World,
	path: string,
	body: ListBody | string,
	hasCursor: boolean,
	poll: PollRecord,
): void {
	if (typeof body === 'string' || !Array.isArray(body.data)) {
		if (world.outage !== undefined) world.failedRequests++;
		return;
	}
	const { cursorRejection } = world.settings;
	const { length } = body.data;
	const firstId = (body.data[0] as { id?: unknown } | undefined)?.id;
	if (!hasCursor) world.firstIds.set(path, firstId);
	const { has_more: hasMore, next_cursor: nextCursor } = body.pagination ?? {};
	const isEmpty = length === 0 && hasMore !== true && cursorRejection === 'emptyPage';
	const isWithoutCursor = hasMore === true && nextCursor === undefined;
	const isFirst = length > 0 && firstId === world.firstIds.get(path) && cursorRejection === 'firstPage';
	if (hasCursor && (isEmpty || isWithoutCursor || isFirst)) {
		countRejection(world);
		poll.rejectedCursors++;
		if (poll.rejectedCursors > 1) world.failedRequests++;
		world.disturbedPolls.push(world.polls);
	}
	if (world.hiddenUntilMs < Infinity && path.endsWith('/workflows'))
		world.count(length === 0 ? 'empty list of Prospector workflows' : 'Prospector workflow omitted');
	if (length >= 500) world.count('pages of 500 items or more');
	if (new Date(world.time.nowMs).getTimezoneOffset() !== 0) world.count('n8n in another time zone');
}

function countRejection(world: World): void {
	const { cursorKind, cursorTtlMs, cursorMaxItems, cursorRejection } = world.settings;
	world.count(`cursor rejected: ${cursorRejection}`);
	if (cursorTtlMs !== null) return;
	if (cursorMaxItems !== null) world.count('cursor rejected beyond a number of items');
	else if (cursorKind === 'itemId') world.count('cursor of a deleted item');
}
