// The parameters that select the fields of the output: Simplify, Fields to Return, and for a tool Output. Used by the
// operations and the trigger. Tests: test/unit/model/resource.test.ts.
import { throwUserError } from '../messages/userMessage';
import type { FieldSelection } from '../model/resource';
import { field, fieldsAndOptions, option, type Parameter, hiddenForTool, onlyForTool } from './parameter';
import { choice, stringList, toggle } from './parse';

const fieldList = stringList('name, status');
const FIELDS_PLACEHOLDER = 'e.g. name, status';

const simplify = field(toggle, {
	displayName: 'Simplify',
	name: 'simplify',
	default: true,
	displayOptions: hiddenForTool,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const OUTPUT_CHOICE = choice([
	{ name: 'Simplified', value: 'simplified', description: 'Without technical fields' },
	{ name: 'Raw', value: 'raw', description: 'All fields' },
	{ name: 'Selected Fields', value: 'selectedFields', description: 'Only the fields that you name' },
]);

const output = field(OUTPUT_CHOICE, {
	displayName: 'Output',
	name: 'output',
	default: 'simplified',
	displayOptions: onlyForTool,
	description: 'What the model gets. An answer has at most 50 KB.',
});

const FIELDS_TO_RETURN = {
	displayName: 'Fields to Return',
	name: 'fieldsToReturn',
	description: 'Fields to keep, separated by commas. ID and request ID always stay. Replaces Simplify.',
};

/** Which fields to return. @param placeholder names fields of the output, or nothing if the contract shows none */
export function fieldSelection(placeholder = FIELDS_PLACEHOLDER): Parameter<FieldSelection> {
	const { options, read } = option(fieldList, { ...FIELDS_TO_RETURN, placeholder });
	return { options, read: (values) => ({ simplify: false, fields: read(values) }) };
}

/** Like {@link fieldSelection}, with *Simplify*; for a tool, with *Output* instead of both. A trigger is no tool. */
export function selectionWithSimplify(
	placeholder = FIELDS_PLACEHOLDER,
	canBeTool = true,
): Parameter<FieldSelection> {
	const fieldsOption = option(fieldList, { ...FIELDS_TO_RETURN, placeholder, displayOptions: hiddenForTool });
	const toolFields = field(fieldList, {
		...FIELDS_TO_RETURN,
		placeholder,
		required: true,
		displayOptions: { show: { ...onlyForTool.show, output: ['selectedFields'] } },
	});
	return {
		...fieldsAndOptions([simplify, ...(canBeTool ? [output, toolFields] : []), fieldsOption]),
		read(values) {
			// Only a tool shows `output`. A hidden field has its default.
			const toolOutput = output.read(values);
			if (toolOutput !== 'selectedFields') {
				const isSimplified = toolOutput === 'simplified' && simplify.read(values);
				return { simplify: isSimplified, fields: fieldsOption.read(values) };
			}
			const fields = toolFields.read(values);
			if (fields.length === 0)
				throwUserError("'Fields to Return' is empty", "Enter at least one, or change 'Output'");
			return { simplify: false, fields };
		},
	};
}

export const RUN_FIELDS_PLACEHOLDER = 'e.g. status, workflow_id';
export const RESULT_FIELDS_PLACEHOLDER = 'e.g. lead_id, company_name';
