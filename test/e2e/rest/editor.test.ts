import type {
	ICredentialType,
	IDataObject,
	INode,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeTypeDescription,
	ResourceMapperFields,
} from 'n8n-workflow';
import { PROSPECTOR } from '../../nodes';
import { fetchDirectly } from '../../workflow/everyOperation';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { RestError } from '../n8n/rest';
import { inputItems, manualWorkflow } from '../n8n/workflows';

let e2e: Environment;
beforeAll(async () => {
	e2e = await startEnvironment();
});
afterAll(async () => await e2e.close());
beforeEach(() => void e2e.control.reset());

interface EditorRequest {
	methodName: string;
	parameters?: IDataObject;
	credentials?: INode['credentials'];
	type?: string;
	filter?: string;
	paginationToken?: unknown;
}

/** Sends a request that the editor sends while a person edits a node. */
async function request<T = INodeListSearchResult>(
	kind: 'resource-locator-results' | 'resource-mapper-fields' | 'options',
	{ parameters = {}, type = PROSPECTOR, ...others }: EditorRequest,
): Promise<T> {
	return await e2e.rest.post<T>(`/rest/dynamic-node-parameters/${kind}`, {
		path: 'parameters.field',
		nodeTypeAndVersion: { name: type, version: 1 },
		currentNodeParameters: parameters,
		...others,
	});
}

/** Returns the message that the editor shows when a request fails. */
async function messageOf(response: Promise<unknown>): Promise<string> {
	const error = await response.catch((reason: unknown) => reason);
	if (!(error instanceof RestError)) throw new Error('n8n was expected to reject the request');
	return (error.body as { message: string }).message;
}

/** Returns all entries of a picker, page by page. */
async function search(methodName: string, filter?: string): Promise<INodeListSearchResult['results']> {
	const results: INodeListSearchResult['results'] = [];
	let paginationToken: unknown;
	do {
		const page = await request('resource-locator-results', {
			...{ methodName, filter, paginationToken },
			credentials: e2e.full,
		});
		results.push(...page.results);
		({ paginationToken } = page);
	} while (paginationToken && results.length < 1000);
	return results;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

/** Such as `1 Mar 2026, 08:00 UTC`. */
function toMinute(time: string): string {
	const [, year, month, day, minute] = /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(time) ?? [];
	return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${minute} UTC`;
}

async function fetchText(path: string) {
	const response = await fetch(`${e2e.n8n.baseUrl}/${path}`);
	return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

async function expectIcons(iconUrl: INodeTypeDescription['iconUrl']) {
	const { light, dark } = iconUrl as { light: string; dark: string };
	const icons = await Promise.all([light, dark].map(fetchText));
	for (const icon of icons) {
		expect(icon).toMatchObject({ status: 200, type: 'image/svg+xml', text: expect.stringContaining('<svg') });
	}
	expect(icons[0].text).not.toBe(icons[1].text);
}

describe('Requests of the editor', () => {
	it('lists the Prospector workflows by name and status', async () => {
		const { data } = await fetchDirectly(e2e, '/prospector/workflows');
		expect(data).toHaveLength(5);
		expect(await search('searchWorkflows')).toEqual(
			data.map(({ id, name, status }) => ({ name: `${String(name)} (${String(status)})`, value: id })),
		);
	});

	it('lists only the entries that match the filter', async () => {
		const [found, ...others] = await search('searchWorkflows', '  BENELUX ');
		expect([found.name, others]).toEqual([expect.stringMatching(/^Logistics companies, Benelux /), []]);
		const [{ id }] = e2e.control.runs().runs;
		expect(await search('searchRuns', id)).toMatchObject([{ value: id }]);
	});

	it('lists runs by Prospector workflow, time and status, newest first', async () => {
		const { runs } = e2e.control.runs();
		const entries = await search('searchRuns');
		expect(entries.map(({ value }) => value)).toEqual(
			[...runs].sort((a, b) => b.createdAt.localeCompare(a.createdAt)).map(({ id }) => id),
		);
		const [{ id, workflowId, createdAt, status }] = runs;
		const { data } = await fetchDirectly(e2e, `/prospector/workflows/${workflowId}`);
		expect(entries).toContainEqual({
			name: `${String(data.name)} · ${toMinute(createdAt)} · ${status}`,
			value: id,
		});
	});

	it('lists every entry once over several pages', async () => {
		e2e.control.patchSettings({ defaultPageSize: 20 });
		const more = Array.from({ length: 45 }, (_, i) => ({ name: `More ${i}`, runs: 1 }));
		const { workflows } = e2e.control.seed({ workflows: more });
		const { data } = await fetchDirectly(e2e, '/prospector/workflows?limit=100');
		const ids = {
			searchWorkflows: data.map(({ id }) => id),
			searchRuns: e2e.control.runs().runs.map(({ id }) => id),
		};
		for (const [method, expected] of Object.entries(ids)) {
			const values = (await search(method)).map(({ value }) => value);
			expect(values.sort()).toEqual(expected.sort());
		}
		expect(await search('searchWorkflows', 'more 7')).toMatchObject([{ value: workflows[7] }]);
	});

	it('offers the Prospector workflows as options of the trigger', async () => {
		const options = await request<INodePropertyOptions[]>('options', {
			methodName: 'getWorkflows',
			type: `${PROSPECTOR}Trigger`,
			credentials: e2e.full,
		});
		expect(options).toEqual(await search('searchWorkflows'));
	});

	it.each(['create', 'update'])('offers the fields of existing workflows for %s', async (operation) => {
		e2e.control.seed({ workflows: [{ fields: { max: 5, live: true, tags: ['a'], geo: { x: 1 } } }] });
		const { fields } = await request<ResourceMapperFields>('resource-mapper-fields', {
			methodName: 'getWorkflowFields',
			parameters: { resource: 'workflow', operation },
			credentials: e2e.full,
		});
		const isRemoved = operation === 'update';
		expect(fields.map(({ id, type, removed, required }) => [id, type, removed, required])).toEqual([
			['name', 'string', isRemoved, false],
			['status', 'string', isRemoved, false],
			['description', 'string', true, false],
			['geo', 'object', true, false],
			['live', 'boolean', true, false],
			['max', 'number', true, false],
			['tags', 'array', true, false],
		]);
	});

	it.each([
		['resource-locator-results', 'searchWorkflows'],
		['resource-locator-results', 'searchRuns'],
		['resource-mapper-fields', 'getWorkflowFields'],
	] as const)('%s of %s fails with a message', async (kind, methodName) => {
		const messageWith = async (credentials: INode['credentials']) =>
			await messageOf(request(kind, { methodName, credentials }));
		const message = await messageWith(await e2e.credentialWithKey('revoked'));
		expect(message).toBe(`The API key was not accepted (request ${e2e.control.journal()[0]?.requestId})`);
		e2e.control.addFault({ kind: 'notJson' });
		expect(await messageWith(e2e.full)).toBe("'Base URL' answered with a web page, not with Prospector data");
		e2e.control.clearJournal();
		expect(await messageWith(undefined)).toBe('Node does not have any credentials set');
		expect(e2e.control.journal()).toEqual([]);
	});

	it('knows the node, the trigger and the tool, with icons and search terms', async () => {
		const types = (await e2e.rest.get<INodeTypeDescription[]>('/types/nodes.json')).filter(({ name }) =>
			name.startsWith(PROSPECTOR),
		);
		expect(types.map(({ name, displayName }) => [name, displayName]).sort()).toEqual([
			[PROSPECTOR, 'Prospector'],
			[`${PROSPECTOR}Tool`, 'Prospector Tool'],
			[`${PROSPECTOR}Trigger`, 'Prospector Trigger'],
		]);
		for (const { iconUrl, codex, credentials } of types) {
			await expectIcons(iconUrl);
			expect(credentials).toEqual([expect.objectContaining({ name: 'prospectorApi', required: true })]);
			if (!codex?.subcategories?.AI) {
				expect(codex?.alias).toEqual(expect.arrayContaining(['lead', 'leads', 'B2B', 'prospecting']));
				expect(codex?.categories).toEqual(['Sales', 'Marketing']);
			}
		}
		const tool = types.find(({ name }) => name.endsWith('Tool'));
		expect(tool).toMatchObject({ outputs: ['ai_tool'], codex: { categories: ['AI'] } });
		expect(tool?.properties.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['toolDescription', 'resource', 'operation', 'simplify']),
		);
	});

	it('knows the credential type, with icons and a hidden API key', async () => {
		const types =
			await e2e.rest.get<Array<ICredentialType & Pick<INodeTypeDescription, 'iconUrl'>>>(
				'/types/credentials.json',
			);
		const [type, ...others] = types.filter(({ name }) => name === 'prospectorApi');
		expect(others).toEqual([]);
		expect(type).toMatchObject({
			displayName: 'Prospector API',
			documentationUrl: expect.stringMatching(/^https:/),
			supportedNodes: expect.arrayContaining([PROSPECTOR, `${PROSPECTOR}Trigger`]),
		});
		await expectIcons(type.iconUrl);
		expect(type.properties.slice(0, 2)).toMatchObject([
			{ name: 'apiKey', required: true, typeOptions: { password: true } },
			{ name: 'baseUrl', required: true },
		]);
	});

	it('executes one step alone, with the data of the steps before it', async () => {
		const step = e2e.prospector('Step', { resource: 'account', operation: 'getSettings' });
		// The editor saves an n8n workflow with an empty pinData.
		const workflow = { ...manualWorkflow(inputItems('Input', [{}]), step), pinData: {} };
		const saved = await e2e.workflows.create(workflow);
		const { data } = await e2e.executions.ended(await e2e.workflows.start(saved));
		const { runData } = data!.resultData;
		e2e.control.clearJournal();
		const { executionId } = await e2e.rest.post<{ executionId: string }>(`/rest/workflows/${saved.id}/run`, {
			workflowData: saved,
			runData,
			destinationNode: { nodeName: 'Step', mode: 'inclusive' },
			dirtyNodeNames: ['Step'],
		});
		const ended = await e2e.executions.ended(executionId);
		expect(ended.status).toBe('success');
		const [request, ...others] = e2e.control.journal();
		expect([request.operation, others]).toEqual(['getConfig', []]);
		expect(jsonOf(ended, 'Step')).toMatchObject([{ request_id: request.requestId }]);
		expect(ended.data?.resultData.runData.Input[0].startTime).toBe(runData.Input[0].startTime);
	});
});
