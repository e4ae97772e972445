import type { Release } from '../setUp/releases';

/** One way in which the built package can be broken, and the tests that must notice. */
export interface Breakage {
	/** Completes "The node …". */
	what: string;
	/** A file of the package, below `dist/`. */
	file: string;
	/** Text that is there exactly once, and what it is replaced by. */
	from: string;
	to: string;
	/** File of tests, below `test/e2e/`, without its ending. */
	noticedBy: string;
	/** The n8n on which it shows; by default the newest. */
	on?: Release;
}

const NODE = 'nodes/Prospector';

/** What people rely on, each broken by a change of one line. */
export const BREAKAGES: Breakage[] = [
	{
		what: 'takes another key when a failed execution is retried',
		file: `${NODE}/actions/stableExecutionId.js`,
		from: 'return (memory.prospectorExecution ??= context.getExecutionId() || undefined);',
		to: 'return context.getExecutionId() || undefined;',
		noticedBy: 'exactlyOnce/regular',
		on: '1.123',
	},
	{
		what: 'takes another key when its process was killed',
		file: `${NODE}/actions/stableExecutionId.js`,
		from: 'if (token !== undefined)',
		to: 'if (token === null)',
		noticedBy: 'exactlyOnce/killed',
	},
	{
		what: 'sends one key in all executions',
		file: `${NODE}/transport/request/idempotencyKey.js`,
		from: '[instanceId, workflowId, execution, nodeId',
		to: '[instanceId, workflowId, nodeId',
		noticedBy: 'exactlyOnce/regular',
	},
	{
		what: 'sends one key for all items',
		file: `${NODE}/transport/request/idempotencyKey.js`,
		from: 'path, runIndex, itemIndex]))',
		to: 'path, runIndex]))',
		noticedBy: 'exactlyOnce/regular',
	},
	{
		what: 'sends one key in all rounds of a loop',
		file: `${NODE}/transport/request/idempotencyKey.js`,
		from: 'path, runIndex, itemIndex]))',
		to: 'path, itemIndex]))',
		noticedBy: 'exactlyOnce/regular',
	},
	{
		what: 'names the wrong scope in a refusal',
		file: `${NODE}/transport/request/endpoints.js`,
		from: "/prospector/workflows/{workflow_id}/run', 'prospector.run'",
		to: "/prospector/workflows/{workflow_id}/run', 'prospector.read'",
		noticedBy: 'rest/refusals',
	},
	{
		what: 'reads the first page of a list only',
		file: `${NODE}/transport/request/pagination.js`,
		from: 'cursor = hasMore ? nextCursor : undefined;',
		to: 'cursor = undefined;',
		noticedBy: 'rest/operations',
	},
	{
		what: 'follows a redirect, with the API key',
		file: `${NODE}/transport/request/client.js`,
		from: 'disableFollowRedirect: true',
		to: 'disableFollowRedirect: false',
		noticedBy: 'rest/refusals',
	},
	{
		what: 'drops an empty body',
		file: `${NODE}/transport/request/client.js`,
		from: 'body: JSON.stringify(body)',
		to: 'body',
		noticedBy: 'rest/operations',
	},
	{
		what: 'puts a second field on a failed item',
		file: `${NODE}/actions/router.js`,
		from: 'json: { error: (0, nodeError_1.toSingleMessage)(error) }',
		to: 'json: { error: (0, nodeError_1.toSingleMessage)(error), itemIndex }',
		noticedBy: 'rest/errorModes',
	},
	{
		what: 'does not say which request brought an item',
		file: `${NODE}/model/resource.js`,
		from: 'fields.request_id = requestId;',
		to: '',
		noticedBy: 'rest/operations',
	},
	{
		what: 'starts n8n workflows again with what it has put out before',
		file: `${NODE}/trigger/lists/foundItems.js`,
		from: 'for (const { remember } of emitted)',
		to: 'for (const { remember } of [])',
		noticedBy: 'trigger/restart',
	},
	{
		what: 'calls a key good that lacks a scope',
		file: `${NODE}/methods/credentialTest.js`,
		from: 'if ((0, response_1.isFailure)(result))',
		to: 'if ((0, response_1.isFailure)(result) && result.status !== 403)',
		noticedBy: 'rest/credential',
	},
	{
		what: 'shows the whole list whatever is typed into a picker',
		file: `${NODE}/methods/listSearch.js`,
		from: 'entries.filter((entry) => (0, listEntries_1.matches)(entry, filter))',
		to: 'entries',
		noticedBy: 'rest/editor',
	},
];
