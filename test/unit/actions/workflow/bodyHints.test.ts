import { executeNode, itemResponse } from '../../helpers/support';

test.each(['create', 'update'])(
	'the node adds a hint if the operation %s has no fields to send for the first of two items, and if it sends an expression as text',
	async (operation) => {
		const hintsFor = async (texts: string[]) => {
			const { hints } = await executeNode({
				...{ operation: `workflow.${operation}`, input: texts.map(() => ({})) },
				parametersOf: (item) => ({ workflowId: 'wf_1', enterValues: 'json', jsonBody: texts[item] }),
				answers: [itemResponse({ id: 'wf_1' })],
			});
			return hints.map(({ message }) => message);
		};
		expect(await hintsFor(['{ }', '{ "name": "A {{ name }}" }'])).toEqual(['No fields were sent.']);
		for (const expression of ['{{$json.name}}', '{{ $json.name }}', '{{  $json.name }}']) {
			expect(await hintsFor([`{ "name": "${expression}" }`])).toEqual([
				"'{{ $' was sent as text. If it begins an expression, switch the field from Fixed to Expression.",
			]);
		}
	},
);
