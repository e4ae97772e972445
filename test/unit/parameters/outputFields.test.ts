import type { IDataObject } from 'n8n-workflow';
import {
	fieldSelection,
	selectFields,
	simplifiedSelection,
	unknownFields,
} from '../../../nodes/Prospector/parameters/outputFields';
import { expectError, readParameter, rowsOf } from '../helpers/support';

const created_at = '2026-01-01T00:00:00.000Z';
const TECHNICAL = { object: 'prospector', updated_at: '2026-01-02T00:00:00.000Z' };
const OWN = { request_id: 'req_1' };
const WORKFLOW = { id: 'wf_1', ...TECHNICAL, created_at, name: 'A', status: 'active', note: 'x', ...OWN };

describe('Simplify', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['a workflow', { created_at }, { id: 'wf_1', name: 'A', status: 'active', ...OWN }],
		[
			'a run, with the time that tells which is the newest',
			{},
			{ id: 'r', created_at, status: 'done', workflow_id: 'wf_1', ...OWN },
		],
		['a result', { created_at }, { id: 'res_1', lead_id: 'lead_1', company_name: 'A', ...OWN }],
		['the config', { created_at }, { id: 'c', timezone: 'UTC', states: [{ a: 1 }], ...OWN }],
		[
			'what the node adds',
			{ created_at },
			{
				...{ id: 'a', ...OWN, idempotency_key: 'k', deleted: true, error_details: 'e', next_cursor: 'c' },
				...{ previous_status: 'p', run_id: 'r', run_request_id: 'req_0', run_status: 'done' },
			},
		],
		['an item without an ID', {}, OWN],
	])('keeps the fields of %s', (_, removed, kept) => {
		const item = { ...TECHNICAL, note: 'x', ...removed, ...kept };
		expect(selectFields(item, { simplify: true })).toEqual(kept);
		expect(selectFields(item, { simplify: false })).toBe(item);
	});
});

describe('Fields to Return', () => {
	test.each<[string[], IDataObject]>([
		[['note', 'name'], { id: 'wf_1', name: 'A', note: 'x', ...OWN }],
		[['created_at'], { id: 'wf_1', created_at, ...OWN }],
		[['missing', 'toString', '__proto__'], { id: 'wf_1', ...OWN }],
	])('%j come with the ID and what the node adds, in the order of the item', (fields, expected) => {
		for (const simplify of [false, true]) {
			const selected = selectFields(WORKFLOW, { simplify, fields });
			expect(JSON.stringify(selected)).toBe(JSON.stringify(expected));
		}
	});

	test('do not add the time to an item of a run', () => {
		const run = { id: 'r', created_at, workflow_id: 'wf_1', status: 'done' };
		expect(selectFields(run, { simplify: true, fields: ['status'] })).toEqual({ id: 'r', status: 'done' });
	});

	test.each<[IDataObject[], string[] | undefined, string[]]>([
		[[WORKFLOW], ['name', 'missing', 'toString'], ['missing', 'toString']],
		[[{ id: 'wf_0' }, WORKFLOW], ['name'], []],
		[[], ['missing'], []],
		[[WORKFLOW], undefined, []],
	])('of %j: of %j, no item has %j', (items, fields, expected) => {
		expect(unknownFields(items, { simplify: false, fields })).toEqual(expected);
	});

	test.each<[unknown, string[] | undefined]>([
		['name, status', ['name', 'status']],
		['name\nerror,', ['name', 'error_details']],
		...rowsOf(['', ' , ', [], undefined, null], undefined),
	])('are read from %j as %j', (outputFields, fields) => {
		const options = { outputFields };
		expect(readParameter(fieldSelection, { simplify: true, options })).toEqual({ simplify: false, fields });
		expect(readParameter(simplifiedSelection, { simplify: 'true', options })).toEqual({
			simplify: true,
			fields,
		});
		expect(readParameter(simplifiedSelection, { options })).toEqual({ simplify: false, fields });
	});

	test('are rejected if they are not words', async () => {
		const options = { outputFields: { name: true } };
		expect(await expectError(() => readParameter(fieldSelection, { options }))).toEqual({
			message: "'Fields to Return' is not a list of words",
			description: 'Give the words as text, separated by commas, e.g. name, status',
		});
	});
});
