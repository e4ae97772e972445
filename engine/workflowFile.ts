import type { IConnections, INode, IWorkflowBase } from 'n8n-workflow';

/** The part of an n8n workflow file that is executed. */
export interface WorkflowFile {
	id?: string;
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowBase['settings'];
}
