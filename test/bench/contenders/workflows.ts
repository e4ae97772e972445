import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../../engine';
import { byId, chainNodes, node, PROSPECTOR } from '../../nodes';
import type { Job, Means } from '../job';
import { HTTP_REQUEST, SPLIT_OUT } from './baseNodes';
import { HELPER, type HelperPlan } from './helperNode';
import { resultsPath, runPath } from './service';

/** The workflow that a person would build for the job with that contender. */
export function workflowFor(job: Job, credentials: INode['credentials']): WorkflowFile {
	const extra: Partial<INode> = {
		credentials,
		...(job.continueOnFail && { onError: 'continueRegularOutput' }),
	};
	return chainNodes(...nodesFor(job, extra));
}

function nodesFor({ task, means, baseUrl }: Job, extra: Partial<INode>): INode[] {
	if (means.by === 'prospector') {
		const parameters =
			task.kind === 'list'
				? {
						resource: 'result',
						operation: 'getAll',
						runId: byId(task.runId),
						returnAll: true,
						// The other contenders do not look at the run first either.
						options: { pageSize: task.pageSize, warnIfUnfinished: false },
					}
				: { resource: 'run', operation: 'get', runId: byId('={{ $json.runId }}') };
		return [node('Prospector', PROSPECTOR, parameters, extra)];
	}
	if (means.by === 'httpRequest') {
		const request = (parameters: IDataObject) =>
			node(
				'HTTP Request',
				HTTP_REQUEST.type,
				{ ...AUTHENTICATED, ...parameters },
				{ ...extra, typeVersion: HTTP_REQUEST.version },
			);
		if (task.kind === 'reads') {
			const url = `=${baseUrl}${runPath('{{ $json.runId }}')}`;
			return [request({ url, options: optionsOf(means) })];
		}
		const splitOut = { fieldToSplitOut: 'data', include: 'noOtherFields', options: {} };
		return [
			request({ url: baseUrl + resultsPath(task.runId), ...pagedBy(task.pageSize) }),
			node('Split Out', SPLIT_OUT.type, splitOut, { typeVersion: SPLIT_OUT.version }),
		];
	}
	if (means.by === 'helper') {
		const plan: HelperPlan = { task, sideBySide: means.sideBySide };
		return [node('Helper', HELPER, { plan: JSON.stringify(plan) }, extra)];
	}
	throw new Error(`'${means.by}' works without n8n`);
}

const AUTHENTICATED = {
	method: 'GET',
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'prospectorApi',
};

const optionsOf = ({ batching }: Extract<Means, { by: 'httpRequest' }>): IDataObject =>
	batching ? { batching: { batch: batching } } : {};

/** The node's option 'Pagination', filled in from the API's contract. */
const pagedBy = (pageSize: number): IDataObject => ({
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
