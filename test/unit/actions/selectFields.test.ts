import { checkFieldNames } from '../../../nodes/Prospector/parameters/outputFields';
import { selectFields, unknownFields } from '../../../nodes/Prospector/actions/selectFields';
import { expectInvalid } from '../helpers/support';

const dates = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' };
const own = { request_id: 'req_1' };
const workflow = {
	id: 'wf_1',
	object: 'prospector_workflow',
	...dates,
	name: 'A',
	status: 'active',
	note: 'x',
	...own,
};
const run = { id: 'run_1', object: 'prospector_run', ...dates, status: 'done', workflow_id: 'wf_1', ...own };
const result = {
	id: 'res_1',
	object: 'prospector_result',
	...dates,
	lead_id: 'lead_1',
	company_name: 'A',
	...own,
};
const config = {
	id: 'c',
	object: 'prospector_config',
	...dates,
	timezone: 'UTC',
	states: [{ a: 1 }],
	...own,
};

describe('Simplify keeps what tells', () => {
	test.each([
		['of a workflow', workflow, { id: 'wf_1', name: 'A', status: 'active', ...own }],
		[
			'of a run, with the date by which the newest is found',
			run,
			{ id: 'run_1', created_at: dates.created_at, status: 'done', workflow_id: 'wf_1', ...own },
		],
		['of a result', result, { id: 'res_1', lead_id: 'lead_1', company_name: 'A', ...own }],
		['of the config', config, { id: 'c', timezone: 'UTC', states: [{ a: 1 }], ...own }],
		[
			'of a result of the run that was waited for',
			{ ...result, run_id: 'run_1', run_status: 'done', idempotency_key: 'k', run_request_id: 'req_0' },
			{
				...{ id: 'res_1', lead_id: 'lead_1', company_name: 'A', ...own },
				...{ run_id: 'run_1', run_status: 'done', idempotency_key: 'k', run_request_id: 'req_0' },
			},
		],
		[
			'of a page, with its cursor',
			{ ...result, next_cursor: 'c_2' },
			{ id: 'res_1', lead_id: 'lead_1', company_name: 'A', ...own, next_cursor: 'c_2' },
		],
		[
			'of a run that went wrong',
			{ id: 'run_1', status: 'failed', error_details: 'No credit', ...own },
			{ id: 'run_1', status: 'failed', error_details: 'No credit', ...own },
		],
		['of an item without fields', own, own],
	])('%s', (_, item, expected) => {
		expect(selectFields(item, { simplify: true })).toEqual(expected);
		expect(selectFields(item, { simplify: false })).toBe(item);
	});
});

describe('fields to return', () => {
	test.each([
		[['name'], { id: 'wf_1', name: 'A', ...own }],
		[['note', 'name'], { id: 'wf_1', name: 'A', note: 'x', ...own }],
		[['created_at'], { id: 'wf_1', created_at: dates.created_at, ...own }],
		[['nowhere'], { id: 'wf_1', ...own }],
		[['toString', '__proto__'], { id: 'wf_1', ...own }],
	])('%j come with the id and what the node adds', (fields, expected) => {
		expect(selectFields(workflow, { simplify: false, fields })).toEqual(expected);
		expect(selectFields(workflow, { simplify: true, fields })).toEqual(expected);
	});

	test.each([
		[[workflow], ['name', 'nowhere'], ['nowhere']],
		[[{ id: 'wf_0' }, workflow], ['name'], []],
		[[], ['nowhere'], []],
		[[workflow], ['toString'], ['toString']],
		[[workflow], undefined, []],
	])('of %j: %j has the unknown %j', (items, fields, expected) => {
		expect(unknownFields(items, { simplify: false, fields })).toEqual(expected);
	});

	test.each([
		['name, status', ['name', 'status']],
		['name\nstatus,', ['name', 'status']],
		[
			['name', ' status '],
			['name', 'status'],
		],
		['["name","status"]', ['name', 'status']],
		['error', ['error_details']],
		['', undefined],
		[' , ', undefined],
		[[], undefined],
		[undefined, undefined],
		[null, undefined],
	])('are read from %j', (value, expected) => {
		expect(checkFieldNames(value)).toEqual({ value: expected });
	});

	test.each([[{ name: true }], [['name', {}]], ['[name'], ['[{}]'], [true]])(
		'are not read from %j',
		(value) => {
			expect(expectInvalid(checkFieldNames(value)).message).toBe("'Fields to Return' is not a list of words");
		},
	);
});
