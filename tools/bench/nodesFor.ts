import type { IDataObject, INode } from 'n8n-workflow';
import { byId, node, PROSPECTOR } from '../../test/nodes';
import { HELPER } from './helperNode';

/** What the nodes of a contender read. */
export interface Source {
	baseUrl: string;
	credentials: INode['credentials'];
	/** The run whose results are a list, or the runs that are read one by one. */
	runIds: string[];
	/** Results per request of a list. */
	pageSize: number;
}

/** Returns the nodes that a user would connect. */
export type NodesFor = (source: Source) => INode[];

export const runPath = (runId: string) => `/api/public/v1/prospector/runs/${runId}`;
const resultsUrl = ({ baseUrl, runIds }: Source) => `${baseUrl}${runPath(runIds[0])}/results`;

/** The node also checks the status of the run first, with one request more than the other contenders. */
export const prospectorList =
	(simplify: boolean): NodesFor =>
	({ credentials, runIds, pageSize }) => {
		const list = { resource: 'result', operation: 'getAll', runId: byId(runIds[0]), returnAll: true };
		return [node('Prospector', PROSPECTOR, { ...list, simplify, options: { pageSize } }, { credentials })];
	};

export const helperList: NodesFor = (source) => {
	const { credentials, pageSize } = source;
	return [node('Helper', HELPER, { url: resultsUrl(source), pageSize }, { credentials })];
};

function httpRequest({ credentials }: Source, parameters: IDataObject): INode {
	const authentication = { authentication: 'predefinedCredentialType', nodeCredentialType: 'prospectorApi' };
	const all = { method: 'GET', ...authentication, ...parameters };
	return node('HTTP Request', 'n8n-nodes-base.httpRequest', all, { credentials, typeVersion: 4.5 });
}

/** With the node's option 'Pagination', as the API's contract describes it. */
export const httpRequestList: NodesFor = (source) => {
	const cursor = { type: 'qs', name: 'cursor', value: '={{ $response.body.pagination.next_cursor }}' };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [cursor] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.pagination.has_more }}',
	};
	const request = {
		url: resultsUrl(source),
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: `${source.pageSize}` }] },
		options: { pagination: { pagination } },
	};
	const splitOut = { fieldToSplitOut: 'data', include: 'noOtherFields', options: {} };
	return [httpRequest(source, request), node('Split Out', 'n8n-nodes-base.splitOut', splitOut)];
};

/** One input item per read. */
function itemsFor({ runIds }: Source): INode[] {
	const value = JSON.stringify(runIds.map((runId) => ({ runId })));
	const assignments = [{ id: 'runs', name: 'runs', type: 'array', value }];
	return [
		node('Runs', 'n8n-nodes-base.set', { assignments: { assignments }, options: {} }, { typeVersion: 3.4 }),
		node('Split Runs', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'runs', options: {} }),
	];
}

export const prospectorReads: NodesFor = (source) => {
	const read = { resource: 'run', operation: 'get', runId: byId('={{ $json.runId }}'), simplify: true };
	return [...itemsFor(source), node('Prospector', PROSPECTOR, read, { credentials: source.credentials })];
};

export const httpRequestReads: NodesFor = (source) => {
	const url = `=${source.baseUrl}${runPath('{{ $json.runId }}')}`;
	return [...itemsFor(source), httpRequest(source, { url, options: {} })];
};
