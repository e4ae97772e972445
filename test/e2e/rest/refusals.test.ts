import type { IDataObject } from 'n8n-workflow';
import type { FaultRule, ReadyMadeKeys } from '../../../sandbox/types';
import {
	fetchDirectly as ask,
	operationsByTitle as byTitle,
	findOperation as find,
	inputFor,
	parametersFor,
	type Row,
} from '../../workflow/everyOperation';
import { PATIENT, startE2e, type E2e } from '../bench';
import { over } from './branches';
import { startOtherHost } from './otherHost';

let e2e: E2e;
beforeAll(async () => {
	e2e = await startE2e();
}, PATIENT);
afterAll(async () => await e2e.close());
beforeEach(() => e2e.forget());

/** Executes an operation that must fail the execution after one request. */
async function refused(row: Row, credentials = e2e.full, fault?: FaultRule, rest: IDataObject = {}) {
	const [input] = inputFor(e2e, row, 1);
	e2e.forget();
	if (fault) e2e.control.addFault(fault);
	const { ended, failure } = await over(e2e, parametersFor(row, undefined, rest), [input], { credentials });
	expect(ended.status).toBe('error');
	const journal = e2e.control.journal();
	expect(journal.map(({ operation }) => operation)).toEqual([row.calls]);
	const [{ requestId, idempotencyKey, committed, status }] = journal;
	return { failure, input, request: ` (request ${requestId})`, key: idempotencyKey, committed, status };
}

/** How to repeat a start or creation, which stands in every one of its failures. */
const toRepeat = (row: Row, key: string | null) =>
	row.keyed ? ` To repeat it in any other way, set 'Idempotency Key' under Options to '${key}'.` : '';

const writes = byTitle.filter(([, { method }]) => method !== 'GET');

describe('Refusals and broken answers', () => {
	it.each(byTitle)('%s names the scope that the key lacks', async (_, row) => {
		const { secret } =
			e2e.control.state().keys.find(({ name }) => name === 'without_scopes') ??
			e2e.control.createKey({ name: 'without_scopes', scopes: [] });
		const credentials = await e2e.credential('without scopes', { apiKey: secret });
		const { failure, request, key } = await refused(row, credentials);
		const membership = row.method === 'GET' ? 'must be allowed to read this' : 'must not be read-only';
		expect(failure).toMatchObject({
			message: `This API key may not ${row.purpose}${request}`,
			description: `It needs the scope '${row.scope}', and the membership that issued it ${membership}. Ask an admin of the workspace for such a key.${toRepeat(row, key)} The service said: "Forbidden"`,
			httpCode: '403',
		});
	});

	it.each(writes)('%s is refused to a read-only membership, and nothing is changed', async (_, row) => {
		const { failure, request, committed } = await refused(row, await e2e.keyed('readOnlyMembership'));
		expect(failure?.message).toBe(`This API key may not ${row.purpose}${request}`);
		expect(failure?.description).toContain('the membership that issued it must not be read-only');
		expect(committed).toBe(false);
	});

	it.each<keyof ReadyMadeKeys>(['revoked', 'expired'])(
		'A key that is %s is named as the cause',
		async (key) => {
			const { failure, request } = await refused(find('Config › get'), await e2e.keyed(key));
			expect(failure).toMatchObject({
				message: `The API key was not accepted${request}`,
				description: `It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once. Put a current key into 'API Key' of the credential, then retry. The service said: "Unauthorized"`,
				httpCode: '401',
			});
		},
	);

	const redirected = [301, 302, 303, 307, 308].flatMap((status) =>
		['Config › get', 'Workflow › run'].map((title) => [title, status] as const),
	);

	it.each(redirected)(
		'%s follows no redirect %i, and the key reaches no other host',
		async (title, status) => {
			const other = await startOtherHost();
			const location = `${other.url}/api/public/v1/elsewhere?token=abc`;
			const { failure, key } = await refused(find(title), e2e.full, { kind: 'redirect', status, location });
			await other.close();
			expect(other.received).toEqual([]);
			expect(failure).toMatchObject({
				message: `'Base URL' of the credential leads to a redirect to ${other.url}, which is not followed`,
				description: `Following it would hand the API key to another address. Put the final address into 'Base URL' if you trust it.${toRepeat(find(title), key)}`,
			});
		},
	);

	const broken: Array<[string, FaultRule, string]> = [
		[
			'a web page',
			{ kind: 'notJson', when: 'after' },
			'The address answered with a web page instead of Prospector data',
		],
		['an answer cut off in mid-body', { kind: 'cutBody' }, "The service's answer broke off half-way"],
		[
			'nothing',
			{ kind: 'notJson', body: '', when: 'after' },
			'The address answered with nothing instead of Prospector data',
		],
		[
			'another JSON',
			{ kind: 'notEnvelope', body: { ok: true }, when: 'after' },
			"The address answered with JSON without 'data' that is an object instead of Prospector data",
		],
	];

	it.each(broken)('A read answered by %s fails, and says that a retry is safe', async (_, fault, message) => {
		const { failure } = await refused(find('Run › get'), e2e.full, fault);
		expect(failure?.message).toBe(message);
		expect(failure?.description).toContain('Nothing was changed, so it is safe to retry.');
	});

	it.each(broken)(
		'A start answered by %s names its key, with which it can be repeated',
		async (_, fault, message) => {
			const before = e2e.control.runs().started;
			const { failure, key, input } = await refused(find('Workflow › run'), e2e.full, fault);
			expect(failure?.message).toBe(message);
			expect(failure?.description).toContain(
				`Retry it from the executions list, which sends the same idempotency key, so that nothing is done twice. To repeat it in any other way, set 'Idempotency Key' under Options to '${key}'.`,
			);
			// The person does what the message says.
			const { good } = await over(
				e2e,
				parametersFor(find('Workflow › run'), undefined, {
					options: { idempotencyKeyMode: 'custom', idempotencyKey: key },
				}),
				[input],
			);
			expect(e2e.control.runs().started).toBe(before + 1);
			expect(good.map(({ json }) => json)).toEqual([
				expect.objectContaining({ object: 'prospector_run', idempotency_key: key }),
			]);
		},
	);

	it.each(broken.filter(([, { kind }]) => kind !== 'notEnvelope'))(
		'A change answered by %s says to look before a retry',
		async (_, fault, message) => {
			const { failure, input } = await refused(find('Workflow › update'), e2e.full, fault);
			expect(failure?.message).toBe(message);
			expect(failure?.description).toContain(
				'It is not known whether the service did it: look at the Prospector workflow before you retry.',
			);
			const { data } = await ask(e2e, `/prospector/workflows/${input.id}`);
			expect(data.name).toBe(input.name);
		},
	);

	it('A key that stands for something else already is refused, and nothing is created', async () => {
		const options = { idempotencyKeyMode: 'custom', idempotencyKey: 'weekly' };
		const create = (name: string) =>
			parametersFor(find('Workflow › create'), '', { options, jsonBody: { name } });
		await over(e2e, create('One'));
		const before = e2e.control.state().counts.workflowsCreated;
		const { failure } = await over(e2e, create('Two'));
		const requestId = e2e.control.journal()[1]?.requestId;
		expect(failure).toMatchObject({
			message: `The idempotency key 'weekly' was already used with a different payload (request ${requestId})`,
			description: `Nothing was done this time. An earlier request with this key carried other values: if it is fine, use what it made; if these values should count, start a new execution or give another key in 'Idempotency Key'. The service said: "Conflict"`,
			httpCode: '409',
		});
		expect(e2e.control.state().counts.workflowsCreated).toBe(before);
	});
});
