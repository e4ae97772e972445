// The parameters of a list: Return All, Limit, pages, filters and the order. Used by each Get Many; the trigger uses the
// page size. More tests: test/unit/parameters/listFilters.test.ts.
import { throwUserError, typeLabel } from '../messages/userMessage';
import type { CollectOptions, PageOptions } from '../transport/request/pagination';
import { isObject } from '../utils';
import { requireExactNumber, requireWholeCharacters } from './exactJson';
import {
	field,
	fieldFilledByModel,
	fieldsAndOptions,
	groupParameters,
	hiddenForTool,
	isBlank,
	maybeOption,
	option,
	type Parameter,
	type ValueKind,
} from './parameter';
import { choice, entryField, integer, namedValues, stringList, toggle } from './parse';

/** Return All and Limit don't apply to one page, which is returned whole: a later page would not contain the rest. */
const hiddenForOnePage = { hide: { '/options.returnOnePage': [true] } };

const returnAll = field(toggle, {
	displayName: 'Return All',
	name: 'returnAll',
	displayOptions: hiddenForOnePage,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = field(integer(1), {
	displayName: 'Limit',
	name: 'limit',
	default: 50,
	displayOptions: { show: { returnAll: [false] }, ...hiddenForOnePage },
	description: 'Max number of results to return',
});

const returnOnePage = option(toggle, {
	displayName: 'Return One Page',
	name: 'returnOnePage',
	// A tool's answer has a bound of its own.
	displayOptions: hiddenForTool,
	description:
		'Whether to return one page, to loop over a long list. Each item has a next_cursor, which is null on the last page.',
});

/** Cursors can be any text (contract, section 2.1). */
const cursorText: ValueKind<string> = {
	property: { type: 'string', default: '' },
	parse(value, label) {
		if (value === undefined || value === null) return '';
		if (typeof value === 'string' && value.length <= 8192) return requireWholeCharacters(value, label);
		return throwUserError(`'${label}' is not text`, 'Use {{ $json.next_cursor }} of the page before');
	},
};

const startCursor = maybeOption(cursorText, {
	displayName: 'Start Cursor',
	name: 'startCursor',
	placeholder: 'e.g. {{ $json.next_cursor }}',
	displayOptions: { show: { returnOnePage: [true] } },
	description: 'The next_cursor of the page before. Leave it empty for the first page.',
});

const toolStartCursor = fieldFilledByModel(
	cursorText,
	{
		displayName: 'Start Cursor',
		name: 'startCursor',
		description: 'Where the list continues. The model needs it to read a long list in several calls.',
	},
	'Start_Cursor',
	'The next_cursor of the last answer. Leave it empty for the first items',
);

const PAGE_SIZE = {
	displayName: 'Page Size',
	name: 'pageSize',
	default: 50,
	description: "Items per request. Leave it out to use the service's default.",
};

/** Resources per request; undefined for the service's default. */
export const pageSize = maybeOption(integer(1), PAGE_SIZE);

/** Of an operation that can return the results of a run, or the run. */
export const pageSizeOfResults = maybeOption(integer(1), {
	...PAGE_SIZE,
	displayOptions: { show: { '/returnResults': [true] } },
});

export interface GetManyOptions extends PageOptions, Pick<CollectOptions, 'limit'> {
	isOnePage: boolean;
}

export const getManyOptions: Parameter<GetManyOptions> = {
	...fieldsAndOptions([returnAll, limit, toolStartCursor, pageSize, returnOnePage, startCursor]),
	read(values) {
		const isOnePage = returnOnePage.read(values);
		const isUnlimited = isOnePage || returnAll.read(values);
		return {
			isOnePage,
			limit: isUnlimited ? undefined : limit.read(values),
			pageSize: pageSize.read(values),
			startCursor: toolStartCursor.read(values) || (isOnePage ? startCursor.read(values) : undefined),
		};
	},
};

const sortOrder = choice([
	{ name: 'Newest First', value: 'newestFirst' },
	{ name: 'Oldest First', value: 'oldestFirst' },
]);

export interface ListFilters {
	/** Query parameters of every page's request. */
	query: Record<string, string>;
	/** Statuses to keep; all if empty. */
	statuses?: string[];
	/** By creation time; the order of the service if undefined. */
	sort?: 'newestFirst' | 'oldestFirst';
}

const queryParameters = option(
	namedValues(
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [entryField('Name', 'Name of the parameter'), entryField('Value', 'Value of the parameter')],
		},
		({ value }, name, label) => {
			requireWholeCharacters(name, label);
			if (isBlank(value)) return undefined;
			if (typeof value === 'number') requireExactNumber(value, name);
			if (['string', 'number', 'boolean'].includes(typeof value))
				return requireWholeCharacters(String(value), name);
			return throwUserError(
				`'${name}' in '${label}' got ${typeLabel(value)}`,
				'Use a value inside it, e.g. {{ $json.id }}',
			);
		},
	),
	{
		displayName: 'Query Parameters',
		name: 'queryParameters',
		description: 'Added to the request of each page. The service documents none.',
	},
);

const creationTime = maybeOption(sortOrder, {
	displayName: 'Creation Time',
	name: 'creationTime',
	default: 'newestFirst',
	description: 'The whole list is read first, then Limit applies',
});

/** A collection of its own, as in n8n's nodes. */
const sort: Parameter<ListFilters['sort']> = field(
	{
		property: { type: 'collection', placeholder: 'Add sort', options: creationTime.options },
		parse(entries, label) {
			const value = isObject(entries) ? entries.creationTime : entries;
			return isBlank(value) ? undefined : sortOrder.parse(value, label);
		},
	},
	{ displayName: 'Sort', name: 'sort', default: {} },
);

const status = option(stringList('completed, failed'), {
	displayName: 'Status',
	name: 'status',
	placeholder: 'e.g. completed, failed',
	description:
		'Only runs with these statuses, separated by commas. The whole list is read first, then Limit applies.',
});

export const queryFilters: Parameter<ListFilters> = groupParameters({ query: queryParameters });

export const runListFilters: Parameter<ListFilters> = groupParameters({
	query: queryParameters,
	sort,
	statuses: status,
});
