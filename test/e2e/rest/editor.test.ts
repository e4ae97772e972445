import type {
	ICredentialType,
	INodePropertyOptions,
	INodeTypeDescription,
	JsonObject,
	ResourceMapperFields,
} from 'n8n-workflow';
import {
	fetchDirectly as ask,
	operationsByTitle as byTitle,
	inputFor,
	parametersFor,
} from '../../workflow/everyOperation';
import { PROSPECTOR } from '../../nodes';
import { PATIENT, startE2e, type E2e } from '../bench';
import { itemsOf, jsonOf } from '../n8n/executions';
import { clicked, items } from '../n8n/workflows';
import { askEditor, refusalOf, scroll } from './editorCalls';

let e2e: E2e;
beforeAll(async () => {
	e2e = await startE2e();
}, PATIENT);
afterAll(async () => await e2e.close());
beforeEach(() => void e2e.control.reset());

const asText = async (path: string) => {
	const response = await fetch(`${e2e.n8n.baseUrl}/${path}`);
	return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
const pick = async (methodName: string, filter?: string) =>
	(await askEditor(e2e.rest, 'resource-locator-results', { methodName, credentials: e2e.full, filter }))
		.results;
const minute = (time: string) => time.replace('T', ' ').replace(/:\d\d\.\d+Z$/, ' UTC');

describe('What the editor asks for', () => {
	describe('Pickers', () => {
		it('list the Prospector workflows by name, status and time', async () => {
			const { data } = await ask(e2e, '/prospector/workflows');
			expect(await pick('searchWorkflows')).toEqual(
				data.map(({ id, name, status, created_at: at }) => ({
					name: `${String(name)} (${String(status)}) · ${minute(String(at))}`,
					value: id,
				})),
			);
			expect(data.map(({ name }) => name)).toContain('Logistics leads, Benelux');
		});

		it.each([
			['saas', ['SaaS founders in Germany']],
			['  LEADS ', ['Logistics leads, Benelux']],
			['', 4],
			['no such thing', []],
		])('find %p by name', async (filter, found) => {
			const names = (await pick('searchWorkflows', filter)).map(({ name }) => name.split(' (')[0]);
			if (typeof found === 'number') expect(names).toHaveLength(found);
			else expect(names).toEqual(found);
		});

		it('list runs by workflow, time, status and id, newest first', async () => {
			const { runs } = e2e.control.runs();
			const found = await pick('searchRuns');
			expect(found.map(({ value }) => value)).toEqual(
				[...runs].sort((a, b) => b.createdAt.localeCompare(a.createdAt)).map(({ id }) => id),
			);
			const [{ id, workflowId, createdAt, status }] = runs;
			const { data } = await ask(e2e, `/prospector/workflows/${workflowId}`);
			expect(found).toContainEqual({
				name: `${String(data.name)} · ${minute(createdAt)} · ${status} · ${id}`,
				value: id,
			});
			expect((await pick('searchRuns', id)).map(({ value }) => value)).toEqual([id]);
		});

		it('go on where the last answer ended, until everything was shown once', async () => {
			e2e.control.patchSettings({ defaultPageSize: 20 });
			const { workflows, runs } = e2e.control.seed({
				workflows: Array.from({ length: 45 }, (_, i) => ({ name: `More ${i}`, runs: 1 })),
			});
			const known = {
				searchWorkflows: [workflows, (await ask(e2e, '/prospector/workflows?limit=100')).data.length],
				searchRuns: [runs, e2e.control.runs().runs.length],
			} as const;
			for (const [method, [ids, count]] of Object.entries(known)) {
				const values = (await scroll(e2e, method)).map(({ value }) => value);
				expect(values).toHaveLength(count);
				expect(new Set(values).size).toBe(count);
				expect(values).toEqual(expect.arrayContaining(ids));
			}
			expect((await scroll(e2e, 'searchWorkflows', 'more 7')).map(({ value }) => value)).toEqual([
				workflows[7],
			]);
		});

		it('of the trigger offer several Prospector workflows at once', async () => {
			const options = await askEditor<INodePropertyOptions[]>(e2e.rest, 'options', {
				methodName: 'getWorkflows',
				type: `${PROSPECTOR}Trigger`,
				credentials: e2e.full,
			});
			expect(options).toEqual(await pick('searchWorkflows'));
		});
	});

	it('learns the fields of Create and Update from the workspace', async () => {
		e2e.control.seed({ workflows: [{ fields: { max: 5, live: true, tags: ['a'], geo: { x: 1 } } }] });
		const fieldsOf = async (operation: string) =>
			(
				await askEditor<ResourceMapperFields>(e2e.rest, 'resource-mapper-fields', {
					methodName: 'getWorkflowFields',
					parameters: { resource: 'workflow', operation },
					credentials: e2e.full,
				})
			).fields.map(({ id, type, removed, required }) => [id, type, removed, required]);
		const learned = [
			['description', 'string', true, false],
			['geo', 'object', true, false],
			['live', 'boolean', true, false],
			['max', 'number', true, false],
			['tags', 'array', true, false],
		];
		const known = (removed: boolean) => ['name', 'status'].map((id) => [id, 'string', removed, false]);
		expect(await fieldsOf('create')).toEqual([...known(false), ...learned]);
		expect(await fieldsOf('update')).toEqual([...known(true), ...learned]);
	});

	const methods = [
		['resource-locator-results', 'searchWorkflows'],
		['resource-locator-results', 'searchRuns'],
		['resource-mapper-fields', 'getWorkflowFields'],
	] as const;

	it.each(methods)('%s of %s: says in words why there is nothing to show', async (kind, methodName) => {
		const refused = async (credentials = e2e.full) =>
			await refusalOf(askEditor(e2e.rest, kind, { methodName, credentials }));
		e2e.control.clearJournal();
		const words = await refused(await e2e.keyed('revoked'));
		expect(words).toBe(`The API key was not accepted (request ${e2e.control.journal()[0]?.requestId})`);
		e2e.control.addFault({ kind: 'notJson' });
		expect(await refused()).toBe('The address answered with a web page instead of Prospector data');
		e2e.control.clearJournal();
		expect(await refusalOf(askEditor(e2e.rest, kind, { methodName }))).toBe(
			'Node does not have any credentials set',
		);
		expect(e2e.control.journal()).toEqual([]);
	});

	it.each(byTitle)('%s has an output preview that names the fields it puts out', async (_, row) => {
		// As n8n's editor puts the address together, from the version 1 of the node type.
		const { status, text } = await asText(
			`schemas/${PROSPECTOR}/1.0.0/${row.resource}/${row.operation}.json`,
		);
		expect(status).toBe(200);
		const schema = JSON.parse(text) as { type: string; properties: JsonObject };
		expect(schema.type).toBe('object');
		const [input] = inputFor(e2e, row, 1);
		const ended = await e2e.workflows.execute(
			clicked(items('Input', [input]), e2e.prospector('Prospector', parametersFor(row))),
		);
		const [{ json }] = itemsOf(ended, 'Prospector');
		expect(Object.keys(json)).toEqual(expect.arrayContaining(Object.keys(schema.properties)));
	});

	it('knows node, trigger and tool, with icons for light and dark, and the words to search for', async () => {
		const types = (await e2e.rest.get<INodeTypeDescription[]>('/types/nodes.json')).filter(({ name }) =>
			name.startsWith(PROSPECTOR),
		);
		expect(types.map(({ name, displayName }) => [name, displayName])).toEqual(
			expect.arrayContaining([
				[PROSPECTOR, 'Prospector'],
				[`${PROSPECTOR}Trigger`, 'Prospector Trigger'],
				[`${PROSPECTOR}Tool`, 'Prospector Tool'],
			]),
		);
		expect(types).toHaveLength(3);
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

	it('knows the credential, with its icons, and which of its fields is a secret', async () => {
		const types =
			await e2e.rest.get<Array<ICredentialType & Pick<INodeTypeDescription, 'iconUrl'>>>(
				'/types/credentials.json',
			);
		const [type, ...more] = types.filter(({ name }) => name === 'prospectorApi');
		expect(more).toEqual([]);
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

	async function expectIcons(iconUrl: INodeTypeDescription['iconUrl']) {
		expect(iconUrl).toEqual({ light: expect.any(String), dark: expect.any(String) });
		const { light, dark } = iconUrl as { light: string; dark: string };
		const [inLight, inDark] = await Promise.all([light, dark].map(asText));
		for (const { status, type, text } of [inLight, inDark]) {
			expect([status, type]).toEqual([200, 'image/svg+xml']);
			expect(text).toContain('<svg');
		}
		expect(inLight.text).not.toBe(inDark.text);
	}

	it('executes one step alone, on what the steps before it have put out', async () => {
		const [input] = inputFor(e2e, byTitle[0][1], 1);
		const step = e2e.prospector('Step', { resource: 'config', operation: 'get' });
		// As the editor saves it: without pinned data.
		const workflow = { ...clicked(items('Input', [input]), step), pinData: {} };
		const saved = await e2e.workflows.create(workflow);
		const whole = await e2e.executions.ended(await e2e.workflows.start(saved));
		const { runData } = whole.data!.resultData;
		e2e.control.clearJournal();
		const { executionId } = await e2e.rest.post<{ executionId: string }>(`/rest/workflows/${saved.id}/run`, {
			workflowData: saved,
			runData,
			destinationNode: { nodeName: 'Step', mode: 'inclusive' },
			dirtyNodeNames: ['Step'],
		});
		const ended = await e2e.executions.ended(executionId);
		expect(ended.status).toBe('success');
		expect(e2e.control.journal().map(({ operation }) => operation)).toEqual(['getConfig']);
		expect(jsonOf(ended, 'Step')).toEqual([
			expect.objectContaining({ request_id: e2e.control.journal()[0].requestId }),
		]);
		// Not executed again.
		expect(ended.data?.resultData.runData.Input[0].startTime).toBe(runData.Input[0].startTime);
	});
});
