import type { IDataObject, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';
import type { Operation, PlannedExecution } from './plan';
import { FIRST, ITEMS, LOOP, SECOND } from './workflowFile';

/** The output item of an operation, or its error message under Continue. */
export interface Outcome {
	operation: Operation;
	output?: IDataObject;
	error?: string;
}

/**
 * Returns the outcomes of an execution in the order of its node runs. An operation can occur several times, for example
 * if its node was retried.
 *
 * @throws Error when an item cannot be traced back to an operation
 */
export function collectOutcomes(
	data: IRunExecutionData,
	{ first, second }: Pick<PlannedExecution, 'first' | 'second'>,
): Outcome[] {
	return Object.entries({ [FIRST]: first, [SECOND]: second }).flatMap(([node, operations]) =>
		(data.resultData.runData[node] ?? []).flatMap((run) =>
			(run.data?.main ?? [])
				.flatMap((items) => items ?? [])
				.map((item): Outcome => {
					const operation = operations[inputIndexOf(data, run, item)];
					if (!operation) throw new Error(`An item of '${node}' belongs to no operation`);
					const { json } = item;
					return 'error' in json ? { operation, error: String(json.error) } : { operation, output: json };
				}),
		),
	);
}

/** Follows paired items back to the input. */
function inputIndexOf(data: IRunExecutionData, run: ITaskData, { pairedItem }: INodeExecutionData): number {
	const paired = [pairedItem].flat()[0];
	const index = typeof paired === 'object' ? paired.item : paired;
	const source = run.source[0];
	if (index === undefined || !source) throw new Error('An item is not paired');
	const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
	const before = data.resultData.runData[previousNode][previousNodeRun];
	const item = before.data?.main[previousNodeOutput]?.[index];
	if (!item) throw new Error('An item is paired with an item that does not exist');
	return [ITEMS, LOOP].includes(previousNode) ? Number(item.json.n) : inputIndexOf(data, before, item);
}

/** Returns the messages of an execution, its nodes and its items. */
export function messagesOf({ resultData }: IRunExecutionData, outcomes: Outcome[]): string[] {
	const runs = Object.values(resultData.runData).flat();
	const errors = [resultData.error, ...runs.map(({ error }) => error)];
	return [...errors.map((error) => error?.message), ...outcomes.map(({ error }) => error)].filter(
		(message) => message !== undefined,
	);
}
