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
	...{ operation: 'workflow.create', parameters: { enterValues: 'json', jsonBody } },
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
const KEY_OPTIONS = { preventDuplicates: 'key', idempotencyKey: 'day' };
const QUIET_IF_EMPTY = { getNode: () => ({ ...NODE, alwaysOutputData: true }) };
const DONE = itemResponse({ id: 'wf_1' });
const FAILED = httpResponse(400, '');
const twoCreations = { input: [{}, {}], answers: [DONE, FAILED] };
const deletion = (answer: Answer): Execution => ({
	...{ operation: 'workflow.delete', parameters: { workflowId: 'wf_1' }, answers: [answer] },
});
const bodyOf = (json: string) => httpResponse(200, Readable.from([Buffer.from(json)]));
const withNumber = (digits: string) => bodyOf(`{"data":{"id":"wf_1","size":${digits}},"request_id":"req_1"}`);
const pagesThen = (later: string) => [pageResponse(['a'], 'c2'), pageResponse(['b']), pageResponse([later])];
const limited = httpResponse(429, '', { 'retry-after': '2' });

/** For each hint, what causes it, and what differs only in the cause. */
const CASES: Record<HintKind, [RegExp, cause: Execution | Execution[], other: Execution | Execution[]]> = {
	unknownFields: [
		/has names that no item has: note\./,
		get({ fieldsToReturn: 'note' }, DONE),
		{ ...list([listResponse([])], { options: { fieldsToReturn: 'note' } }), rest: QUIET_IF_EMPTY },
	],
	missingIdempotencyKey: [/does not say which execution/, start({}, { executionId: '' }), start({})],
	unfinishedRuns: [
		/'run_1' \(running\) may not have finished/,
		getResults(answerRun('running', [A])),
		{ ...getResults(runWith('completed'), runWith(''), listResponse([A])), input: [{}, {}] },
	],
	userKeys: [
		/2 items have the same idempotency key, 'day'/,
		start(KEY_OPTIONS, { input: [{}, {}] }),
		start(KEY_OPTIONS),
	],
	existingResources: [
		/'run_1' was created at 2020-01-01 00:00:00 UTC/,
		start({}, { answers: [itemResponse({ id: 'run_1', created_at: '2020-01-01T00:00:00Z' })] }),
		start({}, { answers: [itemResponse({ id: 'run_1' })] }),
	],
	keptOldValues: [
		/with other values than now/,
		retried(create('{"a":1}', twoCreations), create('{"a":2}', twoCreations)),
		retried(create('{"a":1}', twoCreations), create('{"a":1}', twoCreations)),
	],
	deletedEarlier: [
		/not found: 'wf_1'\. An earlier attempt/,
		retried(deletion(httpResponse(500, '')), deletion(httpResponse(404, ''))),
		retried(deletion(httpResponse(500, '')), deletion(DONE)),
	],
	unusedKey: [/'Idempotency Key' was not used/, start({ idempotencyKey: 'day' }), start(KEY_OPTIONS)],
	resultOfOtherRun: [
		/a result of run 'run_2' among those of run 'run_1'/,
		getResults(answerRun('completed', [{ id: 'a', run_id: 'run_2' }])),
		getResults(answerRun('completed', [{ id: 'a', run_id: 'run_1' }])),
	],
	changingResults: [
		/'run_1' \(completed\) had results that changed/,
		waitForResults(answerRun('completed', [], [A], [A, B], [A], [A, B], [A, B, C])),
		waitForResults(answerRun('completed', [], [A], [A, B], [A, B])),
	],
	partialRuns: [
		/'run_1' \(partial\) ended early/,
		waitForResults(answerRun('partial', [A])),
		waitForResults(answerRun('completed', [A])),
	],
	changedList: [
		/list changed while/,
		list(pagesThen('c'), { returnAll: true }),
		list(pagesThen('a'), { returnAll: true }),
	],
	noResults: [
		/'run_1' \(completed\) found nothing/,
		waitForResults(answerRun('completed', [])),
		waitForResults(answerRun('completed', [A])),
	],
	emptyOutput: [/next nodes are not executed/, list([listResponse([])], {}), list([listResponse([A])], {})],
	noFields: [/^No fields were sent/, create(' { } '), create('{"a":1}')],
	expressionAsText: [
		/'\{\{ \$' was sent as text/,
		create('{"a":"{{ $json.a }}"}'),
		create('{"a":"{{ name }}"}'),
	],
	textNumbers: [
		/became text .* Fields: 'size'\./,
		get({}, withNumber('12345678901234567890')),
		get({}, withNumber('1234')),
	],
	truncatedList: [
		/There are more items than 'Limit'/,
		list([listResponse([A, B])], { limit: 1 }, [{}, {}]),
		list([listResponse([A, B])], { limit: 2 }, [{}, {}]),
	],
	retries: [/1 request was sent again/, get({ retryFor: 9 }, httpResponse(503, ''), DONE), get({}, DONE)],
	throttling: [/The rate limit added 2 s/, get({ retryFor: 9 }, limited, DONE), get({}, DONE)],
};

/** Returns the hints of the last of some executions. */
async function hintsOf(executions: Execution | Execution[]): Promise<string[]> {
	let messages: string[] = [];
	for (const execution of [executions].flat())
		messages = (await executeNode(execution)).hints.map(({ message }) => message);
	return messages;
}

test.each(Object.entries(CASES))(
	'the node adds the hint %s once if there is a reason for it, and not otherwise',
	async (_, [pattern, cause, other]) => {
		expect((await hintsOf(cause)).filter((message) => pattern.test(message))).toHaveLength(1);
		expect(await hintsOf(other)).toEqual([]);
	},
);
