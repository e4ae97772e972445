import { inspect } from 'node:util'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { IDataObject, INodeExecutionData, IRun, IRunExecutionData, ITaskData } from 'n8n-workflow';
import type { Operation, PlannedExecution } from './plan';
import { FIRST, ITEMS, LOOP, SECOND } from './workflowFile';

/** The output of an operation. */
export interface Output {
	/** ID of the Prospector workflow or run. */
	id: unknown;
	key: unknown;
	/** The request that created or started it. */
	requestId: unknown;
}

/** What users see of the executions. */
export const createEvidence = () => ({
	/** All different outputs of each operation, by its ID. */
	produced: new Map<number, Output[]>(),
	/** Hanging executions, wrong messages, and places with an API key. */
	violations: new Set<string>(),
	/** Number of executions, retries included. */
	executions: 0,
	retries: 0,
	interruptions: 0,
	/** Number of items that were repeated because they had failed under Continue. */
	repeated: 0,
});

export type Evidence = ReturnType<typeof createEvidence>;

/** The output item of an operation, or its error message under Continue. */
export interface Outcome {
	operation: Operation;
	output?: IDataObject;
	error?: string;
}

/** Texts with a missing value, and messages whose cause is not among the faults, such as a 401, 404, 409 or 422. */
const WRONG_MESSAGE =
	/undefined|\bnull\b|NaN|\[object|^\s*$|already in use|was not found|not allowed|API key was not accepted|the values|same idempotency key/;

export const isWrongMessage = (message: string) => WRONG_MESSAGE.test(message);

/** Records the outputs, messages and leaks of an execution, and returns the outcomes and messages. */
export function recordRun(evidence: Evidence, { data }: IRun, execution: PlannedExecution, apiKey: string) {
	const { produced, violations } = evidence;
	const outcomes = collectOutcomes(data, execution);
	for (const { operation, output } of outcomes) {
		if (!output) continue;
		// The items of Run and Get Results are results of the run.
		const { run_id: id = output.id, idempotency_key: key } = output;
		const { run_request_id: requestId = output.request_id } = output;
		const known = produced.get(operation.id) ?? [];
		// A repeated operation must return what the first one did.
		const isKnown = known.some((one) => JSON.stringify(one) === JSON.stringify({ id, key, requestId }));
		produced.set(operation.id, isKnown ? known : [...known, { id, key, requestId }]);
	}
	const { error, runData } = data.resultData;
	const errors = [error, ...Object.values(runData).flatMap((runs) => runs.map((run) => run.error))];
	const messages = [...errors.map((one) => one?.message), ...outcomes.map((outcome) => outcome.error)].filter(
		(message) => message !== undefined,
	);
	for (const message of messages.filter(isWrongMessage)) violations.add(`Wrong message: ${message}`);
	const text = JSON.stringify(data) + inspect(errors, { depth: null, showHidden: true });
	if (text.includes(apiKey)) violations.add(`The API key is in execution ${execution.name}`);
	return { outcomes, messages };
}

/**
 * Returns the outcomes of an execution in the order of its node runs. An operation can occur several times, for example
 * if its node was retried.
 */
const collectOutcomes = (data: IRunExecutionData, { first, second }: PlannedExecution): Outcome[] =>
	Object.entries({ [FIRST]: first, [SECOND]: second }).flatMap(([node, operations]) =>
		(data.resultData.runData[node] ?? []).flatMap((run) =>
			(run.data?.main ?? []).flat().flatMap((item): Outcome[] => {
				if (!item) return [];
				const operation = operations[inputIndexOf(data, run, item)];
				const { json } = item;
				return [{ operation, ...('error' in json ? { error: String(json.error) } : { output: json }) }];
			}),
		),
	);

/** Follows paired items back to the input. */
function inputIndexOf(data: IRunExecutionData, run: ITaskData, { pairedItem }: INodeExecutionData): number {
	const paired = [pairedItem].flat()[0];
	const index = typeof paired === 'object' ? paired.item : paired;
	const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = run.source[0]!;
	const before = data.resultData.runData[previousNode][previousNodeRun];
	const item = before.data?.main[previousNodeOutput]?.[index!];
	if (!item) throw new Error('An item is not paired, or with an item that does not exist');
	return [ITEMS, LOOP].includes(previousNode) ? Number(item.json.n) : inputIndexOf(data, before, item);
}
