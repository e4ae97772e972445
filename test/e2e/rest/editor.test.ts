import type { IDataObject, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { PROSPECTOR } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { inputItems, manualWorkflow } from '../n8n/workflows';

describe('Requests that the editor sends', () => {
	let e2e: Environment;
	beforeAll(async () => (e2e = await startEnvironment()));
	afterAll(async () => await e2e.close());
	beforeEach(() => void e2e.control.reset());

	/** Sends a request that the editor sends while a person edits a node. */
	async function request<T = INodeListSearchResult>(kind: string, method: IDataObject): Promise<T> {
		return await e2e.rest.post<T>(`/rest/dynamic-node-parameters/${kind}`, {
			path: 'parameters.field',
			nodeTypeAndVersion: { name: PROSPECTOR, version: 1 },
			currentNodeParameters: {},
			credentials: e2e.full,
			...method,
		});
	}

	/** Returns the IDs of all entries of a picker, page by page. */
	async function search(methodName: string): Promise<unknown[]> {
		const ids: unknown[] = [];
		let paginationToken: unknown;
		do {
			const method = { methodName, paginationToken } as IDataObject;
			const page = await request('resource-locator-results', method);
			ids.push(...page.results.map(({ value }) => value));
			({ paginationToken } = page);
		} while (paginationToken && ids.length < 1000);
		return ids;
	}

	it('the node and the trigger offer each Prospector workflow once when the list has several pages', async () => {
		e2e.control.patchSettings({ defaultPageSize: 20 });
		const more = Array.from({ length: 45 }, (_, i) => ({ name: `More ${i}` }));
		const { workflows } = e2e.control.seed({ workflows: more });
		const found = await search('searchWorkflows');
		expect(new Set(found).size).toBe(found.length);
		expect(found).toEqual(expect.arrayContaining(workflows));
		const options = await request<INodePropertyOptions[]>('options', {
			nodeTypeAndVersion: { name: `${PROSPECTOR}Trigger`, version: 1 },
			methodName: 'getWorkflows',
		});
		expect(options.map(({ value }) => value)).toEqual(found);
	});

	it('a node sends one request and outputs the fields of its output schema when the editor executes only that node', async () => {
		const step = e2e.prospector('Step', { resource: 'account', operation: 'getSettings' });
		// The editor saves an n8n workflow with an empty pinData.
		const workflow = { ...manualWorkflow(inputItems('Input', [{}]), step), pinData: {} };
		const saved = await e2e.workflows.create(workflow);
		const { data } = await e2e.executions.ended(await e2e.workflows.start(saved));
		const { runData } = data!.resultData;
		e2e.control.clearJournal();
		const { executionId } = await e2e.rest.post<{ executionId: string }>(`/rest/workflows/${saved.id}/run`, {
			...{ workflowData: saved, runData, dirtyNodeNames: ['Step'] },
			destinationNode: { nodeName: 'Step', mode: 'inclusive' },
		});
		const ended = await e2e.executions.ended(executionId);
		expect(ended.status).toBe('success');
		expect(e2e.control.journal().map(({ operation }) => operation)).toEqual(['getConfig']);
		expect(ended.data?.resultData.runData.Input[0].startTime).toBe(runData.Input[0].startTime);

		// The address that the editor uses for version 1 of a node type.
		const preview = `schemas/${PROSPECTOR}/1.0.0/account/getSettings.json`;
		const schema = await fetch(`${e2e.n8n.baseUrl}/${preview}`);
		const { properties } = (await schema.json()) as { properties: IDataObject };
		const [output] = jsonOf(ended, 'Step');
		expect(Object.keys(output)).toEqual(expect.arrayContaining(Object.keys(properties)));
	});
});
