import type { IDataObject } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox/types';
import { find, inputFor, parametersFor, type Row } from './everyOperation';
import { startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
afterAll(async () => await bench.close());

const read = find('Workflow › get');
const keyed = find('Workflow › run');
const unkeyed = find('Workflow › update');

async function failure(row: Row, fault: FaultRule, options: IDataObject = {}) {
	const input = inputFor(bench, row, 1);
	bench.prepare({ times: 0, ...fault });
	const { message, description } = await bench.failure(parametersFor(row, undefined, { options }), input);
	return { message, description, entry: bench.sandbox.control.journal()[0] };
}

const unanswered = 'The connection ended before the service answered';
const webPage = 'The address answered with a web page instead of Prospector data';

const faults: Array<[string, FaultRule, string]> = [
	['no answer, dropped before the service had it', { kind: 'drop', when: 'before' }, unanswered],
	['no answer, dropped after the service had it', { kind: 'drop', when: 'after' }, unanswered],
	['a reset connection', { kind: 'reset' }, unanswered],
	['half an answer', { kind: 'cutBody' }, "The service's answer broke off half-way"],
	['a web page', { kind: 'notJson' }, webPage],
	['a web page after the service did it', { kind: 'notJson', when: 'after' }, webPage],
	[
		'text',
		{ kind: 'notJson', body: 'OK' },
		'The address answered with plain text instead of Prospector data',
	],
	[
		'nothing in it',
		{ kind: 'notJson', body: '' },
		'The address answered with nothing instead of Prospector data',
	],
	[
		'broken JSON',
		{ kind: 'notEnvelope', body: '{"data":{"id":"wf_' },
		'The address answered with JSON that breaks off or is malformed instead of Prospector data',
	],
	[
		'other JSON',
		{ kind: 'notEnvelope' },
		"The address answered with JSON without 'data' that is an object instead of Prospector data",
	],
	[
		'a JSON list',
		{ kind: 'notEnvelope', body: [] },
		'The address answered with a JSON list instead of Prospector data',
	],
	[
		'an envelope without a request id',
		{ kind: 'notEnvelope', body: { data: {} } },
		"The address answered with JSON without a 'request_id' instead of Prospector data",
	],
	[
		'a hint that it is overloaded',
		{ kind: 'status', status: 503 },
		'The service had trouble with the request: status 503',
	],
];

const withoutRequest = (message: string) => message.replace(/ \(request \S+\)$/, '');

describe.each(faults)('An answer with %s', (_, fault, sentence) => {
	it('is explained, and a read may be repeated', async () => {
		const { message, description } = await failure(read, fault);
		expect(withoutRequest(message)).toBe(sentence);
		expect(description).toContain('Nothing was changed, so it is safe to retry');
	});

	it('to a write with a key tells that the retry sends the same key', async () => {
		const { message, description, entry } = await failure(keyed, fault);
		expect(withoutRequest(message)).toBe(sentence);
		expect(entry.idempotencyKey).toBeTruthy();
		expect(description).toContain(`set 'Idempotency Key' under Options to '${entry.idempotencyKey}'`);
	});

	it('to a write that was told to send no key warns of doing it twice', async () => {
		const { description, entry } = await failure(keyed, fault, { idempotencyKeyMode: 'none' });
		expect(entry.idempotencyKey).toBeNull();
		expect(description).toContain('no idempotency key was sent: look in the workspace before you retry');
	});

	it('to a write without a key asks for a look before a retry', async () => {
		const { description } = await failure(unkeyed, fault);
		expect(description).toContain(
			'It is not known whether the service did it: look at the Prospector workflow',
		);
	});
});

it('A service that never answers is given up after the Request Timeout', async () => {
	const { message, description } = await failure(read, { kind: 'hang' }, { requestTimeout: 1 });
	expect(message).toBe('The service did not answer in time');
	expect(description).toContain("raise 'Request Timeout'");
});

it('A redirect is named with its target, but not with what its address carries', async () => {
	const fault: FaultRule = { kind: 'redirect', location: 'https://sso.example/login?ticket=secret' };
	const { message, description } = await failure(read, fault);
	expect(message).toBe(
		"'Base URL' of the credential leads to a redirect to https://sso.example, which is not followed",
	);
	expect(description).not.toContain('ticket');
});

it('A closed port is told from a service that was reached', async () => {
	const gone = await startEnvironment();
	await gone.close();
	const error = await gone.failure(parametersFor(keyed, 'wf_1'));
	expect(error.message).toBe('The service could not be reached');
	expect(error.description).toMatch(/^Nothing was sent \(ECONNREFUSED\)\. Check 'Base URL'/);
});
