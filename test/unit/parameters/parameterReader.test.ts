import { createParameterReader, fromAiName } from '../../../nodes/Prospector/parameters/parameterReader';
import { fakeExecution, NODE, TURNS } from '../helpers/support';

test.each<[string, unknown, number[]]>([
	['once for all items if the parameter is a constant', [null, 5, { a: 'b' }], [0]],
	['for each item if the parameter is an expression', '={{ $json.a }}', [0, 1, 2]],
	['for each item if the parameter contains an expression', { a: ['b', '={{ 1 }}'] }, [0, 1, 2]],
])('the parameter reader reads a parameter %s', (_, parameter, expected) => {
	const reads: number[] = [];
	const rest = {
		getNode: () => ({ ...NODE, parameters: { parameter } }),
		getNodeParameter: (_name: string, itemIndex: number) => reads.push(itemIndex),
	};
	const readItem = createParameterReader(fakeExecution({ rest }).context, TURNS);
	for (const item of [0, 1, 2]) readItem(item).getField('parameter');
	expect(reads).toEqual(expected);
});

test.each([
	["={{ $fromAI('Run_ID', 'ID of it', 'string') }}", 'Run_ID'],
	['={{ $fromAI( `Run-2` ) }}', 'Run-2'],
	["={{ $fromai('Run') }}", 'Run'],
	["={{ $('Run').item.json.id }}", undefined],
])('fromAiName finds in the parameter %s the name %j', (parameter, name) => {
	expect(fromAiName(parameter)).toBe(name);
});
