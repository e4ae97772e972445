// Resources of the service as output items: their IDs, and which fields they get and keep. Used by the node, the
// trigger and the editor's methods; changes no value of the service.
import type { IDataObject } from 'n8n-workflow';
import { foldCase, toText } from '../utils';

/** Fields that the service sets itself (contract, section 2.2). */
export const READ_ONLY_FIELDS = ['id', 'object', 'created_at', 'updated_at'];

/** In the order of output items. */
export const NODE_ADDED_FIELDS = [
	'error_details',
	'error_details_2',
	'deleted',
	'run_id',
	'run_status',
	'previous_status',
	'run_outcome',
	'workflow_id',
	'workflow_name',
	'run_request_id',
	'request_id',
	'idempotency_key',
	'next_cursor',
];

/** Where an item comes from. If the service sends these fields itself, they stay as it sent them. */
const ORIGIN_FIELDS = ['run_id', 'run_status', 'workflow_id', 'workflow_name'] as const;

/** What is known about the start of a run. */
const START_FIELDS = ['run_request_id', 'idempotency_key'] as const;

/** Returns a resource as an output item: its own fields, and the request that returned it (contract, section 2.1). */
export function toOutputItem(
	resource: IDataObject,
	requestId: string,
	extraFields: IDataObject = {},
): IDataObject {
	const item = { ...resource };
	if ('error' in item) {
		// n8n takes an item with a field `error` for a failed one (n8n-behaviour.md#output).
		const { error } = item;
		delete item.error;
		if (error !== undefined)
			item[Object.hasOwn(item, 'error_details') ? 'error_details_2' : 'error_details'] = error;
	}
	// If the service names another run or Prospector workflow, what is known is not about that one.
	const isFromElsewhere = (['run_id', 'workflow_id'] as const).some((name) => {
		const expectedId = toText(extraFields[name]);
		return expectedId !== '' && namesAnother(resource[name], expectedId);
	});
	const addedFields = { ...extraFields };
	if (isFromElsewhere) for (const name of [...ORIGIN_FIELDS, ...START_FIELDS]) delete addedFields[name];
	for (const name of ORIGIN_FIELDS) if ((resource[name] ?? null) !== null) delete addedFields[name];
	Object.assign(item, addedFields);
	item.request_id = requestId;
	return item;
}

/** Longer than any ID; keeps a pasted document out of the address. */
const MAX_RESOURCE_ID_LENGTH = 512;

type IdFlaw = 'empty' | 'webAddress' | 'template' | 'notAnId' | 'wrongType';

/** Returns why an ID can't be part of an address; undefined if it can. The contract says only that IDs are text. */
export function findIdFlaw(value: unknown): IdFlaw | undefined {
	// A larger number has lost its last digits, and would name another resource.
	const isIdType = typeof value === 'string' || Number.isSafeInteger(value);
	if (!isIdType && value !== undefined && value !== null) return 'wrongType';
	if (toText(value).length > 2 * MAX_RESOURCE_ID_LENGTH) return 'notAnId';
	const id = toText(value).trim();
	if (id === '') return 'empty';
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(id)) return 'webAddress';
	if (id.startsWith('{{')) return 'template';
	if (id.includes('[object ')) return 'wrongType';
	// Half of a surrogate pair (Cs) can't be encoded into an address.
	const isNoId = ['.', '..'].includes(id) || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(id);
	return isNoId || id.length > MAX_RESOURCE_ID_LENGTH ? 'notAnId' : undefined;
}

/**
 * Whether an ID or a name in a response is another one than in the request. Letter case may differ, because a service
 * may ignore it (contract, section 2.2); nothing is known without a value.
 */
export function namesAnother(received: unknown, expected: string): boolean {
	const receivedText = toText(received);
	// Most are equal, and every item is compared.
	if (receivedText === '' || receivedText === expected) return false;
	return foldCase(receivedText.trim()) !== foldCase(expected.trim());
}

/** Returns an ID as text without white space around it; undefined if it can't be part of an address. */
export const toUsableId = (value: unknown): string | undefined =>
	findIdFlaw(value) === undefined ? toText(value).trim() : undefined;

/** Every result gets the name. */
const MAX_NAME_LENGTH = 1000;

/** Returns the name of a resource; undefined if it has none, or if it is another resource than the expected one. */
export const nameOf = ({ id, name }: IDataObject, expectedId: string): string | undefined =>
	typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH && !namesAnother(id, expectedId)
		? name
		: undefined;

export const hasValidId = ({ id }: IDataObject): boolean =>
	typeof id === 'string' && findIdFlaw(id) === undefined;

export interface FieldSelection {
	/** Whether to leave out {@link TECHNICAL_FIELDS}. */
	simplify: boolean;
	/** Fields to return, instead of what `simplify` keeps, if any is named. */
	fields: string[];
}

/** Fields that say nothing about the resource itself. All others may be fields that the workspace defines. */
const TECHNICAL_FIELDS = new Set(['object', 'updated_at', 'run_request_id', 'idempotency_key']);

const ALWAYS_INCLUDED_FIELDS = new Set(['id', ...NODE_ADDED_FIELDS]);

/** How to make items from objects with the same fields. */
interface CopyPlan {
	names: string[];
	/** Whether the added fields are the same in all items, because the resource has no field of these names. */
	areAddedFieldsConstant: boolean;
	copiedNames: string[];
	/** An item without what is copied. */
	template: IDataObject;
}

/** V8 shares no hidden class between objects with more fields. */
const MAX_SHARED_FIELDS = 1000;

/** More than a list with optional fields has. */
const MAX_COPY_PLANS = 20;

/**
 * Selects the fields of items. Items with the same fields are copies of one template, so that they share its hidden
 * class. In a process as large as n8n, V8 would give each object that is built field by field a class of its own, which
 * takes 2 KB (decisions/0008).
 */
export class FieldSelector {
	/** The fields of the first item. */
	knownNames?: string[];
	/** The wanted fields that no item had. */
	readonly missingNames: Set<string>;
	private readonly findCopyPlan = this.createCopyPlanFinder();

	constructor(private readonly selection: FieldSelection) {
		this.missingNames = new Set(selection.fields);
	}

	/** Returns an item with the selected fields. */
	select = (item: IDataObject): IDataObject => {
		const plan = this.findCopyPlan(item, () => item);
		return copyFields(item, plan);
	};

	/** Returns a resource as an output item with the selected fields. */
	toItem: typeof toOutputItem = (...resource) => this.select(toOutputItem(...resource));

	/** Returns a function that turns resources of a list into output items with the selected fields, in one copy. */
	createMapper(extraFields: IDataObject = {}): typeof toOutputItem {
		const findCopyPlan = this.createCopyPlanFinder(Object.keys(extraFields));
		return (resource, requestId) => {
			const toItem = () => toOutputItem(resource, requestId, extraFields);
			const plan = findCopyPlan(resource, toItem);
			if (!plan.areAddedFieldsConstant) return this.select(toItem());
			const item = copyFields(resource, plan);
			item.request_id = requestId;
			return item;
		};
	}

	/** @param addedNames of fields that replace those of the same name */
	private createCopyPlanFinder(addedNames: string[] = []) {
		const plans = new Map<string, CopyPlan>();
		let last: CopyPlan | undefined;
		return (source: IDataObject, toItem: () => IDataObject): CopyPlan => {
			const names = Object.keys(source);
			const isSame = names.length === last?.names.length && names.every((name, i) => name === last?.names[i]);
			if (last && isSame) return last;
			const key = JSON.stringify(names);
			last = plans.get(key) ?? this.createCopyPlan(names, source, toItem(), addedNames);
			if (plans.size < MAX_COPY_PLANS) plans.set(key, last);
			return last;
		};
	}

	private createCopyPlan(
		names: string[],
		source: IDataObject,
		item: IDataObject,
		addedNames: string[],
	): CopyPlan {
		const isOwnName = (name: string) => Object.hasOwn(source, name);
		const itemNames = Object.keys(item);
		this.knownNames ??= itemNames;
		for (const name of itemNames) this.missingNames.delete(name);
		// The cast is for the rule no-unsafe-keys: each name is an own field of the item, even if it is __proto__.
		const selectedNames = selectNames(itemNames, this.selection) as Array<'id'>;
		const fields = selectedNames.map((name) => [name, isOwnName(name) ? null : item[name]]);
		const template = Object.fromEntries(fields) as IDataObject;
		const canShareClass = selectedNames.length <= MAX_SHARED_FIELDS;
		return {
			names,
			areAddedFieldsConstant: !['error', ...ORIGIN_FIELDS, ...addedNames].some(isOwnName),
			copiedNames: selectedNames.filter(isOwnName),
			template: canShareClass ? (JSON.parse(JSON.stringify(template)) as IDataObject) : template,
		};
	}
}

function copyFields(source: IDataObject, { template, copiedNames }: CopyPlan): IDataObject {
	const item = { ...template };
	// The cast is for the rule no-unsafe-keys: each name is an own field of both, even if it is __proto__.
	for (const name of copiedNames as Array<'id'>) item[name] = source[name];
	return item;
}

const FIRST_FIELDS = ['company_name', 'name', 'status', 'run_outcome'];
const LAST_FIELDS = ['lead_id', 'created_at', 'updated_at', 'object', ...NODE_ADDED_FIELDS, 'id'];

/** Sort keys: a table shows the lowest first. The workspace's own fields (0) are in between. */
const COLUMN_BY_NAME = new Map([
	...LAST_FIELDS.map((name, index) => [name, index + 1] as const),
	...FIRST_FIELDS.map((name, index) => [name, index - FIRST_FIELDS.length] as const),
]);

const columnOf = (name: string) => COLUMN_BY_NAME.get(name) ?? 0;

function selectNames(names: string[], { fields, simplify: isSimplified }: FieldSelection): string[] {
	const selectedNames = new Set(fields);
	const isWanted = (name: string) =>
		fields.length > 0
			? selectedNames.has(name) || ALWAYS_INCLUDED_FIELDS.has(name)
			: !isSimplified || !TECHNICAL_FIELDS.has(name);
	return names.filter(isWanted).sort((one, other) => columnOf(one) - columnOf(other));
}
