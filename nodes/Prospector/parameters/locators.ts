import { invalid, typeLabel } from '../messages/userMessage';
import { parseResourceId } from '../model/resource';
import { isObject, toText } from '../utils';
import { field, type Parameter } from './parameter';

/** Text that does not start like a web address. The editor checks it, and n8n before an execution. */
const NO_WEB_ADDRESS = /^(?!\s*\w[\w+.-]*:\/\/)\s*\S.*$/;

/** A resource that is picked from a list, or named by its ID. */
const locator =
	(displayName: string, name: string, searchListMethod: string, placeholder: string) =>
	(description: string): Parameter<string> =>
		field(
			{ parse: parseId },
			{
				displayName,
				name,
				type: 'resourceLocator',
				required: true,
				default: { mode: 'list', value: '' },
				description,
				modes: [
					{
						displayName: 'From List',
						name: 'list',
						type: 'list',
						typeOptions: { searchListMethod, searchable: true },
					},
					{
						displayName: 'By ID',
						name: 'id',
						type: 'string',
						placeholder,
						validation: [
							{
								type: 'regex',
								properties: {
									regex: NO_WEB_ADDRESS.source,
									errorMessage: 'Enter only the ID, not a web address',
								},
							},
						],
					},
				],
			},
		);

/** @param description of the field */
export const workflowLocator = locator(
	'Prospector Workflow',
	'workflowId',
	'searchWorkflows',
	'e.g. wf_1a2b3c',
);

/** @param description of the field */
export const runLocator = locator('Run', 'runId', 'searchRuns', 'e.g. run_1a2b3c');

const USE_ID = 'Use the ID inside it, e.g. {{ $json.id }}';

/** @throws UserError */
export function parseId(locator: unknown, label: string): string {
	const value = extractId(locator);
	const parsed = parseResourceId(value);
	if ('id' in parsed) return parsed.id;
	const messages = {
		empty: ['is empty', 'Pick one from the list. If it is an expression, check that the item has this value'],
		webAddress: [
			'got a web address instead of an ID',
			"Enter only the ID: the part of the address that names it, without 'https://' and slashes",
		],
		notAnId: [
			'is not an ID',
			'Pick one from the list, or copy the ID again. It may have line breaks or invisible characters in it',
		],
		tooLong: [
			`has ${toText(value).trim().length} characters, which is too long for an ID`,
			'Enter only the ID',
		],
		object: ['got an object instead of an ID', USE_ID],
		wrongType: [`got ${typeLabel(value)} instead of an ID`, USE_ID],
	};
	const [event, advice] = messages[parsed.invalid];
	return invalid(`'${label}' ${event}`, advice);
}

/** Enough for JSON text of a locator in a locator. */
const MAX_DEPTH = 4;

/**
 * Returns the ID in a value. n8n returns the object of its resource locator; an expression over the whole field or an AI
 * agent also returns plain text, `{ "id": … }`, `{ "value": … }`, or JSON text of these. Objects with other keys are
 * returned unchanged, because their `id` may belong to a different resource.
 */
function extractId(parameter: unknown, depth = MAX_DEPTH): unknown {
	if (depth === 0) return parameter;
	const value = typeof parameter === 'string' ? fromJson(parameter) : parameter;
	if (!isObject(value)) return value;
	if ('__rl' in value || ('mode' in value && 'value' in value)) return extractId(value.value, depth - 1);
	const [key, ...others] = Object.keys(value);
	const isWrapped = others.length === 0 && (key === 'id' || key === 'value');
	return isWrapped ? extractId(value[key], depth - 1) : value;
}

/** No ID starts like a JSON object or quoted text. */
function fromJson(text: string): unknown {
	if (!/^\s*[{"]/.test(text)) return text;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
