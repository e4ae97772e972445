import type { INodeProperties } from 'n8n-workflow';
import { invalid, typeLabel } from '../messages/userMessage';
import { parseResourceId } from '../model/resource';
import { isObject } from '../utils';
import { field, type Parameter } from './parameter';

/** Text that does not start like a web address. The editor checks it, and n8n before an execution. */
const NO_WEB_ADDRESS = /^(?!\s*\w[\w+.-]*:\/\/)\s*\S.*$/;

interface Locator {
	displayName: string;
	name: string;
	searchListMethod: string;
	placeholder: string;
	description: string;
}

function locatorField({
	displayName,
	name,
	searchListMethod,
	placeholder,
	description,
}: Locator): INodeProperties {
	return {
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
							errorMessage: 'Enter the ID alone, not a web address',
						},
					},
				],
			},
		],
	};
}

export const workflowLocator = (description: string, displayName = 'Workflow'): Parameter<string> =>
	field(
		locatorField({
			displayName,
			name: 'workflowId',
			searchListMethod: 'searchWorkflows',
			placeholder: 'e.g. wf_1a2b3c',
			description,
		}),
		parseId,
	);

export const runLocator = (description: string): Parameter<string> =>
	field(
		locatorField({
			displayName: 'Run',
			name: 'runId',
			searchListMethod: 'searchRuns',
			placeholder: 'e.g. run_1a2b3c',
			description,
		}),
		parseId,
	);

/** @throws UserError */
export function parseId(locator: unknown, label: string): string {
	const value = extractId(locator);
	const parsed = parseResourceId(value);
	if ('id' in parsed) return parsed.id;
	switch (parsed.invalid) {
		case 'empty':
			return invalid(
				`'${label}' is empty`,
				`Pick one from the list, or give an ID; an expression in '${label}' must give text`,
			);
		case 'webAddress':
			return invalid(
				`'${label}' got a web address instead of an ID`,
				"Give the ID alone: the part of the address that names it, without 'https://' and slashes",
			);
		case 'notAnId':
			return invalid(
				`'${label}' holds something that is not an ID`,
				"Pick one from the list, or copy the ID again: an ID is not '.' or '..' and has no line breaks or invisible characters",
			);
		case 'object':
			return invalid(
				`'${label}' got an object instead of an ID`,
				'Use the ID inside it, e.g. {{ $json.id }}',
			);
		case 'tooLong':
			return invalid(
				`'${label}' has ${String(value).trim().length} characters, which is too long for an ID`,
				'Give the ID alone',
			);
		case 'wrongType':
			return invalid(
				`'${label}' got ${typeLabel(value)} instead of an ID`,
				'Use the ID inside it, e.g. {{ $json.id }}',
			);
	}
}

/** Enough for JSON text of a locator in a locator. */
const MAX_DEPTH = 4;

/**
 * Returns the ID in a value. n8n returns the object of its resource locator; an expression over the whole field or an AI
 * agent also returns plain text, `{ "id": … }`, `{ "value": … }`, or JSON text of these. Objects with other keys are
 * returned unchanged, because their `id` may belong to a different resource.
 */
export function extractId(parameter: unknown): unknown {
	let value = parameter;
	for (let depth = 0; depth < MAX_DEPTH; depth++) {
		if (typeof value === 'string') value = fromJson(value);
		if (!isObject(value)) return value;
		const inner = unwrapSingleKey(value);
		if (inner === undefined) return value;
		[value] = inner;
	}
	return value;
}

/** Returns the value of a locator, or of an object with one key, in a list; undefined for other objects. */
function unwrapSingleKey(object: Record<string, unknown>): [unknown] | undefined {
	if ('__rl' in object || ('mode' in object && 'value' in object)) return [object.value];
	const [key, ...others] = Object.keys(object);
	return others.length === 0 && (key === 'id' || key === 'value') ? [object[key]] : undefined;
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
