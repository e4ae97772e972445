import type { FieldType, IDataObject, ResourceMapperField } from 'n8n-workflow';
import { READ_ONLY_FIELDS } from '../transport/readOnlyFields';

/** The fields that every Prospector workflow has (contract, section 2.3). */
const DOCUMENTED_FIELDS: Array<[string, FieldType]> = [
	['name', 'string'],
	['status', 'string'],
];

/**
 * The fields to offer for Create and Update: `name` and `status`, then what all of the workspace's workflows carry, then
 * what only some do. Which of them the service requires is not shown, so none is called required.
 *
 * @param workflows as the service lists them
 * @param operation Create shows the two known fields from the start, Update none: only what is added is changed
 */
export function inferWorkflowFields(workflows: IDataObject[], operation: 'create' | 'update'): ResourceMapperField[] {
	const known = new Map<string, FieldType | undefined>(DOCUMENTED_FIELDS);
	for (const [name, value] of workflows.flatMap(Object.entries)) {
		if (READ_ONLY_FIELDS.includes(name)) continue;
		known.set(name, commonType(known.get(name), typeOf(value)));
	}
	const always = DOCUMENTED_FIELDS.map(([name]) => name);
	const learned = [...known.keys()].filter((name) => !always.includes(name)).sort();
	const isEverywhere = (name: string) => workflows.every((workflow) => Object.hasOwn(workflow, name));
	const [everywhere, elsewhere] = [
		learned.filter(isEverywhere),
		learned.filter((name) => !isEverywhere(name)),
	];
	return [...always, ...everywhere, ...elsewhere].map((id) => ({
		id,
		displayName: id,
		type: known.get(id) ?? 'string',
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: operation === 'update' || !always.includes(id),
	}));
}

/** @returns undefined for null, which says nothing about the type */
function typeOf(value: unknown): FieldType | undefined {
	if (value === null || value === undefined) return undefined;
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'boolean' || typeof value === 'number') return typeof value as FieldType;
	return typeof value === 'object' ? 'object' : 'string';
}

/** A field that differs between workflows is offered as text, which takes anything. */
function commonType(one?: FieldType, other?: FieldType): FieldType | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return one === other ? one : 'string';
}
