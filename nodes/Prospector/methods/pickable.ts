import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { checkResourceId } from '../transport/resourceId';
import { isProblem } from '../transport/checked';

/** An entry of a picker. */
export interface Pickable extends INodeListSearchItems {
	value: string;
	createdAt: string;
}

/** Whether a resource can be picked at all: what cannot be part of an address is left out. */
export const hasUsableId = ({ id }: IDataObject) =>
	typeof id === 'string' && !isProblem(checkResourceId(id, 'id'));

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** A Prospector workflow by its name and status; by its id where it has no name. */
export function pickableWorkflow(workflow: IDataObject): Pickable {
	const id = String(workflow.id);
	const status = text(workflow.status);
	return {
		name: (text(workflow.name).trim() || id) + (status && ` (${status})`),
		value: id,
		createdAt: text(workflow.created_at),
	};
}

/** A run by what a person remembers of it: which workflow, when, how it went; and by its id. */
export function pickableRun(run: IDataObject, workflow: IDataObject): Pickable {
	const createdAt = text(run.created_at);
	const when = createdAt.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC');
	const id = String(run.id);
	const parts = [text(workflow.name).trim() || String(workflow.id), when, text(run.status), id];
	return { name: parts.filter(Boolean).join(' · '), value: id, createdAt };
}

/** Whether a person who typed this looks for that entry: by name or by id, in any letter case. */
export function matches({ name, value }: Pickable, filter?: string): boolean {
	const wanted = (filter ?? '').trim().toLowerCase();
	return name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}
