import { searchRuns, searchWorkflows } from '../../../nodes/Prospector/methods/listSearch';
import { getWorkflowFields } from '../../../nodes/Prospector/methods/resourceMapping';
import { getWorkflows } from '../../../nodes/Prospector/methods/loadOptions';
import { fakeEditor, listResponse } from '../helpers/support';

/** More than the arguments that a function call takes in Node.js. */
const resources = Array.from({ length: 125_000 }, (_, index) => ({ id: `id_${index}` }));

describe('a list of 125,000 on one page', () => {
	test('is offered whole when workflows are searched', async () => {
		const { context } = fakeEditor([listResponse(resources)]);
		expect((await searchWorkflows.call(context)).results).toHaveLength(125_000);
	});

	test('is offered whole when runs are searched', async () => {
		const { context } = fakeEditor([listResponse([{ id: 'wf_1' }]), listResponse(resources)]);
		expect((await searchRuns.call(context)).results).toHaveLength(125_000);
	});

	test('is offered whole when a field takes several workflows', async () => {
		const { context } = fakeEditor([listResponse(resources)]);
		expect(await getWorkflows.call(context)).toHaveLength(125_000);
	});

	test('shows its fields when a body is specified', async () => {
		const { context } = fakeEditor([listResponse(resources.map(({ id }) => ({ id, industry: 'Freight' })))]);
		const { fields } = await getWorkflowFields.call(context);
		expect(fields.map(({ id }) => id)).toEqual(['name', 'status', 'industry']);
	});
});
