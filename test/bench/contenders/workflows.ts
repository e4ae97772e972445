import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../../engine';
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
	return inARow(...nodesFor(job, extra));
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
						options: { pageSize: task.pageSize },
					}
				: { resource: 'run', operation: 'get', runId: byId('={{ $json.runId }}') };
		return [node('Prospector', 'n8n-nodes-prospector.prospector', 1, parameters, extra)];
	}
	if (means.by === 'httpRequest') {
		const request = (parameters: IDataObject) =>
			node(
				'HTTP Request',
				HTTP_REQUEST.type,
				HTTP_REQUEST.version,
				{ ...AUTHENTICATED, ...parameters },
				extra,
			);
		if (task.kind === 'reads') {
			const url = `=${baseUrl}${runPath('{{ $json.runId }}')}`;
			return [request({ url, options: optionsOf(means) })];
		}
		const splitOut = { fieldToSplitOut: 'data', include: 'noOtherFields', options: {} };
		return [
			request({ url: baseUrl + resultsPath(task.runId), ...pagedBy(task.pageSize) }),
			node('Split Out', SPLIT_OUT.type, SPLIT_OUT.version, splitOut),
		];
	}
	if (means.by === 'helper') {
		const plan: HelperPlan = { task, sideBySide: means.sideBySide };
		return [node('Helper', HELPER, 1, { plan: JSON.stringify(plan) }, extra)];
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

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: IDataObject,
	extra: Partial<INode> = {},
): INode => ({
	id: `id of ${name}`,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters: parameters as INode['parameters'],
	...extra,
});

const inARow = (...nodes: INode[]): WorkflowFile => ({
	nodes,
	connections: Object.fromEntries(
		nodes
			.slice(1)
			.map((next, i) => [nodes[i].name, { main: [[{ node: next.name, type: 'main', index: 0 }]] }]),
	),
});
