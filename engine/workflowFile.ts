import { Workflow, type IConnections, type IDataObject, type INode, type IWorkflowBase } from 'n8n-workflow';
import type { NodeTypes } from './nodeTypes';

/** The part of an n8n workflow file that is executed. */
export interface WorkflowFile {
	id?: string;
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowBase['settings'];
}

/** The id of a file that has none. */
export const idOf = ({ id = 'workflow' }: WorkflowFile): string => id;

/** The n8n workflow of a file, as n8n has it before it executes or activates it. */
export const loadWorkflow = (
	file: WorkflowFile,
	nodeTypes: NodeTypes,
	{ active = false, staticData }: { active?: boolean; staticData?: IDataObject } = {},
): Workflow =>
	new Workflow({
		id: idOf(file),
		name: file.name,
		nodes: file.nodes,
		connections: file.connections,
		active,
		nodeTypes,
		staticData,
		settings: { executionOrder: 'v1', ...file.settings },
	});
