import { readFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { IDataObject } from 'n8n-workflow';
import type { OperationName } from '../../sandbox/types';
import { byId } from '../nodes';
import type { Environment } from './environment';

/** The part of an environment that tests in a whole n8n have, too. */
type OnSandbox = Pick<Environment, 'sandbox'>;

/** One operation of the contract's table (section 4), or the identity check, and what the node makes of it. */
export interface Row {
	title: string;
	resource: string;
	operation: string;
	/** The sandbox's name for it. */
	calls: OperationName;
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Below `/api/public/v1`; `ID` stands for the id. */
	path: string;
	scope: 'me.read' | 'prospector.read' | 'prospector.run';
	id?: 'workflowId' | 'runId';
	/** The `object` of the resources that it returns (contract, section 2.3). */
	object: string;
	/** Has a request body. */
	body?: true;
	/** Sends an idempotency key. */
	keyed?: true;
	/** Returns an item per resource. */
	list?: true;
	/** Returns runs with their outcome. */
	outcome?: 'finished' | 'failed';
	/** Simplified by default: without `object` and `updated_at`. */
	simplified?: true;
	/** Reads its run and the Prospector workflow before its own request. */
	checked?: true;
	/** Completes "This API key is not allowed to …". */
	purpose: string;
}

const W = '/prospector/workflows';

/** Independent of the node and the sandbox, which generic tests compare with it. The order does not matter. */
const TABLE = `
Account  getSettings getConfig      GET    /prospector/config          prospector.read -          prospector_config   -                                read the prospecting settings
Account  getIdentity getMe          GET    /me                         me.read         -          api_key             -                                read its own identity
Workflow getAll      listWorkflows  GET    ${W}                        prospector.read -          prospector_workflow list,simplified                  list Prospector workflows
Workflow create      createWorkflow POST   ${W}                        prospector.run  -          prospector_workflow body,keyed                       create Prospector workflows
Workflow get         getWorkflow    GET    ${W}/ID                     prospector.read workflowId prospector_workflow simplified                       read Prospector workflows
Workflow update      updateWorkflow PATCH  ${W}/ID                     prospector.run  workflowId prospector_workflow body                             update Prospector workflows
Workflow delete      deleteWorkflow DELETE ${W}/ID                     prospector.run  workflowId prospector_workflow -                                delete Prospector workflows
Workflow run         runWorkflow    POST   ${W}/ID/run                 prospector.run  workflowId prospector_run      keyed,outcome=finished           start runs
Run      getAll      listRuns       GET    ${W}/ID/runs                prospector.read workflowId prospector_run      list,simplified,outcome=finished list the runs of a Prospector workflow
Run      get         getRun         GET    /prospector/runs/ID         prospector.read runId      prospector_run      simplified,outcome=finished      read runs
Result   getAll      listResults    GET    /prospector/runs/ID/results prospector.read runId      prospector_result   list,simplified,checked          list the results of a run
`;

export const everyOperation: Row[] = TABLE.trim()
	.split('\n')
	.map((line) => {
		const [resource, operation, calls, method, path, scope, id, object, kinds, ...purpose] =
			line.split(/\s+/);
		const entries = kinds.split(',').map((kind) => kind.split('='));
		return {
			title: `${resource} › ${operation}`,
			resource: resource.toLowerCase(),
			operation,
			calls,
			method,
			path,
			scope,
			...(id !== '-' && { id }),
			object,
			...(kinds !== '-' && Object.fromEntries(entries.map(([kind, value = true]) => [kind, value]))),
			purpose: purpose.join(' '),
		} as Row;
	});

export const operationsByTitle = everyOperation.map((row) => [row.title, row] as const);

export const findOperation = (title: string) => everyOperation.find((row) => row.title === title) as Row;

/** Returns the JSON Schema of the output that n8n shows before the first execution. @param path such as `run/get` */
export const previewOf = (path: string) =>
	JSON.parse(readFileSync(`nodes/Prospector/__schema__/v1.0.0/${path}.json`, 'utf8')) as {
		properties: object;
	};

export const previewedFields = (path: string) => Object.keys(previewOf(path).properties);

/** A resource as a simplified item shows it. */
export const simplifyResource = (resource: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(resource).filter(([name]) => !['object', 'updated_at'].includes(name)));

/**
 * The node's parameters for an operation. By default with the ID and name of the input item, and without the node's own
 * retries.
 */
export const parametersFor = (
	row: Row,
	id = '={{ $json.id }}',
	{ options, ...rest }: IDataObject = {},
): IDataObject => ({
	resource: row.resource,
	operation: row.operation,
	...(row.id && { [row.id]: byId(id) }),
	...(row.body && { enterValues: 'json', jsonBody: '={{ { name: $json.name } }}' }),
	...(row.list && { returnAll: true }),
	options: { retryFor: 0, ...(options as IDataObject) },
	...rest,
});

/** Input items with IDs that exist: of new Prospector workflows, or of their runs with two results each. */
export function inputFor({ sandbox: { control } }: OnSandbox, row: Row, count: number) {
	const { workflows, runs } = control.seed({
		workflows: Array.from({ length: count }, () => ({ runs: [{ results: 2 }] })),
	});
	const ids = row.id === 'runId' ? runs : workflows;
	return ids.map((id, i) => ({ id, name: `Name ${i + 1}` }));
}

/** Sends a GET request without the node and n8n. */
export async function fetchDirectly(
	{ sandbox }: OnSandbox,
	path: string,
): Promise<{ data: IDataObject & IDataObject[] }> {
	const headers = { Authorization: `Bearer ${sandbox.keys.full}` };
	const response = await fetch(`${sandbox.baseUrl}/api/public/v1${path}`, { headers });
	return (await response.json()) as { data: IDataObject & IDataObject[] };
}
