import { Workflow, type IConnections, type IDataObject, type INode, type IWorkflowBase } from 'n8n-workflow';
import type { NodeTypes } from './nodeTypes';

/** The parts of an n8n workflow file that affect its execution. */
export interface WorkflowFile {
	id?: string;
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowBase['settings'];
}

export const idOf = ({ id = 'workflow' }: WorkflowFile): string => id;

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
