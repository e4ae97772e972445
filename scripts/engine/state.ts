import * as core from 'n8n-core';
import type { INodeExecutionData, IRun, IRunExecutionData } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import type { WorkflowFile } from './workflowFile';

/** Returns the state of a new execution. In n8n 2, it has a token that all its retries share. */
export function initialState(
	{ nodes }: WorkflowFile,
	input: INodeExecutionData[] = [{ json: {} }],
	startNode = nodes[0].name,
): IRunExecutionData {
	const node = nodes.find(({ name }) => name === startNode);
	if (!node) throw new Error(`The workflow has no node '${startNode}' to start with`);
	return {
		version: 1,
		startData: {},
		resultData: { runData: {} },
		executionData: {
			contextData: {},
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
			nodeExecutionStack: [{ node, data: { main: [input] }, source: null }],
		},
		...('EncryptionKeyProxy' in core && { resumeToken: randomBytes(32).toString('hex') }),
	} as unknown as IRunExecutionData;
}

/** Returns a copy as it comes from the database: without values that JSON can't represent. */
export const cloneAsJson = <T>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/**
 * Returns the state for a retry of a failed execution: without the failed node's last run, but with the contexts and
 * the resume token.
 */
export function stateForRetry(run: IRun): IRunExecutionData {
	const state = cloneAsJson(run.data);
	const { lastNodeExecuted, runData } = state.resultData;
	delete state.resultData.error;
	const runs = lastNodeExecuted ? runData[lastNodeExecuted] : undefined;
	if (runs?.at(-1)?.error !== undefined) runs.pop();
	return state;
}

/**
 * Returns the state for restarting an execution after its process was killed: with the data of the finished nodes, but
 * without the contexts. The execution starts at its first node again.
 *
 * @param before the initial state of the same execution
 */
export function stateAfterKill(before: IRunExecutionData, run: IRun): IRunExecutionData {
	const state = structuredClone(before);
	state.resultData.runData = cloneAsJson(run.data).resultData.runData;
	return state;
}
