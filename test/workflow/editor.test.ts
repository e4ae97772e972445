import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	INodeCredentialTestResult,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { FaultRule, ReadyMadeKeys } from '../../sandbox/types';
import { PROSPECTOR } from '../nodes';
import { callEditorMethod, idsOf, startEnvironment, type Environment } from './environment';

let env: Environment;
beforeAll(async () => (env = await startEnvironment()));
beforeEach(() => {
	env.control.reset();
	env.control.patchSettings({ limit: 100_000, runStageMs: 0 });
	env.resetService();
});
afterAll(async () => await env.close());

type Method = 'searchWorkflows' | 'searchRuns';
const TIME = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';

const search = async (method: Method, args: unknown[] = [], key = 'full') =>
	await callEditorMethod<INodeListSearchResult>(env, 'listSearch', method, { args, key });
const names = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);
const values = ({ results }: INodeListSearchResult) => results.map(({ value }) => value);
/** Names without the time of creation. */
const titles = (found: INodeListSearchResult) =>
	names(found).map((name) => name.replace(new RegExp(` · ${TIME}$`), ''));
const emptyList: FaultRule = {
	kind: 'notEnvelope',
	body: { data: [], pagination: { has_more: false }, request_id: 'req_1' },
};

/** Requests page after page, as the editor does while a person scrolls. */
async function searchToEnd(method: Method, filter?: string) {
	const results: INodeListSearchResult['results'] = [];
	let token: string | undefined;
	let pages = 0;
	do {
		const page = await search(method, [filter, token]);
		results.push(...page.results);
		token = page.paginationToken as string | undefined;
		pages++;
	} while (token !== undefined && pages < 100);
	return { results, pages };
}

describe('The list of Prospector workflows', () => {
	const all = [
		'Trade fair follow-up (paused)',
		'Clinics opening this quarter (active)',
		'Logistics leads, Benelux (active)',
		'SaaS founders in Germany (active)',
	];

	test('shows name, status and time, and has the ID as its value', async () => {
		const found = await search('searchWorkflows', ['']);
		expect(titles(found)).toEqual(all);
		for (const name of names(found)) expect(name).toMatch(new RegExp(`\\) · ${TIME}$`));
		expect(found.paginationToken).toBeUndefined();
		expect(values(found)).toEqual(idsOf(await env.getItems({ resource: 'workflow', operation: 'getAll' })));
	});

	test.each([
		['saas', [3]],
		['  LEADS ', [2]],
		['paused', [0]],
		['no such thing', []],
	])('finds %j by name or status in any letter case', async (filter, expected) => {
		expect(titles(await search('searchWorkflows', [filter]))).toEqual(expected.map((i) => all[i]));
	});

	test('shows every workflow once over several pages, and finds one on a later page', async () => {
		env.control.seed({ workflows: Array.from({ length: 116 }, (_, i) => ({ name: `More ${i + 1}` })) });
		const { results, pages } = await searchToEnd('searchWorkflows');
		expect([pages, results.length]).toEqual([3, 120]);
		expect(new Set(values({ results })).size).toBe(120);
		expect(titles(await searchToEnd('searchWorkflows', 'SaaS'))).toEqual([all[3]]);
	});
});

describe('The list of runs', () => {
	test('shows workflow, time and status, newest first, and has the ID as its value', async () => {
		const found = await search('searchRuns');
		const pattern = new RegExp(
			`^(SaaS founders in Germany|Logistics|Clinics).* · ${TIME} · completed · run_\\w+$`,
		);
		for (const name of names(found)) expect(name).toMatch(pattern);
		const times = names(found).map((name) => name.split(' · ')[1]);
		expect(times).toEqual([...times].sort().reverse());
		const ids = env.control.runs().runs.map(({ id }) => id);
		expect(values(found).sort()).toEqual(ids.sort());
	});

	test('finds runs by workflow, status and ID', async () => {
		const [{ id, workflowId }] = env.control.runs().runs;
		env.control.seed({ runs: [{ workflowId, status: 'failed' }] });
		expect(names(await search('searchRuns', ['saas']))).toHaveLength(3);
		expect(names(await search('searchRuns', ['FAILED']))).toHaveLength(1);
		expect(values(await search('searchRuns', [id]))).toEqual([id]);
		expect(values(await search('searchRuns', ['no such run']))).toEqual([]);
	});

	test('shows every run once over several pages', async () => {
		env.control.seed({ workflows: Array.from({ length: 25 }, () => ({ runs: [{}, {}] })) });
		const { results, pages } = await searchToEnd('searchRuns');
		expect([pages, results.length]).toEqual([3, 54]);
		expect(new Set(values({ results })).size).toBe(54);
	});
});

describe('Links to the service’s pages', () => {
	const pageUrls = {
		workflowPageUrl: 'https://app.example.com/w/{workflow_id}',
		runPageUrl: 'https://app.example.com/w/{workflow_id}/r/{run_id}',
	};
	test('lead to each entry only if the credential has page URLs', async () => {
		await env.addCredential('with pages', { showAdvanced: true, ...pageUrls });
		for (const { url } of (await search('searchWorkflows')).results) expect(url).toBeUndefined();
		for (const { url, value } of (await search('searchWorkflows', [], 'with pages')).results) {
			expect(url).toBe(`https://app.example.com/w/${String(value)}`);
		}
		const { runs } = env.control.runs();
		const { results } = await search('searchRuns', [], 'with pages');
		expect(results).toHaveLength(runs.length);
		for (const { url, value } of results) {
			const workflowId = runs.find(({ id }) => id === value)?.workflowId;
			expect(url).toBe(`https://app.example.com/w/${workflowId}/r/${String(value)}`);
		}
	});
});

describe('The fields of Create and Update', () => {
	const fieldsOf = async (operation: string) =>
		(
			await callEditorMethod<ResourceMapperFields>(env, 'resourceMapping', 'getWorkflowFields', {
				parameters: { operation },
			})
		).fields;

	test('are inferred from existing workflows, with their types', async () => {
		const fields = { max: 5, live: true, tags: ['a'], geo: { x: 1 }, mixed: 1 };
		env.control.seed({ workflows: [{ fields }, { fields: { mixed: 'a' } }] });
		expect((await fieldsOf('create')).map(({ id, type }) => [id, type])).toEqual([
			...[
				['name', 'string'],
				['status', 'string'],
				['description', 'string'],
				['geo', 'object'],
			],
			...[
				['live', 'boolean'],
				['max', 'number'],
				['mixed', 'string'],
				['tags', 'array'],
			],
		]);
	});

	test('take four requests in a large workspace', async () => {
		env.control.seed({ workflows: 400 });
		await fieldsOf('create');
		expect(env.journal()).toHaveLength(4);
	});
});

describe.each([
	['listSearch', 'searchWorkflows'],
	['listSearch', 'searchRuns'],
	['resourceMapping', 'getWorkflowFields'],
] as const)('%s %s', (kind, method) => {
	test('throws the explanation when the service or the credential fails', async () => {
		await expect(callEditorMethod(env, kind, method, { key: 'revoked' })).rejects.toThrow(
			'The API key was not accepted (request req_',
		);
		env.resetService({ kind: 'notJson' });
		await expect(callEditorMethod(env, kind, method)).rejects.toThrow(
			'answered with a web page instead of Prospector data',
		);
		await env.addCredential('empty', { baseUrl: '' });
		await expect(callEditorMethod(env, kind, method, { key: 'empty' })).rejects.toThrow(
			"The credential has no 'Base URL'",
		);
	});

	test('sends only GET requests without an idempotency key', async () => {
		await callEditorMethod(env, kind, method);
		expect(env.journal().length).toBeGreaterThan(0);
		for (const entry of env.journal()) expect(entry).toMatchObject({ method: 'GET', idempotencyKey: null });
	});

	test('returns no entries, or the documented fields, for an empty workspace', async () => {
		env.resetService(emptyList);
		const found = await callEditorMethod<INodeListSearchResult & ResourceMapperFields>(env, kind, method);
		expect((found.results ?? found.fields).length).toBe(kind === 'listSearch' ? 0 : 2);
	});
});

describe('The credential test', () => {
	/** Calls the test as n8n does when a person saves a credential. */
	async function testCredential(data: ICredentialDataDecryptedObject = {}) {
		const { baseUrl, keys } = env.sandbox;
		const { methods, description } = env.nodeTypes.getByNameAndVersion(PROSPECTOR);
		const { testedBy } = description.credentials?.[0] ?? {};
		const result = await methods?.credentialTest?.[testedBy as string].call(new CredentialTestContext(), {
			...{ id: '1', name: 'Prospector account', type: 'prospectorApi' },
			data: { apiKey: keys.full, baseUrl, ...data },
		});
		return result as INodeCredentialTestResult;
	}

	const invalidKey =
		/^The API key was not accepted \(request req_\w+\)\. .*revoked or expired.*Paste a current key/;
	test.each<[keyof ReadyMadeKeys, string, RegExp]>([
		['full', 'OK', /^Connected$/],
		['readOnlyMembership', 'OK', /^Connected$/],
		[
			'noMeRead',
			'Error',
			/^The API key is good, but it lacks the scope 'me\.read'.*You can save this credential as it is\.$/,
		],
		['revoked', 'Error', invalidKey],
		['expired', 'Error', invalidKey],
	])('of the API key %s sends one request and returns %s', async (key, status, message) => {
		const result = await testCredential({ apiKey: env.sandbox.keys[key] });
		expect(result).toEqual({ status, message: expect.stringMatching(message) });
		expect(env.journal()).toMatchObject([
			{ method: 'GET', path: '/api/public/v1/me', query: {}, body: null, hasAuthorization: true },
		]);
	});

	test.each<[string, FaultRule, RegExp]>([
		[
			'a web page',
			{ kind: 'notJson' },
			/^The address answered with a web page instead of Prospector data\. Check/,
		],
		['a truncated response', { kind: 'cutBody' }, /^The service's answer broke off half-way\. Test again/],
		['a closed connection', { kind: 'drop' }, /^The connection ended before the service answered\. /],
		[
			'status 429',
			{ kind: 'status', status: 429 },
			/The key itself was accepted\. Wait a minute and test again\. The service said: "Too many requests"\.$/,
		],
	])('explains %s after one request', async (_, fault, message) => {
		env.resetService(fault);
		const result = await testCredential();
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		expect(result.message).toMatch(/[^.]\.$/);
		expect(env.journal()).toHaveLength(1);
	});

	test('explains that nothing listens on the port', async () => {
		const closed = await startEnvironment();
		await closed.close();
		expect(await testCredential({ baseUrl: closed.sandbox.baseUrl })).toEqual({
			status: 'Error',
			message:
				"The service could not be reached. Nothing was sent (ECONNREFUSED). Check 'Base URL' of the credential and the network of this n8n, then test again.",
		});
	});

	test.each<[ICredentialDataDecryptedObject, string]>([
		[{ apiKey: '' }, "The credential has no 'API Key'."],
		[{ baseUrl: 'app.example.com' }, "'Base URL' of the credential is not a web address."],
		[{ baseUrl: 'http://app.example.com' }, 'would send the API key unencrypted.'],
	])('sends nothing when the credential has %j', async (data, message) => {
		const result = await testCredential(data);
		expect(result).toEqual({ status: 'Error', message: expect.stringContaining(message) });
		expect(env.journal()).toEqual([]);
	});
});
