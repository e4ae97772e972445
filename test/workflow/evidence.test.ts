/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
// Whatever arrives, or does not arrive, a message claims only what it proves (nodes/Prospector/api/failure/evidence.ts).
import fc from 'fast-check';
import { createCA, createCert } from 'mkcert';
import type { IDataObject } from 'n8n-workflow';
import tlsModule from 'node:tls';
import type { FaultRule } from '../../sandbox/types';
import { byId } from '../nodes';
import { startEnvironment } from './environment';
import { startTarget, thrownBy, type Target } from './hostileService/target';

const workflowOf = (operation: string, options: IDataObject = {}) => ({
	...{ resource: 'workflow', operation, workflowId: byId('wf_1'), options: { retryFor: 0, ...options } },
	...{ enterValues: 'json', jsonBody: '{ "name": "A" }' },
});
const writes: Record<string, IDataObject> = {
	run: workflowOf('run'),
	'run without a key': workflowOf('run', { preventDuplicates: 'off' }),
	'run with a key of the user': workflowOf('run', { preventDuplicates: 'key', idempotencyKey: 'k' }),
	create: workflowOf('create'),
	update: workflowOf('update'),
	delete: workflowOf('delete'),
};
const reads: Record<string, IDataObject> = {
	'a run': { resource: 'run', operation: 'get', runId: byId('run_1'), options: { retryFor: 0 } },
	'a Prospector workflow': workflowOf('get'),
	'a list': { resource: 'workflow', operation: 'getAll', options: { retryFor: 0 } },
	identity: { resource: 'account', operation: 'getIdentity', options: { retryFor: 0 } },
};
const subjects = [...Object.keys(writes), ...Object.keys(reads), 'credential', 'editor', 'activation'];

const PAGES = ['<!DOCTYPE html><title>Wait…</title>', ' \n<html>', '<?xml version="1.0"?><Error/>', '<b>'];
const NO_PAGES = ['', 'no', '{"error":{"message":"reason"}}', '[]', '{"data":', 'null', '7'];
const STATUSES = [200, 201, 204, 302, 304, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 422, 425, 429];
const FRONT_STATUSES = [407, 511, 520, 522, 530];
const LOCATIONS = ['', '', '/login', 'https://sso.example/', 'https://sso.example/?next=/api/public/v1/me'];
const arbitraryResponse = fc.record({
	status: fc.constantFrom(...STATUSES, ...FRONT_STATUSES, 451, 499, 500, 501, 502, 503, 504, 507, 599),
	contentType: fc.constantFrom(
		...['application/json', 'TEXT/HTML; charset=utf-8', 'application/xhtml+xml', 'text/plain', ''],
	),
	body: fc.constantFrom(...PAGES, ...NO_PAGES, ...NO_PAGES),
	location: fc.constantFrom(...LOCATIONS),
	/** Share of the response that is sent before the connection breaks. */
	sentShare: fc.oneof(fc.constant(1), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
	/** Whether the service has done what was asked for. */
	isProcessed: fc.boolean(),
	subject: fc.constantFrom(...subjects),
});
type Response = typeof arbitraryResponse extends fc.Arbitrary<infer T> ? T : never;

function toFault({ status, contentType, body, location, sentShare, isProcessed }: Response): FaultRule {
	const hasBody = status !== 204 && status !== 304;
	const lines = [
		`HTTP/1.1 ${status} x`,
		...(contentType === '' ? [] : [`content-type: ${contentType}`]),
		...(location === '' ? [] : [`location: ${location}`]),
		...(hasBody ? [`content-length: ${Buffer.byteLength(body)}`] : []),
	];
	const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${hasBody ? body : ''}`).toString('latin1');
	const when = isProcessed ? 'after' : 'before';
	return { kind: 'raw', bytes: bytes.slice(0, Math.floor(bytes.length * sentShare)), when, times: 0 };
}

/** What each kind of claim looks like, and which statuses of the service permit it. */
const CLAIMS: Array<[claim: RegExp, isPermitted: (status: number) => boolean]> = [
	[/API key (?:was not accepted|is mistyped)/, (status) => status === 401],
	[/not allowed to/, (status) => status === 403],
	[/was not found|may be deleted/, (status) => status === 404],
	[/conflict|already in use/i, (status) => status === 409],
	[/limit of requests/, (status) => status === 429],
	[/did not accept|Check the fields/, (status) => status >= 400 && status < 500],
	[/accept the values|Correct the values/, (status) => [400, 413, 422].includes(status)],
	[/run (?:continues|has finished)|enter it in 'Base URL'/, () => false],
];
const NOT_DONE = /not carried out|nothing was (?:done|sent)|did nothing|was not sent(?! there)/i;

async function textOf(target: Target, subject: string): Promise<string> {
	if (subject === 'credential') return await target.testCredential();
	const parameters = writes[subject] ?? reads[subject];
	const trigger = target.trigger({ event: 'newRun', watch: 'one', workflowId: byId('wf_1') });
	const task = {
		editor: async () => await target.callEditor('listSearch', 'searchWorkflows'),
		activation: async () => await trigger.activate(),
	};
	const run = async () => await (parameters ? target.getItems(parameters) : task[subject as 'editor']());
	const error = (await thrownBy(run())) as { message: string; description?: string } | undefined;
	return error === undefined ? '' : `${error.message}. ${error.description ?? ''}`;
}

let target: Target;
beforeAll(async () => (target = await startTarget([], {}, 1000)));
afterAll(async () => await target.close());

test('no message claims more than the response proves, and no write that the service processed is reported as not done', async () => {
	const check = async (response: Response) => {
		const { status, contentType, body, sentShare, isProcessed, location, subject } = response;
		const hasBody = status !== 204 && status !== 304;
		const isPage = /html/i.test(contentType) || (hasBody && body.trim().startsWith('<'));
		const isComplete = sentShare === 1;
		const isRedirect = status >= 300 && status < 400 && location !== '';
		const isFront = isComplete && (isPage || isRedirect || FRONT_STATUSES.includes(status));
		const isRefusal = isComplete && !isFront && status >= 400 && status < 500 && status !== 408;
		// A service does not refuse what it has done, unless it repeats an earlier conflict.
		fc.pre(!isRefusal || !isProcessed || status === 409);
		target.control.seed({ workflows: [{ id: 'wf_1', runs: [{ id: 'run_1' }] }] });
		target.resetService(toFault(response));
		const text = await textOf(target, subject);
		const said = isComplete && !isFront ? status : 0;
		for (const [claim, isPermitted] of CLAIMS) if (!isPermitted(said)) expect(text).not.toMatch(claim);
		if (isFront) expect(text).toMatch(/omething in front of the service answered|may be .* a login page/);
		if (!(subject in writes) || text === '') return;
		if (!isRefusal) expect(text).toContain(' may have ');
		if (isProcessed) expect(text).not.toMatch(NOT_DONE);
	};
	await fc.assert(fc.asyncProperty(arbitraryResponse, check), { numRuns: 150, seed: 1 });
}, 300_000);

describe('HTTPS', () => {
	let tls: { key: string; cert: string };
	beforeAll(async () => {
		const subject = { organization: 'Test', countryCode: 'NL', state: 'x', locality: 'x', validity: 1 };
		const ca = await createCA(subject);
		tls = await createCert({ ca, domains: ['127.0.0.1'], validity: 1 });
	});
	afterEach(() => jest.restoreAllMocks());

	async function failWith(options: { requestCert?: boolean; isTrusted: boolean }, fault?: FaultRule) {
		const connectVerified = tlsModule.connect as (options: object) => tlsModule.TLSSocket;
		jest
			.spyOn(tlsModule, 'connect')
			.mockImplementation((given) =>
				connectVerified({ ...(given as unknown as object), rejectUnauthorized: !options.isTrusted }),
			);
		const { requestCert } = options;
		const env = await startEnvironment({}, { tls: { ...tls, requestCert } });
		const { workflows } = env.control.seed({ workflows: 1 });
		if (fault) env.resetService(fault);
		const error = await env.getError({ ...workflowOf('run'), workflowId: byId(workflows[0]) });
		const started = env.control.runs().started;
		await env.close();
		return { text: `${error.message}. ${error.description}`, started };
	}

	test('the message says that nothing was sent if n8n rejects the certificate', async () => {
		const { text, started } = await failWith({ isTrusted: false });
		expect(text).toMatch(
			/^n8n does not trust the certificate of 'Base URL'\. Nothing was sent \((?:UNABLE|SELF|DEPTH)/,
		);
		expect(started).toBe(0);
	});

	test('the message says that the run may have been started if TLS breaks after the request', async () => {
		const { text, started } = await failWith({ isTrusted: true }, { kind: 'breakTls', when: 'after' });
		expect(text).toMatch(/^The TLS connection failed before the response arrived.* may have been started/);
		expect(started).toBe(1);
	});

	test('the message does not blame the certificate of the service if the service asks for one of the client', async () => {
		const { text } = await failWith({ isTrusted: true, requestCert: true });
		expect(text).toMatch(/ may have been started/);
		expect(text).not.toMatch(/renew|trust|was not sent/);
	});
});
