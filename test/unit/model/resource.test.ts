import { toOutput } from '../../../nodes/Prospector/model/resource';

describe('an output item', () => {
	test.each([
		['its own fields and the request', { id: 'wf_1' }, {}, { id: 'wf_1', request_id: 'req_1' }],
		[
			'further fields of ours',
			{ id: 'a' },
			{ deleted: true },
			{ id: 'a', deleted: true, request_id: 'req_1' },
		],
		[
			'error as error_details, since n8n takes it for a failed item otherwise',
			{ id: 'run_1', error: { code: 'E' } },
			{},
			{ id: 'run_1', error_details: { code: 'E' }, request_id: 'req_1' },
		],
		['an error of null as well', { error: null }, {}, { error_details: null, request_id: 'req_1' }],
		['our request id over the resource’s', { request_id: 'other' }, {}, { request_id: 'req_1' }],
		[
			'our idempotency key over the resource’s',
			{ idempotency_key: 'other' },
			{ idempotency_key: null },
			{ idempotency_key: null, request_id: 'req_1' },
		],
	])('has %s', (_, resource, extra, expected) => {
		expect(toOutput(resource, 'req_1', extra)).toEqual(expected);
	});

	test('has no error_details where the resource has no error', () => {
		expect(Object.keys(toOutput({ id: 'a' }, 'req_1'))).toEqual(['id', 'request_id']);
	});

	test('leaves the resource as it was', () => {
		const resource = { id: 'a', error: 'e' };
		toOutput(resource, 'req_1', { deleted: true });
		expect(resource).toEqual({ id: 'a', error: 'e' });
	});
});
