import type { IHttpRequestOptions } from 'n8n-workflow';
import type { SimulatedResponse } from '../../sandbox/simulator';
import type { PollRecord } from './activeTrigger';
import { isLive } from './ledger';
import type { World } from './world';

interface ListBody {
	data?: unknown[];
	pagination?: { has_more?: boolean };
}

/** Records what a response means for the trigger, and which behaviours of the service took effect in it. */
export function observeResponse(
	world: World,
	{ url, qs }: IHttpRequestOptions,
	{ statusCode, body }: SimulatedResponse,
	poll: PollRecord,
): void {
	const hasCursor = (qs as { cursor?: string } | undefined)?.cursor !== undefined;
	if (statusCode < 300) return observeList(world, body as ListBody | string, hasCursor);
	const { settings, ledger, outage } = world;
	const { pathname } = new URL(url);
	if (hasCursor && statusCode < 500 && ![401, 403, 429].includes(statusCode)) {
		poll.rejectedCursors++;
		if (outage === undefined) countRejection(world, statusCode);
		// A poll reads the list again. It may report that another poll's cursor was rejected too, or that the list is too long.
		const isRepeated = world.trigger.polls.some((other) => other !== poll && other.rejectedCursors > 0);
		if (!isRepeated && poll.requests < poll.maxRequests) return;
	} else if (outage === undefined) {
		const isNoResultsYet = String(statusCode) === settings.noResultsYet && pathname.endsWith('/results');
		if (isNoResultsYet) return world.count(`results: ${statusCode} until they exist`);
		if (statusCode === 429)
			world.count(
				pathname.endsWith('/runs') && settings.isSecondRefused
					? 'one Prospector workflow always gets 429'
					: 'rate limit reached',
			);
		if (statusCode === 404) {
			const entry = ledger.findByPath(pathname);
			const isGone = entry !== undefined && 'workflow' in entry && !(isLive(entry) && isLive(entry.workflow));
			const isGoneWorkflow = entry !== undefined && 'runs' in entry && !isLive(entry);
			// It is no failure that a run, or one of all Prospector workflows, was deleted.
			if (isGone || (isGoneWorkflow && settings.watch === 'all')) return;
		}
	}
	world.failedRequests++;
	if (statusCode === 404 && !hasCursor) world.notFoundRequests++;
	world.disturbedPolls.push(world.polls);
}

function observeList(world: World, body: ListBody | string, hasCursor: boolean): void {
	if (typeof body === 'string' || !Array.isArray(body.data)) {
		if (world.outage !== undefined) world.failedRequests++;
		return;
	}
	const { listOrder, cursorKind, timeFormat, defaultPageSize, ignorePageSize, pageSize } = world.settings;
	const { length } = body.data;
	if (length > 0 && timeFormat !== 'utc') world.count(`times: ${timeFormat}`);
	if (length > 1 && listOrder !== 'newest') world.count(`order: ${listOrder}`);
	if (hasCursor && cursorKind !== 'position') world.count(`cursors: ${cursorKind}`);
	if (length === 1 && body.pagination?.has_more) world.count('pages of 1 item');
	if (length >= 500) world.count('pages of 500 items or more');
	if (ignorePageSize && pageSize > 0 && length > pageSize && length <= defaultPageSize)
		world.count('page size ignored');
	if (new Date(world.time.nowMs).getTimezoneOffset() !== 0) world.count('n8n in another time zone');
}

function countRejection(world: World, statusCode: number): void {
	const { cursorKind, cursorTtlMs } = world.settings;
	if (cursorKind === 'itemId' && cursorTtlMs === null) world.count('cursor of a deleted item');
	else world.count(`cursor rejected: ${statusCode}`);
}
