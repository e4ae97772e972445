import { invalid, typeLabel } from '../messages/userMessage';
import { parseNamedValues } from './parseNamedValues';
import { fieldsAndOptions, isEmpty, option, optionalOption, type Parameter } from './parameter';
import { choice, stringList } from './parse';
import { parameterValues } from './parameterReader';

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

const sort = optionalOption(choice(SORT_ORDERS), {
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

/** Returns the query parameters that have a value. @throws UserError */
function parseQuery(collection: unknown, label: string): Record<string, string> {
	const example = '[{ "name": "city", "value": "Ghent" }]';
	const entries = [...parseNamedValues(collection, { label, list: 'parameter', example })].flatMap(
		([name, { value }]): Array<[string, string]> => {
			if (isEmpty(value)) return [];
			if (['string', 'number', 'boolean'].includes(typeof value)) return [[name, String(value)]];
			return invalid(
				`'${name}' in '${label}' got ${typeLabel(value)}`,
				'Use a value inside it, e.g. {{ $json.id }}',
			);
		},
	);
	return Object.fromEntries(entries);
}
