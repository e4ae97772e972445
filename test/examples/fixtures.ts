import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { describeType } from '../nodes';

/**
 * A node of somebody's own service in the place of a placeholder: it takes items one by one, and may refuse some.
 *
 * @param refuses whether it cannot do with an item
 */
export function receiver(refuses: (json: IDataObject) => boolean = () => false) {
	const taken: IDataObject[] = [];
	const type: INodeType = {
		description: describeType('test.receiver'),
		async execute(this: IExecuteFunctions) {
			const answers = this.getInputData().map(({ json }, item) => {
				if (!refuses(json)) {
					taken.push(json);
					return { json, pairedItem: { item } };
				}
				if (!this.continueOnFail()) throw new Error('Refused');
				return { json: { error: 'Refused' }, pairedItem: { item } };
			});
			return [answers];
		},
	};
	return { type, taken };
}

/**
 * A node that exports a page at a time.
 *
 * @param before told the number of the page, from 1, before it is exported
 * @param answers what it puts out for a page
 */
export function exporter(
	before: (page: number) => unknown = () => {},
	answers: (page: IDataObject[]) => IDataObject[] = (page) => page,
) {
	const exported: IDataObject[] = [];
	let pages = 0;
	const type: INodeType = {
		description: describeType('test.exporter'),
		async execute(this: IExecuteFunctions) {
			const page = this.getInputData().map(({ json }) => json);
			await before(++pages);
			exported.push(...page);
			return [answers(page).map((json) => ({ json }))];
		},
	};
	return { type, exported, pages: () => pages };
}
