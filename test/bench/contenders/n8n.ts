import type { INodeExecutionData, IRun } from 'n8n-workflow';
import { CredentialStore, NodeTypes, outputOf, run } from '../../../engine';
import type { Job, Output, Ready } from '../job';
import { addBaseNodes } from './baseNodes';
import { HELPER, helperNode } from './helperNode';
import { workflowFor } from './workflows';

/** A contender that is a workflow, executed by n8n's engine. */
export async function n8nContender(job: Job): Promise<Ready> {
	const nodeTypes = await NodeTypes.load(job.packageDirectory);
	if (job.means.by === 'httpRequest') addBaseNodes(nodeTypes);
	nodeTypes.add(HELPER, helperNode);
	const credentials = new CredentialStore(nodeTypes);
	const { baseUrl, apiKey } = job;
	const reference = await credentials.add('bench', 'prospectorApi', { baseUrl, apiKey });
	const workflow = workflowFor(job, reference);
	const input = job.task.kind === 'reads' ? job.task.runIds.map((runId) => ({ json: { runId } })) : undefined;
	return async () => {
		// As a schedule would start it: in the editor, nodes keep more for the person who looks on.
		const ended = await run({ nodeTypes, credentials, workflow, input, mode: 'trigger' });
		const { error } = ended.data.resultData;
		if (error) throw new Error(`The execution failed: ${error.message} ${error.description ?? ''}`.trim());
		return outputFrom(ended, workflow.nodes[workflow.nodes.length - 1].name);
	};
}

function outputFrom(ended: IRun, lastNode: string): Output {
	const items = outputOf(ended, lastNode);
	const good = items.filter((item) => !isFailed(item));
	return {
		resources: good.map(({ json }) => resourceIn(json)),
		failedItems: items.length - good.length,
		held: ended,
	};
}

const isFailed = ({ json, error }: INodeExecutionData) => error !== undefined || json.error !== undefined;

/** The HTTP Request node puts out the whole answer. */
const resourceIn = (json: INodeExecutionData['json']) => ('id' in json ? json : json.data);
