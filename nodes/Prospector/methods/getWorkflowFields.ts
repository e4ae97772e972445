// Finds the fields that Create and Update can offer. Called by the editor's resource mapper; reads a sample of the
// Prospector workflows.
import type { FieldType, IDataObject, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { READ_ONLY_FIELDS } from '../model/resource';
import { ignoreStatuses } from '../api/failure/requestError';
import { endpoints } from '../api/endpoints';
import { collectItems } from '../transport/request/pagination';
import { definedFields, isObject } from '../utils';
import type { EditorCall } from './editorMethod';

/** Enough to find the fields in use, without reading all of a large workspace. */
const SAMPLE_SIZE = 200;
/** A person can't find one of more. */
const MAX_FIELDS_SHOWN = 1000;

/** Returns the fields of Create and Update, inferred from the workspace's Prospector workflows. @throws RequestError */
export async function getWorkflowFields({ client, context }: EditorCall): Promise<ResourceMapperFields> {
	const request = { endpoint: endpoints.listWorkflows };
	const workflowsPromise = collectItems(client, request, { limit: SAMPLE_SIZE }, (workflow) => workflow);
	// With a key that may only write, the documented fields remain.
	const workflows = (await ignoreStatuses(workflowsPromise, [403])) ?? [];
	const isUpdate = context.getCurrentNodeParameter('operation') === 'update';
	const value = context.getCurrentNodeParameter('fields.value');
	const filled = new Set(isObject(value) ? Object.keys(definedFields(value)) : []);
	return { fields: inferFields(workflows, isUpdate, filled) };
}

/** The fields that every Prospector workflow has, as text (contract, section 2.3). */
const DOCUMENTED_FIELDS = ['name', 'status'];

/** The contract does not show which fields are required. Update shows only filled ones: it changes what is added. */
function inferFields(
	workflows: IDataObject[],
	isUpdate: boolean,
	filled: Set<string>,
): ResourceMapperField[] {
	const typesByName = new Map<string, FieldType | undefined>();
	const omittedFields = [...READ_ONLY_FIELDS, ...DOCUMENTED_FIELDS];
	for (const [name, value] of workflows.flatMap(Object.entries)) {
		const isFull = typesByName.size >= MAX_FIELDS_SHOWN && !typesByName.has(name);
		if (isFull || omittedFields.includes(name)) continue;
		const type = (Array.isArray(value) ? 'array' : typeof value) as FieldType;
		// Null can be of any type.
		typesByName.set(name, commonType(typesByName.get(name), value === null ? undefined : type));
	}
	const fieldNames = new Set([...DOCUMENTED_FIELDS, ...[...typesByName.keys()].sort(), ...filled]);
	return [...fieldNames].map((id) => ({
		id,
		displayName: id,
		type: typesByName.get(id) ?? 'string',
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: !filled.has(id) && (isUpdate || !DOCUMENTED_FIELDS.includes(id)),
		// Without it, n8n takes the list for one that a model wrote (n8n-behaviour.md#editor).
		readOnly: false,
	}));
}

/** A field whose type differs is shown as text, which accepts anything. */
function commonType(firstType?: FieldType, secondType?: FieldType): FieldType | undefined {
	if (firstType === undefined || secondType === undefined) return firstType ?? secondType;
	return firstType === secondType ? firstType : 'string';
}
