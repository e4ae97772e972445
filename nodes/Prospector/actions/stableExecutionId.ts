import type { IExecuteFunctions } from 'n8n-workflow';
import { sha256Hex } from '../transport/digest';

/** What this node keeps in its context, which n8n carries from a failed execution into its retry. */
interface Memory {
	prospectorExecution?: string;
	/** The execution that {@link Memory.prospectorFirstRunIndex} belongs to. */
	prospectorRunsIn?: string;
	/** The run index of n8n that counts as 0. */
	prospectorFirstRunIndex?: number;
	/** How often the node has ended its work. */
	prospectorRunsEnded?: number;
}

const getNodeContext = (context: IExecuteFunctions) => context.getContext('node') as Memory;

/**
 * What an execution and all its retries have in common. Three sources, since no single one serves everywhere: the
 * resume token (from n8n 2.14 on) outlives a killed process, older versions of n8n have only the node's context, and
 * a plain execution id changes with every retry but is better than none.
 *
 * @returns undefined where n8n names no execution
 */
export function stableExecutionId(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const { $execution } = context.getWorkflowDataProxy(itemIndex);
	const token = resumeToken($execution?.resumeUrl);
	// The token lets its holder resume the execution: only ever its digest is used.
	if (token !== undefined) return sha256Hex(token);
	const memory = getNodeContext(context);
	return (memory.prospectorExecution ??= context.getExecutionId() || undefined);
}

/**
 * How often this node ended its work before in this execution and in those that it retries. After a killed process n8n
 * begins again where the execution began, but goes on counting its runs: so in every execution the count starts from
 * what had ended when that one began.
 */
export function relativeRunIndex(context: IExecuteFunctions, itemIndex: number): number {
	const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
	const memory = getNodeContext(context);
	const execution = context.getExecutionId() ?? '';
	if (memory.prospectorFirstRunIndex === undefined || memory.prospectorRunsIn !== execution) {
		memory.prospectorRunsIn = execution;
		memory.prospectorFirstRunIndex = $runIndex - (memory.prospectorRunsEnded ?? 0);
	}
	return $runIndex - memory.prospectorFirstRunIndex;
}

/** To be told when the node has ended its work, and not when it failed: then it is run again. */
export function recordRunEnd(context: IExecuteFunctions): void {
	const memory = getNodeContext(context);
	// Only where it counted: whoever reads needs no key.
	if (memory.prospectorRunsIn === undefined) return;
	memory.prospectorRunsEnded = relativeRunIndex(context, 0) + 1;
}

/** The random part of the address that resumes an execution, which n8n keeps through every retry. */
export function resumeToken(resumeUrl: unknown): string | undefined {
	if (typeof resumeUrl !== 'string' || !URL.canParse(resumeUrl)) return undefined;
	return new URL(resumeUrl).searchParams.get('signature') || undefined;
}
