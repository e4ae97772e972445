import type { IDataObject, INode, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import { node } from '../../nodes';
import type { E2e } from '../bench';
import { itemsOf, type Execution } from '../n8n/executions';
import { clicked, items } from '../n8n/workflows';

/** A failure as an execution shows it. */
export interface Shown {
	message: string;
	description?: string;
	httpCode?: string;
	context: { itemIndex?: number };
}

/** What came of one Prospector node with a node behind each of its branches. */
export interface Outcome {
	ended: Execution;
	/** What the failed execution shows. */
	failure?: Shown;
	good: INodeExecutionData[];
	bad: INodeExecutionData[];
	runData: IRunExecutionData['resultData']['runData'];
}

/** Executes one Prospector node over input items. */
export async function over(
	e2e: E2e,
	parameters: IDataObject,
	input: IDataObject[] = [{}],
	extra: Partial<INode> = {},
): Promise<Outcome> {
	const workflow = clicked(items('Input', input), e2e.prospector('Prospector', parameters, extra));
	const next = ['Good', 'Bad'].map((name) => node(name, 'n8n-nodes-base.noOp', {}));
	workflow.nodes.push(...next);
	workflow.connections.Prospector = {
		main: next.map(({ name }) => [{ node: name, type: 'main', index: 0 }]),
	};
	const ended = await e2e.workflows.execute(workflow);
	const { error, runData = {} } = ended.data?.resultData ?? {};
	return {
		ended,
		failure: error as Shown | undefined,
		good: itemsOf(ended, 'Good'),
		bad: itemsOf(ended, 'Bad'),
		runData,
	};
}
