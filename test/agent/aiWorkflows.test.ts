/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { Poller, type WorkflowFile } from '../../scripts/engine';
import type { RunSeed, SeedRequest } from '../../sandbox/types';
import { startWorkflowValidator, type WorkflowValidator } from '../workflowValidator';
import { toolAnswers, type ModelRequest, type ToolCall } from './scriptedModel';
import { startAgentEnvironment, type AgentEnvironment } from './support';

/** The values of a field in what a node puts out, and what n8n's AI builder and editor report about the workflow. */
interface Outcome {
	input?: IDataObject;
	/** Of an agent's model, one after the other. */
	calls?: ToolCall[];
	node: string;
	field: string;
	values: unknown[];
	issues?: string[];
}

const COMPANY_NAMES = /(?<="company_name":")[^"]+/g;
const read = (file: string) => readFileSync(join(__dirname, file), 'utf8');
/** What the service has, the runs that follow after the activation of a trigger, and the outcome by workflow. */
const { service, newRuns, outcomes } = JSON.parse(read('aiWorkflowOutcomes.json')) as {
	service: SeedRequest;
	newRuns: RunSeed[];
	outcomes: Record<string, Outcome>;
};

let environment: AgentEnvironment;
let validator: WorkflowValidator;
beforeAll(async () => {
	environment = await startAgentEnvironment();
	validator = await startWorkflowValidator();
});
afterAll(async () => await environment.close());
beforeEach(() => {
	environment.sandbox.control.reset();
	environment.sandbox.control.patchSettings({ resultsPerRun: 3 });
	environment.sandbox.control.seed(service);
});
afterEach(() => jest.restoreAllMocks());

/** A node of another service puts out its input and what it would send. */
async function send(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const names = Object.keys(this.getNode().parameters);
	const items = this.getInputData().map(({ json }, item) => {
		const sent = names.map((name) => [name, this.getNodeParameter(name, item)] as const);
		return { json: { ...json, ...(Object.fromEntries(sent) as IDataObject) } };
	});
	return await Promise.resolve([items]);
}

function replaceService({ type, typeVersion, credentials = {} }: INode) {
	const isService = Object.keys(credentials).some((name) => !(name in environment.references));
	if (!isService && !type.endsWith('.dataTable')) return;
	environment.nodeTypes.add(type, { description: validator.describeNode(type, typeVersion), execute: send });
}

/** Does what a user does after importing a workflow: chooses credentials, and a Prospector workflow from the list. */
function setUp(file: WorkflowFile, id: string): WorkflowFile {
	file.nodes.forEach(replaceService);
	const nodes = file.nodes.map((node) => ({ ...node, credentials: environment.references }));
	const json = JSON.stringify({ ...file, id, nodes });
	return JSON.parse(json.replaceAll('"list","value":""', '"list","value":"wf_5b0e2d"')) as WorkflowFile;
}

async function pollNewRuns(workflow: WorkflowFile): Promise<INodeExecutionData[]> {
	const poller = new Poller({ ...environment, workflow });
	await poller.activate();
	environment.sandbox.control.seed({ runs: newRuns });
	const items = await poller.tick();
	// The results of a finished run are read half a minute later.
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
	return [...items, ...(await poller.tick())];
}

// As models write them from llms.txt and from what n8n's AI builder shows of the nodes. `meta` has the prompt.
const names = readdirSync(join(__dirname, 'aiWorkflows')).map((file) => file.replace('.json', ''));
test.each([...names, 'llms.txt'])(
	'the AI-written n8n workflow in %s outputs the values, and has the issues, that aiWorkflowOutcomes.json lists',
	async (name) => {
		const given = outcomes[name];
		const [, json = read(`aiWorkflows/${name}.json`)] =
			name === 'llms.txt' ? /```json\n(\{\n\t"name"[^`]+)```/.exec(readFileSync('llms.txt', 'utf8'))! : [];
		const file = JSON.parse(json) as WorkflowFile;
		expect(validator.findIssues(file)).toEqual(given.issues ?? []);
		const workflow = setUp(file, name);
		const isPolling = file.nodes[0].type.endsWith('.prospectorTrigger');
		const input = isPolling ? await pollNewRuns(workflow) : [{ json: given.input ?? {} }];
		const turns = (given.calls ?? []).map((call) => ({ calls: [call] }));
		const answer = (request: ModelRequest) => toolAnswers(request).at(-1)!.match(COMPANY_NAMES)!.join();
		environment.model.follow(...turns, (request) => ({ say: answer(request) }));
		const { resultData } = (await environment.run(workflow, { input, mode: 'trigger' })).data;
		expect(resultData.error).toBeUndefined();
		const items = resultData.runData[given.node].flatMap((run) => run.data?.main.flat() ?? []);
		const toText = (value: unknown) => JSON.stringify(value)?.replace(/req_\w+/g, 'req_…');
		const values = items.map((item) => toText(item?.json[given.field]));
		expect(values.sort()).toEqual(given.values.map(toText).sort());
	},
);
