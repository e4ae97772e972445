import { invalid, typeLabel } from '../messages/userMessage';
import { parseNamedValues } from './namedValues';
import { fieldsAndOptions, isEmpty, option, optionalOption, type Parameter } from './parameter';
import { stringList } from './parse';
import { parameterValues } from './readParameters';

const SORT_ORDERS = ['newestFirst', 'oldestFirst'] as const;

export interface ListFilters {
	/** Query parameters of every page's request. */
	query: Record<string, string>;
	/** Statuses to keep; all if empty. */
	statuses: string[];
	/** By creation time; the order of the service if undefined. */
	sort?: (typeof SORT_ORDERS)[number];
}

const queryParameters = option(parseQuery, {
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
});

const sort = optionalOption(parseSort, {
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	options: [
		{ name: 'Newest First', value: 'newestFirst' },
		{ name: 'Oldest First', value: 'oldestFirst' },
	],
	default: 'newestFirst',
	description: 'Order by creation time. The whole list is read first, then Limit applies.',
});

const status = option(stringList('completed, failed'), {
	displayName: 'Status',
	name: 'status',
	type: 'string',
	default: '',
	placeholder: 'e.g. completed, failed',
	description:
		'Only runs with these statuses, separated by commas. The whole list is read first, then Limit applies.',
});

/** @param offered entries of the collection, by name */
const filters = (offered: Array<Parameter<unknown>>): Parameter<ListFilters> => ({
	fields: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: fieldsAndOptions(offered).options,
		},
	],
	read(values) {
		const entries = parameterValues(values.field, 'filters');
		return {
			query: queryParameters.read(entries),
			sort: sort.read(entries),
			statuses: status.read(entries),
		};
	},
});

export const listFilters = filters([queryParameters]);

export const runListFilters = filters([queryParameters, sort, status]);

/** @throws UserError */
function parseSort(value: unknown): (typeof SORT_ORDERS)[number] {
	const order = SORT_ORDERS.find((one) => one === value);
	return (
		order ?? invalid("'Sort' has no such option", 'An expression must return newestFirst or oldestFirst')
	);
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
			if (isEmpty(value)) return [];
			if (['string', 'number', 'boolean'].includes(typeof value)) return [[name, String(value)]];
			return invalid(
				`'${name}' in 'Query Parameters' got ${typeLabel(value)}`,
				'Use a value inside it, e.g. {{ $json.id }}',
			);
		},
	);
	return Object.fromEntries(entries);
}
