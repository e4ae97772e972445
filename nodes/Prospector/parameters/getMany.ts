import type { INodeProperties } from 'n8n-workflow';
import { invalid } from '../messages/userMessage';
import { field, option, optionOrUndefined, type Parameter } from './parameter';
import { integer, parseBoolean } from './parse';

/** Neither applies to a page, which is returned whole: a later page would not contain the rest. */
const unlessOnePage = { hide: { '/options.returnOnePage': [true] } };

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	displayOptions: unlessOnePage,
	description: 'Whether to return all results or only up to a given limit',
};

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] }, ...unlessOnePage },
	description: 'Max number of results to return',
};

const returnOnePage: INodeProperties = {
	displayName: 'Return One Page',
	name: 'returnOnePage',
	type: 'boolean',
	default: false,
	description:
		'Whether to return a single page, however long, for a loop over a long list. Each item carries next_cursor: the Start Cursor of the next page, or null on the last one. Return All and Limit do not apply.',
};

const startCursor: INodeProperties = {
	displayName: 'Start Cursor',
	name: 'startCursor',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.next_cursor }}',
	description:
		'Where to begin: the next_cursor of an earlier page. When empty, the list begins at its start.',
};

/** Resources per request; undefined for the service's default. */
export const pageSize = (description: string): Parameter<number | undefined> => ({
	options: [
		{
			displayName: 'Page Size',
			name: 'pageSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description,
		},
	],
	read(values) {
		const value = optionOrUndefined(values, 'pageSize');
		return value === undefined ? undefined : integer(1)(value, 'Page Size');
	},
});

const nodePageSize = pageSize(
	'How many to ask for per request. When not set, the service decides, whose default and maximum are not documented.',
);

export interface GetManyOptions {
	onePage: boolean;
	/** Maximum number of resources; all if absent. */
	limit?: number;
	pageSize?: number;
	/** The beginning of the list if absent. */
	startCursor?: string;
}

export const getManyOptions: Parameter<GetManyOptions> = {
	fields: [returnAll, limit],
	options: [...(nodePageSize.options ?? []), returnOnePage, startCursor],
	read(values) {
		const onePage = option(returnOnePage, parseBoolean).read(values);
		const isAll = onePage || field(returnAll, parseBoolean).read(values);
		return {
			onePage,
			limit: isAll ? undefined : field(limit, integer(1)).read(values),
			pageSize: nodePageSize.read(values),
			startCursor: parseCursor(optionOrUndefined(values, 'startCursor')),
		};
	},
};

/** Cursors can be any text (contract, section 2.1). @throws UserError */
function parseCursor(value: unknown): string | undefined {
	if (value === undefined || (typeof value === 'string' && value.length <= 8192)) return value;
	return invalid("'Start Cursor' is not a cursor", "Use a 'next_cursor' that the service gave, as it is");
}
