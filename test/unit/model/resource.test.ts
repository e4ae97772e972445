import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	namesAnother,
	type FieldSelection,
	FieldSelector,
	toOutputItem,
} from '../../../nodes/Prospector/model/resource';
import { fieldSelection, selectionWithSimplify } from '../../../nodes/Prospector/parameters/fieldSelection';
import { expectError, readParameter, rowsOf } from '../helpers/support';

const selectFields = (item: IDataObject, selection: FieldSelection) =>
	new FieldSelector(selection).select(item);

const created_at = '2026-01-01T00:00:00.000Z';
const TECHNICAL = { object: 'prospector', updated_at: created_at, run_request_id: 'req_0' };
const ADDED = {
	...{ error_details: 'e', deleted: true, run_id: 'r', run_status: 'done', previous_status: null },
	...{ workflow_id: 'w', workflow_name: 'Freight', request_id: 'req_1', next_cursor: null },
};
const OWN = { size: 0, empty: '', nothing: null, contacts: [{ object: 'kept', updated_at: 'kept' }] };

const pick = (item: IDataObject, names: string[]) =>
	Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));

test.each<[IDataObject, string[]]>([
	[
		{ ...ADDED, ...TECHNICAL, id: 'a', created_at, lead_id: 'l', ...OWN, company_name: 'A' },
		['company_name', ...Object.keys(OWN), 'lead_id', 'created_at', ...Object.keys(ADDED), 'id'],
	],
	[
		{ id: 'a', size: 0, run_outcome: 'open', status: 's', name: 'A' },
		['name', 'status', 'run_outcome', 'size', 'id'],
	],
	[{ id: 'a', idempotency_key: 'k' }, ['id']],
	[JSON.parse('{"__proto__":1,"constructor":2}') as IDataObject, ['__proto__', 'constructor']],
])(
	'an item has the name and status first and the ID last, and Simplify removes technical fields, if the item is %j',
	(item, names) => {
		const simplified = selectFields(item, { simplify: true, fields: [] });
		expect([simplified, Object.keys(simplified)]).toEqual([pick(item, names), names]);
		const whole = selectFields(item, { simplify: false, fields: [] });
		expect(whole).toEqual(item);
		expect(Object.keys(whole).filter((name) => names.includes(name))).toEqual(names);
	},
);

test.each<[string[], IDataObject]>([
	[['note', 'name'], { id: 'wf_1', name: 'A', note: 'x' }],
	[['object', 'created_at'], { id: 'wf_1', object: 'prospector', created_at }],
	[['missing', 'toString', '__proto__'], { id: 'wf_1' }],
])(
	'an item with the Fields to Return %j also keeps its ID and the fields that the node adds',
	(fields, expected) => {
		const added = { ...ADDED, run_request_id: 'req_0', idempotency_key: 'k' };
		const item = { id: 'wf_1', ...TECHNICAL, created_at, name: 'A', note: 'x', ...added };
		for (const simplify of [false, true]) {
			expect(selectFields(item, { simplify, fields })).toEqual({ ...expected, ...added });
		}
	},
);

test.each<[unknown, string[]]>([
	['name\nerror,', ['name', 'error']],
	['["name", 5]', ['name', '5']],
	...rowsOf<string[]>(['', ' , ', [], undefined, null], []),
])('the node reads the value %j of Fields to Return as the field names %j', (fieldsToReturn, fields) => {
	const read = (simplify: unknown) =>
		[fieldSelection(), selectionWithSimplify()].map((one) =>
			readParameter(one, { simplify, options: { fieldsToReturn } }),
		);
	expect(read(undefined)).toEqual([
		{ simplify: false, fields },
		{ simplify: true, fields },
	]);
	expect(read('false')).toEqual(Array(2).fill({ simplify: false, fields }));
});

test.each([
	[
		{ output: 'raw', simplify: true },
		{ simplify: false, fields: [] },
	],
	[{ output: 'simplified' }, { simplify: true, fields: [] }],
	[
		{ output: 'selectedFields', fieldsToReturn: 'name' },
		{ simplify: false, fields: ['name'] },
	],
])('a tool with the parameters %j selects the fields of its items as %j', (parameters, selection) => {
	expect(readParameter(selectionWithSimplify(), parameters)).toEqual(selection);
});

test('a tool says that Fields to Return is empty if Output is Selected Fields', async () => {
	const read = () => readParameter(selectionWithSimplify(), { output: 'selectedFields', fieldsToReturn: '' });
	expect((await expectError(read)).message).toBe("'Fields to Return' is empty");
});

test('missingNames of a field selector has the wanted fields that no item had, from select or from a mapper', () => {
	const selector = new FieldSelector({ simplify: false, fields: ['id', 'name', 'missing', 'toString'] });
	selector.select({ id: 'a' });
	selector.createMapper()({ name: 'A' }, 'req_1');
	expect([[...selector.missingNames], selector.knownNames]).toEqual([['missing', 'toString'], ['id']]);
});

const names = fc.constantFrom(
	'id',
	'error',
	'run_id',
	'workflow_id',
	'request_id',
	'next_cursor',
	'object',
	'city',
);
const value = fc.constantFrom('r', 's', 1, null);
const resource = fc.dictionary(names, value);
/** Resources with at most two sets of fields, so that most have the same fields as the one before. */
const anyList = fc
	.tuple(
		fc.array(fc.uniqueArray(names), { minLength: 2, maxLength: 2 }),
		fc.array(fc.tuple(fc.nat(1), fc.array(value, { minLength: 8, maxLength: 8 })), { minLength: 2 }),
	)
	.map(([sets, rows]) =>
		rows.map(([set, values]) => Object.fromEntries(sets[set].map((name, index) => [name, values[index]]))),
	);

test('the items of a list have the fields that each would have alone, whatever the items before have', () => {
	fc.assert(
		fc.property(...[anyList, resource, fc.boolean()], (resources, extra, simplify) => {
			const selection = { simplify, fields: [] };
			const toItem = new FieldSelector(selection).createMapper(extra);
			for (const [index, one] of resources.entries()) {
				const expected = selectFields(toOutputItem(one, `req_${index}`, extra), selection);
				expect(toItem(one, `req_${index}`)).toEqual(expected);
			}
		}),
		{ examples: [[[{ id: 'a', city: 'b' }, { 'id,city': 'c' }], {}, false]] },
	);
});

/** What does not hold for another run that the service names. */
const OF_RUN = {
	...{ run_status: 'done', workflow_id: 'w', workflow_name: 'Freight' },
	...{ run_request_id: 'req_0', idempotency_key: 'k' },
};

test.each<[IDataObject, IDataObject, string]>([
	[{ id: 'a', request_id: 'old' }, { deleted: true }, '{"id":"a","request_id":"req_1","deleted":true}'],
	[{ error: { code: 'E' } }, {}, '{"error_details":{"code":"E"},"request_id":"req_1"}'],
	[{ error: null, key: 'old' }, { key: null }, '{"key":null,"error_details":null,"request_id":"req_1"}'],
	[{ error: undefined }, {}, '{"request_id":"req_1"}'],
	[{ error: 1, error_details: 2 }, {}, '{"error_details":2,"error_details_2":1,"request_id":"req_1"}'],
	[{ run_id: null, key: 'k' }, { run_id: 'r1' }, '{"run_id":"r1","key":"k","request_id":"req_1"}'],
	[{ run_id: 'r2' }, { run_id: 'r1', ...OF_RUN, key: 'k' }, '{"run_id":"r2","key":"k","request_id":"req_1"}'],
])(
	'toOutputItem turns the resource %j and the extra fields %j into the output item %s',
	(resource, extra, expected) => {
		const before = JSON.stringify(resource);
		expect(JSON.stringify(toOutputItem(resource, 'req_1', extra))).toBe(expected);
		expect(JSON.stringify(resource)).toBe(before);
	},
);

test.each([
	...rowsOf(['Zürich_1', ' zÜRICH_1\n', 'Zu\u0308rich_1', '', undefined, null, { id: 'x' }], false),
	...rowsOf(['Zürich_2', 'Zürich_11', 'Zurich_1', 7], true),
])(
	'the function namesAnother() compares the received ID %j with the requested ID Zürich_1 and returns %j',
	(receivedId, expected) => {
		expect(namesAnother(receivedId, 'Zürich_1')).toBe(expected);
	},
);
