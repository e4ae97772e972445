import { LoadOptionsContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { PROSPECTOR, type Environment } from './support';

/** What a person's editor asks for, in the way n8n's server does it: no execution, a workflow of one node. */
export async function askEditor<T>(
	bench: Pick<Environment, 'nodeTypes' | 'credentials' | 'prospector'>,
	kind: 'listSearch' | 'resourceMapping' | 'loadOptions',
	method: string,
	rest: Asked = {},
): Promise<T> {
	const { parameters = {}, key = 'full', args = [], type = PROSPECTOR } = rest;
	const node = bench.prospector(parameters, { name: 'Temp-Node' }, key);
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: bench.nodeTypes,
	});
	const additionalData = {
		credentialsHelper: bench.credentials,
		currentNodeParameters: parameters as INodeParameters,
	} as unknown as IWorkflowExecuteAdditionalData;
	const context = new LoadOptionsContext(workflow, workflow.nodes[node.name], additionalData, 'parameters.x');
	const { methods } = bench.nodeTypes.getByNameAndVersion(type);
	const found = methods?.[kind]?.[method] as (this: unknown, ...args: unknown[]) => Promise<T>;
	return await found.call(context, ...args);
}

interface Asked {
	parameters?: IDataObject;
	key?: string;
	args?: unknown[];
	/** Node type that has the method. */
	type?: string;
}
