// The parameters that name a Prospector workflow or a run. An ID that a person or a model enters becomes a part of an
// address only after it has been read here.
import { adviceToFindId, UNEVALUATED_EXPRESSION } from '../messages/advice';
import { type Caller, throwUserError, typeLabel } from '../messages/userMessage';
import { findIdFlaw } from '../model/resource';
import { isObject, toText } from '../utils';
import { field, type Parameter } from './parameter';

/** A resource that is picked from a list, or named by its ID. Takes the field's description. */
const defineLocator =
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
				builderHint: {
					propertyHint:
						"Use the mode 'id' for an expression or an ID that the user gave. Otherwise leave it empty in the mode 'list', so that the user picks one",
				},
				modes: [
					{
						displayName: 'From List',
						name: 'list',
						type: 'list',
						typeOptions: { searchListMethod, searchable: true },
					},
					{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
				],
			},
		);

export const workflowLocator = defineLocator(
	'Prospector Workflow',
	'workflowId',
	'searchWorkflows',
	'e.g. wf_1a2b3c',
);

export const runLocator = defineLocator('Run', 'runId', 'searchRuns', 'e.g. run_1a2b3c');

/** @throws UserError */
export function parseId(locatorValue: unknown, label: string): string {
	const value = extractId(locatorValue);
	const idFlaw = findIdFlaw(value);
	if (idFlaw === undefined) return toText(value).trim();
	const noun = label.startsWith('Run') ? 'run' : 'Prospector workflow';
	const adviseToPick = (suffix: string) => (caller: Caller) => adviceToFindId(noun, caller, suffix);
	const messagesByFlaw: Record<typeof idFlaw, Parameters<typeof throwUserError>> = {
		empty: ['is empty', adviseToPick('. If it is an expression, check that the item has this value')],
		webAddress: ['got a web address instead of an ID', 'Enter only the ID, which is a part of the address'],
		template: [...UNEVALUATED_EXPRESSION],
		notAnId: [
			'is not an ID',
			adviseToPick(
				', or copy the ID again. It may be too long, or have line breaks or invisible characters in it',
			),
		],
		wrongType: [`got ${typeLabel(value)} instead of an ID`, 'Use the ID inside it, e.g. {{ $json.id }}'],
	};
	const [flaw, advice] = messagesByFlaw[idFlaw];
	return throwUserError(`'${label}' ${flaw}`, advice);
}

/**
 * Returns the ID in a resource locator, which can be missing, or in a model's `{ "id": … }`
 * (n8n-behaviour.md#ai-agents).
 */
function extractId(parameter: unknown): unknown {
	const value = isObject(parameter) && 'value' in parameter ? parameter.value : parameter;
	return isObject(value) && Object.keys(value).join() === 'id' ? value.id : value;
}
