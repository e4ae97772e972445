// The parameters that filter and sort a list. Used by each Get Many.
import { isObject } from '../utils';
import { fail, typeLabel } from '../messages/userMessage';
import { requireExactNumber, requireWholeCharacters } from './exactJson';
import { groupParameters, isEmpty, maybeOption, option, type Parameter } from './parameter';
import { choice, entryField, namedValues, stringList } from './parse';

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
			if (isEmpty(value)) return undefined;
			if (typeof value === 'number') requireExactNumber(value, name);
			if (['string', 'number', 'boolean'].includes(typeof value))
				return requireWholeCharacters(String(value), name);
			return fail(
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
const sort: Parameter<ListFilters['sort']> = {
	fields: [
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'collection',
			placeholder: 'Add sort',
			default: {},
			options: creationTime.options,
		},
	],
	read({ getField }) {
		const entries = getField('sort', {});
		const value = isObject(entries) ? entries.creationTime : entries;
		return isEmpty(value) ? undefined : sortOrder.parse(value, 'Sort');
	},
};

const status = option(stringList('completed, failed'), {
	displayName: 'Status',
	name: 'status',
	placeholder: 'e.g. completed, failed',
	description:
		'Only runs with these statuses, separated by commas. The whole list is read first, then Limit applies.',
});

export const listFilters: Parameter<ListFilters> = groupParameters({ query: queryParameters });

export const runListFilters: Parameter<ListFilters> = groupParameters({
	query: queryParameters,
	sort,
	statuses: status,
});
