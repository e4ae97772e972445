import { invalid } from '../messages/userMessage';
import type { ListOptions } from '../transport/request/pagination';
import { field, fieldsAndOptions, option, optionalOption, type Parameter } from './parameter';
import { integer, parseBoolean } from './parse';

/** Neither applies to a page, which is returned whole: a later page would not contain the rest. */
const unlessOnePage = { hide: { '/options.returnOnePage': [true] } };

const returnAll = field(parseBoolean, {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	displayOptions: unlessOnePage,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = field(integer(1), {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] }, ...unlessOnePage },
	description: 'Max number of results to return',
});

const returnOnePage = option(parseBoolean, {
	displayName: 'Return One Page',
	name: 'returnOnePage',
	type: 'boolean',
	default: false,
	description:
		'Whether to return a single page, however long, for a loop over a long list. Each item carries next_cursor: the Start Cursor of the next page, or null on the last one. Return All and Limit do not apply.',
});

const startCursor = optionalOption(parseCursor, {
	displayName: 'Start Cursor',
	name: 'startCursor',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.next_cursor }}',
	description:
		'Where to begin: the next_cursor of an earlier page. When empty, the list begins at its start.',
});

/** Cursors can be any text (contract, section 2.1). @throws UserError */
function parseCursor(value: unknown): string {
	if (typeof value === 'string' && value.length <= 8192) return value;
	return invalid("'Start Cursor' is not a cursor", "Use a 'next_cursor' that the service gave, as it is");
}

/** Resources per request; undefined for the service's default. */
export const pageSize = (description: string) =>
	optionalOption(integer(1), {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description,
	});

const nodePageSize = pageSize(
	'How many to ask for per request. When not set, the service decides, whose default and maximum are not documented.',
);

export type GetManyOptions = Omit<ListOptions, 'onTruncated'> & { onePage: boolean };

export const getManyOptions: Parameter<GetManyOptions> = {
	...fieldsAndOptions([returnAll, limit, nodePageSize, returnOnePage, startCursor]),
	read(values) {
		const onePage = returnOnePage.read(values);
		const isAll = onePage || returnAll.read(values);
		return {
			onePage,
			limit: isAll ? undefined : limit.read(values),
			pageSize: nodePageSize.read(values),
			startCursor: startCursor.read(values),
		};
	},
};
