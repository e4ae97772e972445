import type { IDataObject, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';
import type { Operation, PlannedExecution } from './plan';
import { FIRST, ITEMS, LOOP, SECOND } from './workflowFile';

/** What an item says about its operation: what came out, or why nothing did. */
export interface Outcome {
	operation: Operation;
	/** The item that came out of it. */
	output?: IDataObject;
	/** The message in its place. */
	error?: string;
}

/**
 * What came out of an execution, in the order in which it did. An operation may be there several times, such as when
 * an execution began anew.
 *
 * @throws Error when an item does not lead back to an operation
 */
export function collectOutcomes(data: IRunExecutionData, execution: PlannedExecution): Outcome[] {
	const operations = { [FIRST]: execution.first, [SECOND]: execution.second };
	return Object.entries(operations).flatMap(([node, meant]) =>
		(data.resultData.runData[node] ?? []).flatMap((run) =>
			(run.data?.main ?? []).flat().flatMap((item): Outcome[] => {
				if (!item) return [];
				const operation = meant[originOf(data, run, item)];
				if (!operation) throw new Error(`An item of '${node}' belongs to no operation`);
				return [
					'error' in item.json
						? { operation, error: String(item.json.error) }
						: { operation, output: item.json },
				];
			}),
		),
	);
}

/** The number that the item had at the start, found by way of what each item is paired with. */
function originOf(data: IRunExecutionData, run: ITaskData, { pairedItem }: INodeExecutionData): number {
	const paired = [pairedItem].flat()[0];
	const index = typeof paired === 'object' ? paired.item : paired;
	const source = run.source[0];
	if (index === undefined || !source) throw new Error('An item is paired with none');
	const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
	const before = data.resultData.runData[previousNode][previousNodeRun];
	const item = before.data?.main[previousNodeOutput]?.[index];
	if (!item) throw new Error('An item is paired with one that there is not');
	if ([ITEMS, LOOP].includes(previousNode)) return Number(item.json.n);
	return originOf(data, before, item);
}

/** Every message that an execution ended with, or that a node or an item of it carries. */
export function messagesOf({ resultData }: IRunExecutionData, outcomes: Outcome[]): string[] {
	const runs = Object.values(resultData.runData).flat();
	const errors = [resultData.error, ...runs.map(({ error }) => error)];
	return [...errors.map((error) => error?.message), ...outcomes.map(({ error }) => error)].filter(
		(message) => message !== undefined,
	);
}
