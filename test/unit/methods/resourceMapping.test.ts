import { getWorkflowFields } from '../../../nodes/Prospector/methods/resourceMapping';
import { fakeEditor, httpResponse, listResponse, expectError } from '../helpers/support';

const more = (next_cursor: string) => ({ has_more: true, next_cursor });

describe('the fields of Create and Update', () => {
	test('are learned from every page of workflows', async () => {
		const { context, requests } = fakeEditor([
			listResponse([{ id: 'a', zone: 1 }], more('c2')),
			listResponse([{ tags: [] }]),
		]);
		const { fields } = await getWorkflowFields.call(context);
		expect(fields.map(({ id, type }) => [id, type])).toEqual([
			['name', 'string'],
			['status', 'string'],
			['tags', 'array'],
			['zone', 'number'],
		]);
		expect(requests.map(({ qs }) => qs)).toEqual([{}, { cursor: 'c2' }]);
	});

	test.each([
		['create', [false, false]],
		['update', [true, true]],
	])('of %s are shown from the start: %j', async (operation, removed) => {
		const { context } = fakeEditor([listResponse([])], operation);
		const { fields } = await getWorkflowFields.call(context);
		expect(fields.map((field) => field.removed)).toEqual(removed);
	});

	test('are learned from 200 workflows at most', async () => {
		const hundred = Array.from({ length: 100 }, () => ({ name: 'a' }));
		const { context, requests } = fakeEditor(
			['c2', 'c3', 'c4'].map((cursor) => listResponse(hundred, more(cursor))),
		);
		await getWorkflowFields.call(context);
		expect(requests).toHaveLength(2);
	});

	test('are the two known ones where the key may write but not read', async () => {
		const { context } = fakeEditor([httpResponse(403, '')]);
		const { fields } = await getWorkflowFields.call(context);
		expect(fields.map(({ id }) => id)).toEqual(['name', 'status']);
	});

	test('are those seen so far where the list breaks off', async () => {
		const { context } = fakeEditor([listResponse([{ zone: 1 }], more('c2')), httpResponse(429, '')]);
		const { fields } = await getWorkflowFields.call(context);
		expect(fields.map(({ id }) => id)).toEqual(['name', 'status', 'zone']);
	});

	test('are not guessed where the service refuses', async () => {
		const { context } = fakeEditor([httpResponse(401, '')]);
		const { message } = await expectError(async () => await getWorkflowFields.call(context));
		expect(message).toBe('The API key was not accepted');
	});
});
