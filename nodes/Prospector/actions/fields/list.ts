import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Call } from '../../transport/failure';
import { readList } from '../../transport/pagination';
import type { ItemRun } from '../operation';
import { toOutput } from '../output';
import { checkBoolean } from './boolean';
import { checkWholeNumber } from './number';
import { readOption } from './readOption';
import { unwrap } from './unwrap';

export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

export const listOptions: INodeProperties[] = [
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description:
			'How many to ask for per request. When not set, the service decides, whose default and maximum are not documented.',
	},
	{
		displayName: 'Start Cursor',
		name: 'startCursor',
		type: 'string',
		default: '',
		description:
			'Where to begin: a next_cursor that the service gave, for instance to an HTTP Request node. When not set, the list begins at its start.',
	},
];

/** Reads a list as the fields above say, one output item per resource. */
export async function runList({ context, client, itemIndex }: ItemRun, call: Call): Promise<IDataObject[]> {
	const all = unwrap(
		context,
		checkBoolean(context.getNodeParameter('returnAll', itemIndex, false), 'Return All'),
	);
	const whole = (value: unknown, label: string) =>
		unwrap(context, checkWholeNumber(value, label, 1, Number.MAX_SAFE_INTEGER));
	const pageSize = readOption(context, 'pageSize', itemIndex);
	const startCursor = readOption(context, 'startCursor', itemIndex);
	const wanted = {
		limit: all ? undefined : whole(context.getNodeParameter('limit', itemIndex, 50), 'Limit'),
		pageSize: pageSize === undefined ? undefined : whole(pageSize, 'Page Size'),
		startCursor: startCursor === undefined ? undefined : unwrap(context, checkCursor(startCursor)),
	};
	return await readList(client, call, wanted, toOutput);
}

/** Cursors are opaque (contract, section 2.1): only what cannot be one is refused. */
export function checkCursor(value: unknown) {
	if (typeof value === 'string' && value.length <= 8192) return { value };
	return {
		message: "'Start Cursor' is not a cursor",
		description: "Use a 'next_cursor' that the service gave, as it is",
	};
}
