import type { IDataObject } from 'n8n-workflow';
import { toOutputItem } from '../../../nodes/Prospector/model/resource';

describe('toOutputItem', () => {
	test.each<[string, IDataObject, IDataObject, string]>([
		['the fields and the request', { id: 'wf_1' }, {}, '{"id":"wf_1","request_id":"req_1"}'],
		['extra fields', { id: 'a' }, { deleted: true }, '{"id":"a","deleted":true,"request_id":"req_1"}'],
		[
			'error as error_details, because n8n takes it for a failed item',
			{ error: { code: 'E' }, id: 'a' },
			{},
			'{"id":"a","error_details":{"code":"E"},"request_id":"req_1"}',
		],
		['an error of null', { error: null }, {}, '{"error_details":null,"request_id":"req_1"}'],
		['no undefined error', { error: undefined }, {}, '{"request_id":"req_1"}'],
		['its own request ID', { request_id: 'other' }, {}, '{"request_id":"req_1"}'],
		['its own extra fields', { key: 'other' }, { key: null }, '{"key":null,"request_id":"req_1"}'],
		[
			'a field called __proto__',
			JSON.parse('{"__proto__":{"polluted":1}}') as IDataObject,
			{},
			'{"__proto__":{"polluted":1},"request_id":"req_1"}',
		],
	])('returns %s, and does not change the resource', (_, resource, extraFields, expected) => {
		const before = JSON.stringify(resource);
		expect(JSON.stringify(toOutputItem(resource, 'req_1', extraFields))).toBe(expected);
		expect(JSON.stringify(resource)).toBe(before);
	});
});
