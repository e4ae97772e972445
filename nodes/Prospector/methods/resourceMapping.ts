import type { FieldType, IDataObject, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { READ_ONLY_FIELDS } from '../model/resource';
import { hasStatus } from '../transport/failure/requestError';
import { endpoints } from '../transport/request/endpoints';
import { paginate } from '../transport/request/pagination';
import type { Editor } from './editorMethod';

/** Enough to find the fields in use, without reading all of a large workspace. */
const MAX_WORKFLOWS = 200;

/**
 * Returns the fields of Create and Update, inferred from the workspace's Prospector workflows.
 *
 * @throws RequestError when no Prospector workflow can be read, unless a permission is missing
 */
export async function getWorkflowFields({ client, currentParameter }: Editor): Promise<ResourceMapperFields> {
	const workflows: IDataObject[] = [];
	let failure: unknown;
	try {
		for await (const page of paginate(client, { endpoint: endpoints.listWorkflows })) {
			for (const workflow of page.resources) workflows.push(workflow);
			if (workflows.length >= MAX_WORKFLOWS) break;
		}
	} catch (thrown) {
		failure = thrown;
	}
	// With a key that may only write, the documented fields remain.
	if (failure !== undefined && !hasStatus(failure, 403) && workflows.length === 0) throw failure;
	return { fields: inferWorkflowFields(workflows, currentParameter('operation') === 'update') };
}

/** The fields that every Prospector workflow has (contract, section 2.3). */
const DOCUMENTED_FIELDS: Array<[string, FieldType]> = [
	['name', 'string'],
	['status', 'string'],
];

/**
 * Returns `name` and `status`, then the fields of all Prospector workflows, then those of some. The contract does not
 * show which ones the service requires.
 *
 * @param isUpdate whether to show no field at first, because only what is added is changed
 */
function inferWorkflowFields(workflows: IDataObject[], isUpdate: boolean): ResourceMapperField[] {
	const types = new Map<string, FieldType | undefined>(DOCUMENTED_FIELDS);
	for (const [name, value] of workflows.flatMap(Object.entries)) {
		if (!READ_ONLY_FIELDS.includes(name)) types.set(name, commonType(types.get(name), typeOf(value)));
	}
	const documented = DOCUMENTED_FIELDS.map(([name]) => name);
	const inferred = [...types.keys()].filter((name) => !documented.includes(name)).sort();
	const isInAll = (name: string) => workflows.every((workflow) => Object.hasOwn(workflow, name));
	const names = [...documented, ...inferred.filter(isInAll), ...inferred.filter((name) => !isInAll(name))];
	return names.map((id) => ({
		id,
		displayName: id,
		type: types.get(id) ?? 'string',
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: isUpdate || !documented.includes(id),
	}));
}

/** Returns undefined for null, which can be of any type. */
function typeOf(value: unknown): FieldType | undefined {
	if (value === null || value === undefined) return undefined;
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'boolean' || typeof value === 'number') return typeof value as FieldType;
	return typeof value === 'object' ? 'object' : 'string';
}

/** A field whose type differs is shown as text, which accepts anything. */
function commonType(one?: FieldType, other?: FieldType): FieldType | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return one === other ? one : 'string';
}
