import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ApiRequest } from '../transport/failure/failure';
import { collectItems, firstNonEmptyPage } from '../transport/request/pagination';
import type { ItemContext } from '../actions/operation';
import { toOutput } from '../model/resource';
import { parseBoolean } from '../actions/fields/boolean';
import { parseInteger } from '../actions/fields/number';
import { readOption, readParameter } from './readParameters';
import { valueOrThrow } from '../actions/fields/unwrap';

/** Neither applies to a page, which is returned whole: whatever it left out would be in no page. */
const unlessOnePage = { hide: { '/options.returnOnePage': [true] } };

export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		displayOptions: unlessOnePage,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] }, ...unlessOnePage },
		description: 'Max number of results to return',
	},
];

export const pageSizeOption: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description:
		'How many to ask for per request. When not set, the service decides, whose default and maximum are not documented.',
};

export const listOptions: INodeProperties[] = [
	pageSizeOption,
	{
		displayName: 'Return One Page',
		name: 'returnOnePage',
		type: 'boolean',
		default: false,
		description:
			'Whether to return a single page, however long, for a loop over a long list. Each item carries next_cursor: the Start Cursor of the next page, or null on the last one. Return All and Limit do not apply.',
	},
	{
		displayName: 'Start Cursor',
		name: 'startCursor',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.next_cursor }}',
		description:
			'Where to begin: the next_cursor of an earlier page. When empty, the list begins at its start.',
	},
];

/** What of a list is wanted. */
export interface GetManyOptions {
	onePage: boolean;
	/** Every resource if absent. */
	limit?: number;
	/** Resources per request; the service's own number if absent. */
	pageSize?: number;
	/** The beginning of the list if absent. */
	startCursor?: string;
}

/** @throws NodeOperationError when a field cannot be used */
export function readListPlan(context: IExecuteFunctions, itemIndex: number): GetManyOptions {
	const isOn = (value: unknown, label: string) => valueOrThrow(context, parseBoolean(value, label));
	const whole = (value: unknown, label: string) =>
		valueOrThrow(context, parseInteger(value, label, 1, Number.MAX_SAFE_INTEGER));
	const onePage = isOn(readOption(context, 'returnOnePage', itemIndex), 'Return One Page');
	const all = onePage || isOn(readParameter(context, 'returnAll', itemIndex, false), 'Return All');
	const pageSize = readOption(context, 'pageSize', itemIndex);
	const startCursor = readOption(context, 'startCursor', itemIndex);
	return {
		onePage,
		limit: all ? undefined : whole(readParameter(context, 'limit', itemIndex, 50), 'Limit'),
		pageSize: pageSize === undefined ? undefined : whole(pageSize, 'Page Size'),
		startCursor: startCursor === undefined ? undefined : valueOrThrow(context, checkCursor(startCursor)),
	};
}

/** Reads a list as the fields above say, one output item per resource. */
export async function getMany(
	{ context, client, itemIndex, notes }: ItemContext,
	call: ApiRequest,
	plan = readListPlan(context, itemIndex),
): Promise<IDataObject[]> {
	const { onePage, ...wanted } = plan;
	if (!onePage)
		return await collectItems(client, call, { ...wanted, onCut: () => notes.cutLists++ }, toOutput);
	const page = await firstNonEmptyPage(client, call, wanted);
	const next = { next_cursor: page?.nextCursor ?? null };
	return page?.resources.map((resource) => toOutput(resource, page.requestId, next)) ?? [];
}

/** Cursors are opaque (contract, section 2.1): only what cannot be one is refused. */
export function checkCursor(value: unknown) {
	if (typeof value === 'string' && value.length <= 8192) return { value };
	return {
		message: "'Start Cursor' is not a cursor",
		description: "Use a 'next_cursor' that the service gave, as it is",
	};
}
