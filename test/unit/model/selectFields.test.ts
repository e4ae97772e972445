import type { IDataObject } from 'n8n-workflow';
import {
	fieldSelection,
	selectFields,
	selectionWithSimplify,
	unknownFields,
} from '../../../nodes/Prospector/parameters/fieldSelection';
import { expectError, readParameter, rowsOf } from '../helpers/support';

const created_at = '2026-01-01T00:00:00.000Z';
const TECHNICAL = { object: 'prospector', updated_at: '2026-01-02T00:00:00.000Z' };
const OWN = { request_id: 'req_1' };
const WORKFLOW = { id: 'wf_1', ...TECHNICAL, created_at, name: 'A', status: 'active', note: 'x', ...OWN };

describe('Simplify', () => {
	test.each<[string, IDataObject]>([
		['a workflow', { id: 'wf_1', created_at, name: 'A', status: 'active', ...OWN }],
		['a run', { id: 'r', created_at, status: 'done', workflow_id: 'wf_1', ...OWN }],
		[
			'a result, with fields of the workspace',
			{
				...{ id: 'res_1', lead_id: 'lead_1', company_name: 'A', website: 'https://a.example', size: 0 },
				...{
					empty: '',
					nothing: null,
					no: false,
					contacts: [{ object: 'kept', updated_at: 'kept' }],
					...OWN,
				},
			},
		],
		['the settings', { id: 'c', timezone: 'UTC', states: [{ a: 1 }], ...OWN }],
		[
			'what the node adds',
			{
				...{ id: 'a', ...OWN, idempotency_key: 'k', deleted: true, error_details: 'e', next_cursor: null },
				...{ previous_status: null, run_id: 'r', run_status: 'done' },
			},
		],
		['an item without an ID', OWN],
		['names of Object.prototype', JSON.parse('{"__proto__":{"a":1},"constructor":1}') as IDataObject],
	])('keeps all fields of %s, except technical ones', (_, kept) => {
		const item: IDataObject = {
			...{ object: 'prospector', updated_at: created_at, run_request_id: 'req_0' },
			...{ idempotency_key: null, ...kept },
		};
		const simplified = selectFields(item, { simplify: true });
		expect(Object.entries(simplified).sort()).toEqual(Object.entries(kept).sort());
		expect(selectFields(item, { simplify: false })).toBe(item);
	});

	test.each(['', 0, false, undefined, 'n8n-1'])('keeps the idempotency key %j', (idempotency_key) => {
		const item = { id: 'a', idempotency_key };
		expect(Object.keys(selectFields(item, { simplify: true }))).toEqual(['id', 'idempotency_key']);
	});

	test("puts the resource's own fields before its creation time and what the node adds", () => {
		const added = { idempotency_key: 'k', run_status: 'done', run_id: 'r' };
		const names = Object.keys(selectFields({ ...added, ...WORKFLOW }, { simplify: true }));
		expect(names.join()).toBe('id,name,status,note,created_at,run_id,run_status,request_id,idempotency_key');
	});
});

describe('Fields to Return', () => {
	test.each<[string[], IDataObject]>([
		[['note', 'name'], { id: 'wf_1', name: 'A', note: 'x', ...OWN }],
		[['created_at'], { id: 'wf_1', created_at, ...OWN }],
		[['object', 'updated_at'], { id: 'wf_1', ...TECHNICAL, ...OWN }],
		[['missing', 'toString', '__proto__'], { id: 'wf_1', ...OWN }],
	])('%j come with the ID and what the node adds, in the order of the item', (fields, expected) => {
		for (const simplify of [false, true]) {
			const selected = selectFields(WORKFLOW, { simplify, fields });
			expect(JSON.stringify(selected)).toBe(JSON.stringify(expected));
		}
	});

	test('replace Simplify: what the node adds is kept', () => {
		const added = {
			...{ request_id: 'req_1', idempotency_key: null, deleted: true, error_details: 'e', next_cursor: 'c' },
			...{ previous_status: 'p', run_id: 'r', run_request_id: 'req_0', run_status: 'done' },
		};
		const item = { id: 'r', created_at, workflow_id: 'wf_1', status: 'done', ...added };
		for (const simplify of [false, true]) {
			expect(selectFields(item, { simplify, fields: ['status'] })).toEqual({
				id: 'r',
				status: 'done',
				...added,
			});
		}
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
		[
			['name', 5],
			['name', '5'],
		],
		...rowsOf(['', ' , ', [], undefined, null], undefined),
	])('are read from %j as %j', (fieldsToReturn, fields) => {
		const options = { fieldsToReturn };
		const [plain, simplified] = [fieldSelection(), selectionWithSimplify()];
		expect(readParameter(plain, { simplify: true, options })).toEqual({ simplify: false, fields });
		expect(readParameter(simplified, { simplify: 'false', options })).toEqual({ simplify: false, fields });
		expect(readParameter(simplified, { simplify: 'true', options })).toEqual({ simplify: true, fields });
		expect(readParameter(simplified, { options })).toEqual({ simplify: true, fields });
	});

	test('are rejected if they are not words', async () => {
		const options = { fieldsToReturn: { name: true } };
		for (const parameter of [fieldSelection(), selectionWithSimplify('e.g. other')]) {
			expect(await expectError(() => readParameter(parameter, { options }))).toEqual({
				message: "'Fields to Return' is not a list of words",
				description: 'Enter words separated by commas, e.g. name, status',
			});
		}
	});

	test.each([
		[fieldSelection(), 'e.g. name, status'],
		[selectionWithSimplify(), 'e.g. name, status'],
		[fieldSelection('e.g. timezone'), 'e.g. timezone'],
		[selectionWithSimplify('e.g. timezone'), 'e.g. timezone'],
	])('have an example in the editor (%#)', ({ options = [] }, placeholder) => {
		expect(options.map((one) => [one.name, one.placeholder])).toEqual([['fieldsToReturn', placeholder]]);
	});
});
