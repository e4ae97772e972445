/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { HintCollector } from '../../../nodes/Prospector/messages/hintCollector';
import {
	executeNode,
	httpResponse,
	itemResponse,
	listResponse,
	NODE,
	pageResponse,
} from '../helpers/support';
import type { Answer, ExecutionOptions } from '../helpers/support';

type HintKind = Parameters<HintCollector['add']>[0];
type Execution = ExecutionOptions & { operation: string };

const start = (options: IDataObject, rest: Partial<Execution> = {}): Execution => ({
	...{ operation: 'workflow.run', parameters: { workflowId: 'wf_1', options } },
	...rest,
});
const create = (jsonBody: string, rest: Partial<Execution> = {}): Execution => ({
	...{ operation: 'workflow.create', parameters: { workflowId: 'wf_1', enterValues: 'json', jsonBody } },
	...rest,
});
const list = (answers: Answer[], parameters: IDataObject, input?: IDataObject[]): Execution => ({
	...{ operation: 'workflow.getAll', answers, parameters, input },
});
const get = (options: IDataObject, ...answers: Answer[]): Execution => ({
	...{ operation: 'workflow.get', parameters: { workflowId: 'wf_1', options }, answers },
});

const runWith = (status: string) => itemResponse({ id: 'run_1', status });

/** A run with a status, and what each read of its results returns; the last one is repeated. */
const answerRun = (status: string, ...reads: IDataObject[][]): Answer => {
	let read = 0;
	return ({ url }: IHttpRequestOptions) =>
		url.endsWith('/results') ? listResponse(reads[Math.min(read++, reads.length - 1)]) : runWith(status);
};
const getResults = (...answers: Answer[]): Execution => ({
	...{ operation: 'result.getAll', parameters: { runId: 'run_1' }, answers },
});
const waitForResults = (...answers: Answer[]): Execution => ({
	operation: 'run.get',
	parameters: { runId: 'run_1', waitForCompletion: true, waitUpTo: 50, returnResults: true },
	answers,
});

/** An execution that fails, and its retry. */
const retried = (first: Execution, retry: Execution): Execution[] => {
	const memory = {};
	const rest = { getMode: () => 'retry' };
	return [
		{ ...first, memory },
		{ ...retry, memory, executionId: 'execution-2', rest },
	];
};

const [A, B, C] = ['a', 'b', 'c'].map((id) => ({ id }));
const keyOptions = (idempotencyKey: string) => ({ preventDuplicates: 'key', idempotencyKey });
const KEY_OPTIONS = keyOptions('day');
const CONTINUE = { continueOnFail: () => true };
const QUIET_IF_EMPTY = { getNode: () => ({ ...NODE, alwaysOutputData: true }) };
const DONE = itemResponse({ id: 'wf_1' });
const OTHER = itemResponse({ id: 'wf_2' });
const FAILED = httpResponse(400, '');
const twoCreations = { input: [{}, {}], answers: [DONE, FAILED] };
const secondCreation = { ...twoCreations, answers: [OTHER] };
const deletion = (answer: Answer): Execution => ({
	...{ operation: 'workflow.delete', parameters: { workflowId: 'wf_1' }, answers: [answer] },
});
const bodyOf = (json: string) => httpResponse(200, Readable.from([Buffer.from(json)]));
const withNumber = (digits: string) => bodyOf(`{"data":{"id":"wf_1","size":${digits}},"request_id":"req_1"}`);
const pagesThen = (later: string) => [pageResponse(['a'], 'c2'), pageResponse(['b']), pageResponse([later])];
const limited = httpResponse(429, '', { 'retry-after': '2' });

/** For each hint, what causes it, and what differs only in the cause. */
const CASES: Record<HintKind, [cause: Execution | Execution[], other: Execution | Execution[]]> = {
	unknownFields: [
		get({ fieldsToReturn: 'note, web' }, DONE),
		{ ...list([listResponse([])], { options: { fieldsToReturn: 'note' } }), rest: QUIET_IF_EMPTY },
	],
	missingIdempotencyKey: [start({}, { executionId: '' }), start({})],
	unfinishedRuns: [
		getResults(answerRun('running', [A])),
		{ ...getResults(runWith('completed'), runWith(''), listResponse([A])), input: [{}, {}] },
	],
	userKeys: [
		start(KEY_OPTIONS, { input: [{}, {}, {}], answers: [DONE, DONE, FAILED], rest: CONTINUE }),
		{
			...start({}, { input: [{}, {}], answers: [DONE, OTHER] }),
			parametersOf: (item) => ({ options: keyOptions(`${item}`) }),
		},
	],
	sharedResources: [
		start({}, { input: [{}, {}], answers: [DONE] }),
		start({}, { input: [{}, {}], answers: [DONE, OTHER] }),
	],
	existingResources: [
		start({}, { answers: [itemResponse({ id: 'run_1', created_at: '2020-01-01T00:00:00Z' })] }),
		start({}, { answers: [itemResponse({ id: 'run_1' })] }),
	],
	keptOldValues: [
		retried(create('{"a":1}', twoCreations), create('{"a":2}', secondCreation)),
		retried(create('{"a":1}', twoCreations), create('{"a":1}', secondCreation)),
	],
	deletedEarlier: [
		retried(deletion(httpResponse(500, '')), deletion(httpResponse(404, ''))),
		retried(deletion(httpResponse(500, '')), deletion(DONE)),
	],
	unusedKey: [start({ idempotencyKey: 'day' }), start(KEY_OPTIONS)],
	resultOfOtherRun: [
		getResults(answerRun('completed', [{ id: 'a', run_id: 'run_2' }])),
		getResults(answerRun('completed', [{ id: 'a', run_id: 'run_1' }])),
	],
	changingResults: [
		waitForResults(answerRun('completed', [], [A], [A, B], [A], [A, B], [A, B, C])),
		waitForResults(answerRun('completed', [], [A], [A, B], [A, B])),
	],
	partialRuns: [waitForResults(answerRun('partial', [A])), waitForResults(answerRun('completed', [A]))],
	changedList: [list(pagesThen('c'), { returnAll: true }), list(pagesThen('a'), { returnAll: true })],
	noResults: [
		{ ...waitForResults(answerRun('completed', [])), rest: QUIET_IF_EMPTY },
		waitForResults(answerRun('completed', [A])),
	],
	emptyOutput: [list([listResponse([])], {}), list([listResponse([A])], {})],
	noFields: [{ ...create(' { } '), operation: 'workflow.update' }, create('{"a":{}}')],
	expressionAsText: [create('{"a":"{{  $json.a }}"}'), create('{"a":"{{ name }}"}')],
	textNumbers: [get({}, withNumber('12345678901234567890')), get({}, withNumber('1234'))],
	truncatedList: [
		list([listResponse([A, B])], { limit: 1 }, [{}, {}]),
		list([listResponse([A, B])], { limit: 2 }, [{}, {}]),
	],
	retries: [get({ retryFor: 9 }, httpResponse(503, ''), DONE), get({}, DONE)],
	throttling: [get({ retryFor: 9 }, limited, DONE), get({}, DONE)],
};

/** All hints of each cause, with their types. */
const HINTS = `
unknownFields: warning: 'Fields to Return' has names that no item has: note, web. Choose from: id, request_id.
missingIdempotencyKey: warning: Duplicates could not be prevented: this n8n does not say which execution it is. Set 'Prevent Duplicates' to Once per Key.
unfinishedRuns: warning: Run 'run_1' (running) may not have finished. If a run is still going, more results will follow: use Run › Get with 'Wait for Completion' and 'Return Results' to get them all.
userKeys: warning: 3 items have the same idempotency key, 'day': the service may do only the first of them. Include something from the item in 'Idempotency Key' under Options.
sharedResources: warning: The service returned 'wf_1' for 2 items, so it may have started or created it only once. Check in the workspace whether all are there.
existingResources: warning: Run 'run_1' was created at 2020-01-01 00:00:00 UTC, before this request: the service returned an existing one. Check in the workspace whether this is the right one.
keptOldValues: warning: A Prospector workflow was created by an earlier attempt of this execution, with other values than now. It was not created again: use Workflow › Update to change it.
deletedEarlier: warning: Prospector workflows that were not found: 'wf_1'. An earlier attempt of this execution has probably deleted them.
unusedKey: warning: 'Idempotency Key' was not used. To use it, set 'Prevent Duplicates' under Options to Once per Key.
resultOfOtherRun: warning: The service returned a result of run 'run_2' among those of run 'run_1'. Its fields are as the service sent them.
changingResults: warning: Run 'run_1' (completed) had results that changed while they were read, so some may be missing. Get all of them later with Result › Get Many.
partialRuns: warning: Run 'run_1' (partial) ended early, so results may be missing. If this status is a full success, add it to 'Finished Statuses' under Options.
changedList: warning: A list changed while the node read it. No item is returned twice, but one may be missing. Run the node again if you need all of them.
noResults: info: Run 'run_1' (completed) found nothing.
emptyOutput: info: There are no items, so the next nodes are not executed. Turn on 'Always Output Data' in the node's Settings if they must be executed, as in a loop.
noFields: warning: No fields were sent.
expressionAsText: warning: '{{ $' was sent as text. If it begins an expression, switch the field from Fixed to Expression.
textNumbers: info: Numbers that JavaScript can't represent became text when they were read, so that no digit changes. Fields: 'size'.
truncatedList: info: There are more items than 'Limit'. Turn on 'Return All' to get them all.
retries: info: 1 request was sent again.
throttling: info: 1 request was sent again.
throttling: info: The rate limit added 2 s.
`.split('\n');

/** Returns the hints of the last of some executions. */
async function hintsOf(executions: Execution | Execution[]): Promise<string[]> {
	let hints: string[] = [];
	for (const execution of [executions].flat())
		hints = (await executeNode(execution)).hints.map(({ type, message }) => `${type}: ${message}`);
	return hints;
}

test.each(Object.entries(CASES))(
	'the node adds the hint "%s" exactly once for its cause, and no hint without that cause',
	async (kind, [cause, other]) => {
		const expected = HINTS.filter((line) => line.startsWith(`${kind}: `));
		expect(expected).not.toEqual([]);
		expect((await hintsOf(cause)).map((hint) => `${kind}: ${hint}`)).toEqual(expected);
		expect(await hintsOf(other)).toEqual([]);
	},
);
