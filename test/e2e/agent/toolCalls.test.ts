import type { IDataObject, INode } from 'n8n-workflow';
import {
	startScriptedModel,
	toolAnswers,
	type ModelRequest,
	type ScriptedModel,
} from '../../agent/scriptedModel';
import { byId, node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf } from '../n8n/executions';
import { inputItems, manualTrigger } from '../n8n/workflows';

const MAX_BYTES = 50_000;
const COUNT = 10_000;
const BATCH_SIZE = 3;

let e2e: Environment;
let model: ScriptedModel;
let openAiApi: NonNullable<INode['credentials']>['openAiApi'];
beforeAll(async () => {
	e2e = await startEnvironment({ settings: { defaultPageSize: 1000, maxPageSize: 1000 } });
	model = await startScriptedModel();
	const data = { apiKey: 'no-key', url: model.url };
	const { id } = await e2e.rest.post<{ id: string }>('/rest/credentials', {
		...{ name: 'Scripted model', type: 'openAiApi', data },
	});
	openAiApi = { id, name: 'Scripted model' };
});
afterAll(async () => {
	await e2e.close();
	await model.close();
});

/** Calls the tool once for each item, several items at a time. */
function agentWithTool(items: IDataObject[], parameters: IDataObject) {
	const to = (name: string, type: 'main' | 'ai_tool' | 'ai_languageModel' = 'main') => [
		{ node: name, type, index: 0 },
	];
	const agent = {
		...{ promptType: 'define', text: '={{ $json.text }}' },
		options: { batching: { batchSize: BATCH_SIZE, delayBetweenBatches: 0 } },
	};
	const chatModel = {
		model: byId('scripted'),
		...{ responsesApiEnabled: false, options: {} },
	};
	const tool = { descriptionType: 'manual', toolDescription: 'A tool', ...parameters };
	return {
		nodes: [
			manualTrigger(),
			inputItems('Items', items),
			node('Agent', '@n8n/n8n-nodes-langchain.agent', agent, { typeVersion: 2.2 }),
			node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', chatModel, {
				...{ typeVersion: 1.2, credentials: { openAiApi } },
			}),
			{ ...e2e.prospector('Tool', tool), type: 'n8n-nodes-prospector.prospectorTool' },
		],
		connections: {
			'When clicking': { main: [to('Items')] },
			Items: { main: [to('Agent')] },
			Model: { ai_languageModel: [to('Agent', 'ai_languageModel')] },
			Tool: { ai_tool: [to('Agent', 'ai_tool')] },
		},
	};
}

/** Calls the tool once in each conversation. */
const callOnce = (request: ModelRequest) =>
	toolAnswers(request).length > 0 ? { say: 'Done' } : { calls: [{ tool: 'Tool' }] };

/** Returns what the model got from the tool in each conversation. */
async function answersTo(items: IDataObject[], parameters: IDataObject): Promise<string[]> {
	model.follow(...Array<typeof callOnce>(2 * items.length).fill(callOnce));
	const ended = await e2e.workflows.execute(agentWithTool(items, parameters));
	expect(failureOf(ended)).toBeUndefined();
	return model.requests.flatMap(toolAnswers);
}

describe('AI agent with Prospector tools', () => {
	test('an agent that calls the tool for three items at the same time starts three runs', async () => {
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const items = Array.from({ length: BATCH_SIZE }, (_, n) => ({ text: `Start run ${n}` }));
		const answers = await answersTo(items, {
			...{ resource: 'workflow', operation: 'run', workflowId: byId(workflowId) },
		});
		const ids = answers.map((answer) => (JSON.parse(answer) as IDataObject[])[0].id);
		expect(new Set(ids).size).toBe(BATCH_SIZE);
		expect(e2e.control.runs().perWorkflow[workflowId]).toBe(BATCH_SIZE);
	});

	test('a model gets at most 50 KB of 10,000 results, in whole items, and how to continue', async () => {
		const [runId] = e2e.control.seed({ workflows: [{ runs: [{ results: COUNT }] }] }).runs;
		const [answer] = await answersTo([{ text: 'Read' }], {
			...{ resource: 'result', operation: 'getAll', runId: byId(runId), returnAll: true },
		});
		expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MAX_BYTES);
		const items = JSON.parse(answer) as IDataObject[];
		const { note } = items.at(-1)!;
		expect(note).toContain(`1 to ${items.length - 1} of ${COUNT}.`);
		expect(note).toContain(`Start At = ${items.length}.`);
	});
});
