import * as core from 'n8n-core';
import type { INodeExecutionData, IRun, IRunExecutionData } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import type { WorkflowFile } from './workflowFile';

/** An execution that has not begun: one node to run and, in n8n 2, the token that all its retries share. */
export function initialState(
	{ nodes }: WorkflowFile,
	input: INodeExecutionData[] = [{ json: {} }],
	startNode = nodes[0].name,
): IRunExecutionData {
	const node = nodes.find(({ name }) => name === startNode);
	if (!node) throw new Error(`The workflow has no node '${startNode}' to begin with`);
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

/** A copy as the database would hold it: whatever does not survive JSON is lost. */
const stored = (run: IRun) => JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;

/**
 * What n8n goes on from when a person retries a failed execution from the list: the failed node's last run is
 * forgotten, everything else kept, the node's context and the resume token included.
 */
export function stateForRetry(run: IRun): IRunExecutionData {
	const state = stored(run);
	const { lastNodeExecuted, runData } = state.resultData;
	delete state.resultData.error;
	const runs = lastNodeExecuted ? runData[lastNodeExecuted] : undefined;
	if (runs?.at(-1)?.error !== undefined) runs.pop();
	return state;
}

/**
 * What n8n goes on from when a waiting execution is resumed: the node that waits has ended, and is not executed again.
 *
 * @param run ended as waiting
 */
export function stateAfterWait(run: IRun): IRunExecutionData {
	const state = structuredClone(run.data);
	const { lastNodeExecuted = '', runData } = state.resultData;
	delete state.waitTill;
	state.executionData!.nodeExecutionStack[0].node.disabled = true;
	runData[lastNodeExecuted]?.pop();
	return state;
}

/**
 * What is left when the process was killed: the data of the nodes that had ended is there, the contexts are not, and
 * the execution begins at its first node again.
 *
 * @param before the state of the same execution when it began
 */
export function stateAfterKill(before: IRunExecutionData, run: IRun): IRunExecutionData {
	const state = structuredClone(before);
	state.resultData.runData = stored(run).resultData.runData;
	return state;
}
