import type { IDataObject, INode } from 'n8n-workflow';
import { byId, node, PROSPECTOR } from '../../../test/nodes';
import { resultsPath, runPath, type Job } from '../job';
import { HELPER } from './helperNode';

export const HTTP_REQUEST = { type: 'n8n-nodes-base.httpRequest', version: 4.5 };
export const SPLIT_OUT = { type: 'n8n-nodes-base.splitOut', version: 1 };

/** Returns the nodes that a user would connect for the job. */
export function nodesFor(
	job: Pick<Job, 'task' | 'means' | 'baseUrl' | 'continueOnFail'>,
	credentials: INode['credentials'],
): INode[] {
	const { task, means, baseUrl, continueOnFail } = job;
	const extra: Partial<INode> = {
		credentials,
		...(continueOnFail && { onError: 'continueRegularOutput' }),
	};
	if (means.by === 'prospector') {
		const parameters =
			task.kind === 'list'
				? {
						resource: 'result',
						operation: 'getAll',
						runId: byId(task.runId),
						returnAll: true,
						simplify: means.simplify,
						// The node also checks the status of the run first, with one request more than the other contenders.
						options: { pageSize: task.pageSize },
					}
				: { resource: 'run', operation: 'get', runId: byId('={{ $json.runId }}'), simplify: means.simplify };
		return [node('Prospector', PROSPECTOR, parameters, extra)];
	}
	if (means.by === 'helper') {
		return [node('Helper', HELPER, { task: JSON.stringify(task) }, extra)];
	}
	const request = (parameters: IDataObject) =>
		node(
			'HTTP Request',
			HTTP_REQUEST.type,
			{
				method: 'GET',
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'prospectorApi',
				...parameters,
			},
			{ ...extra, typeVersion: HTTP_REQUEST.version },
		);
	if (task.kind === 'reads') {
		const url = `=${baseUrl}${runPath('{{ $json.runId }}')}`;
		return [request({ url, options: means.batching ? { batching: { batch: means.batching } } : {} })];
	}
	const splitOut = { fieldToSplitOut: 'data', include: 'noOtherFields', options: {} };
	return [
		request({ url: baseUrl + resultsPath(task.runId), ...paginationParameters(task.pageSize) }),
		node('Split Out', SPLIT_OUT.type, splitOut, { typeVersion: SPLIT_OUT.version }),
	];
}

/** The node's option 'Pagination', as the API's contract describes it. */
const paginationParameters = (pageSize: number): IDataObject => ({
	sendQuery: true,
	queryParameters: { parameters: [{ name: 'limit', value: `${pageSize}` }] },
	options: {
		pagination: {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: {
					parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.pagination.next_cursor }}' }],
				},
				paginationCompleteWhen: 'other',
				completeExpression: '={{ !$response.body.pagination.has_more }}',
			},
		},
	},
});
