import type { FieldType, IDataObject, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { READ_ONLY_FIELDS } from '../model/resource';
import { hasStatus } from '../api/failure/requestError';
import { endpoints } from '../api/endpoints';
import { paginate } from '../transport/request/pagination';
import { jsonTypeOf } from '../utils';
import type { Editor } from './editorMethod';

/** Enough to find the fields in use, without reading all of a large workspace. */
const ENOUGH_WORKFLOWS = 200;

/**
 * Returns the fields of Create and Update, inferred from the workspace's Prospector workflows.
 *
 * @throws RequestError when no Prospector workflow can be read, unless a permission is missing
 */
export async function getWorkflowFields({ client, context }: Editor): Promise<ResourceMapperFields> {
	const workflows: IDataObject[] = [];
	let failure: unknown;
	try {
		for await (const page of paginate(client, { endpoint: endpoints.listWorkflows })) {
			for (const workflow of page.resources) workflows.push(workflow);
			if (workflows.length >= ENOUGH_WORKFLOWS) break;
		}
	} catch (thrown) {
		failure = thrown;
	}
	// With a key that may only write, the documented fields remain.
	if (failure !== undefined && !hasStatus(failure, 403) && workflows.length === 0) throw failure;
	const isUpdate = context.getCurrentNodeParameter('operation') === 'update';
	return { fields: inferWorkflowFields(workflows, isUpdate) };
}

/** The fields that every Prospector workflow has, as text (contract, section 2.3). */
const DOCUMENTED_FIELDS = ['name', 'status'];

/**
 * Returns `name` and `status`, then the fields of all Prospector workflows, then those of some. The contract does not
 * show which ones the service requires.
 *
 * @param isUpdate whether to show no field at first, because only what is added is changed
 */
function inferWorkflowFields(workflows: IDataObject[], isUpdate: boolean): ResourceMapperField[] {
	const types = new Map<string, FieldType | undefined>();
	const omitted = [...READ_ONLY_FIELDS, ...DOCUMENTED_FIELDS];
	for (const [name, value] of workflows.flatMap(Object.entries)) {
		if (omitted.includes(name)) continue;
		// Null can be of any type.
		const type = value === null ? undefined : (jsonTypeOf(value) as FieldType);
		types.set(name, commonType(types.get(name), type));
	}
	const inferred = [...types.keys()].sort();
	const isInAll = (name: string) => workflows.every((workflow) => Object.hasOwn(workflow, name));
	const names = [
		...DOCUMENTED_FIELDS,
		...inferred.filter(isInAll),
		...inferred.filter((name) => !isInAll(name)),
	];
	return names.map((id) => ({
		id,
		displayName: id,
		type: types.get(id) ?? 'string',
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: isUpdate || !DOCUMENTED_FIELDS.includes(id),
	}));
}

/** A field whose type differs is shown as text, which accepts anything. */
function commonType(one?: FieldType, other?: FieldType): FieldType | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return one === other ? one : 'string';
}
