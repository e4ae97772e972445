import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { invalid, typeLabel } from '../messages/userMessage';
import { isObject } from '../utils';
import type { Parameter } from './parameter';
import { parseNamedValues } from './namedValues';
import { stringList } from './parse';

const SORT_ORDERS = ['newestFirst', 'oldestFirst'] as const;

export interface ListFilters {
	/** Query parameters of every page's request. */
	query: Record<string, string>;
	/** Statuses to keep; all if empty. */
	statuses: string[];
	/** By creation time; the order of the service if undefined. */
	sort?: (typeof SORT_ORDERS)[number];
}

const queryParametersField: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'queryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Parameter',
	default: {},
	description: 'Added to the request of each page. The service documents none.',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					description: 'Name of the parameter',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description: 'Value of the parameter',
				},
			],
		},
	],
};

const runFilters: INodeProperties[] = [
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'options',
		options: [
			{ name: 'Newest First', value: 'newestFirst' },
			{ name: 'Oldest First', value: 'oldestFirst' },
		],
		default: 'newestFirst',
		description: 'Order by creation time. The whole list is read first, then Limit applies.',
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'string',
		default: '',
		placeholder: 'e.g. completed, failed',
		description:
			'Only runs with these statuses, separated by commas. The whole list is read first, then Limit applies.',
	},
];

/** @param options entries of the collection, by name */
const filters = (options: INodeProperties[]): Parameter<ListFilters> => ({
	fields: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options,
		},
	],
	read(values) {
		const collection = values.field('filters', {});
		const { queryParameters, sort, status } = isObject(collection) ? collection : ({} as IDataObject);
		return { query: parseQuery(queryParameters), sort: parseSort(sort), statuses: parseStatuses(status) };
	},
});

export const listFilters = filters([queryParametersField]);

export const runListFilters = filters([queryParametersField, ...runFilters]);

const parseStatuses = (value: unknown) => stringList('completed, failed')(value, 'Status');

/** @throws UserError */
function parseSort(value: unknown): ListFilters['sort'] {
	if (value === undefined || value === null || value === '') return undefined;
	const sort = SORT_ORDERS.find((order) => order === value);
	return sort ?? invalid("'Sort' has no such option", 'An expression must return newestFirst or oldestFirst');
}

const QUERY = {
	label: 'Query Parameters',
	list: 'parameter',
	example: '[{ "name": "city", "value": "Ghent" }]',
};

/** Returns the query parameters that have a value. @throws UserError */
function parseQuery(collection: unknown): Record<string, string> {
	const entries = [...parseNamedValues(collection, QUERY)].flatMap(
		([name, { value }]): Array<[string, string]> => {
			if (value === undefined || value === null || value === '') return [];
			if (['string', 'number', 'boolean'].includes(typeof value)) return [[name, String(value)]];
			return invalid(
				`'${name}' in 'Query Parameters' got ${typeLabel(value)}`,
				'Use a value inside it, e.g. {{ $json.id }}',
			);
		},
	);
	return Object.fromEntries(entries);
}
