import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { describeType } from '../nodes';

/** A node in place of a placeholder that takes items one by one. */
export function receiver(isRejected: (json: IDataObject) => boolean) {
	const taken: IDataObject[] = [];
	const type: INodeType = {
		description: describeType('test.receiver'),
		async execute(this: IExecuteFunctions) {
			const output = this.getInputData().map(({ json }, item) => {
				if (!isRejected(json)) {
					taken.push(json);
					return { json, pairedItem: { item } };
				}
				if (!this.continueOnFail()) throw new Error('Refused');
				return { json: { error: 'Refused' }, pairedItem: { item } };
			});
			return [output];
		},
	};
	return { type, taken };
}

/**
 * A node that exports a page at a time.
 *
 * @param onPage called with the number of the page, from 1, before it is exported
 * @param toOutput returns what the node puts out for a page
 */
export function exporter(
	onPage: (page: number) => unknown = () => {},
	toOutput: (page: IDataObject[]) => IDataObject[] = (page) => page,
) {
	const exported: IDataObject[] = [];
	let pages = 0;
	const type: INodeType = {
		description: describeType('test.exporter'),
		async execute(this: IExecuteFunctions) {
			const page = this.getInputData().map(({ json }) => json);
			await onPage(++pages);
			exported.push(...page);
			return [toOutput(page).map((json) => ({ json }))];
		},
	};
	return { type, exported };
}
