import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import { byId } from '../nodes';
import { agentWithTool, startFastEnvironment, type Environment } from './environment';
import { agent } from './fixtures';

const MAX_BYTES = 50_000;
const COUNT = 10_000;

let env: Environment;
beforeAll(async () => {
	env = await startFastEnvironment();
	env.nodeTypes.add('test.agent', agent);
});
afterAll(async () => await env.close());

/** Returns what an agent's model gets from the tool. */
async function answerOf(parameters: IDataObject): Promise<IDataObject[]> {
	const ended = await env.run(agentWithTool(env.prospector(parameters)));
	expect(ended.data.resultData.error).toBeUndefined();
	return outputOf(ended, 'Agent')[0].json.answer as IDataObject[];
}
const results = (runId: string, startAt?: number): IDataObject => ({
	...{ resource: 'result', operation: 'getAll', runId: byId(runId) },
	...{ returnAll: true, options: startAt === undefined ? {} : { startAt } },
});
const isNote = ({ note }: IDataObject) => note !== undefined;

test('the tool gives a model each result once, in answers of at most 50 kB, when a run has 10,000 results', async () => {
	const [runId] = env.control.seed({ workflows: [{ runs: [{ results: COUNT }] }] }).runs;
	env.control.patchSettings({ limit: 1_000_000, defaultPageSize: 1000, maxPageSize: 1000 });
	const ids: unknown[] = [];
	let startAt: number | undefined;
	for (let calls = 0; calls < 3; calls++) {
		const answer = await answerOf(results(runId, startAt));
		expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MAX_BYTES);
		ids.push(...answer.filter((item) => !isNote(item)).map(({ id }) => id));
		const { note } = answer.at(-1) as { note: string };
		expect(note).toContain(`to ${ids.length} of ${COUNT}. For the next ones, call this tool again`);
		startAt = Number(/Start At = (\d+)/.exec(note)?.[1]);
		expect(startAt).toBe(ids.length + 1);
	}
	const last = await answerOf(results(runId, COUNT - 4));
	expect(last).toHaveLength(5);
	expect(last.some(isNote)).toBe(false);
	expect(new Set([...ids, ...last.map(({ id }) => id)]).size).toBe(ids.length + 5);
});

test.each([
	[
		'Run and Get Results',
		(): IDataObject => {
			const [workflowId] = env.control.seed({ workflows: [{}] }).workflows;
			env.control.patchSettings({ resultsPerRun: 2000 });
			return { operation: 'runAndGetResults', workflowId: byId(workflowId) };
		},
	],
	[
		'Run › Get',
		(): IDataObject => {
			const [runId] = env.control.seed({ workflows: [{ runs: [{ results: 2000 }] }] }).runs;
			return {
				resource: 'run',
				operation: 'get',
				runId: byId(runId),
				waitForCompletion: true,
				returnResults: true,
			};
		},
	],
])(
	'a note names the run and tells the model not to start another one when %s returns too many results',
	async (_, parameters) => {
		const answer = await answerOf(parameters());
		expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MAX_BYTES);
		const { run_id: runId } = answer[0];
		expect(answer.at(-1)?.note).toContain('Do not start another run.');
		expect(answer.at(-1)?.note).toContain(`run ID '${String(runId)}' and Start At = ${answer.length}.`);
	},
);

test('the tool answers with only the ID and a note for each item that is too large', async () => {
	const [runId] = env.control.seed({ workflows: [{ runs: [{ results: 3 }] }] }).runs;
	env.control.patchSettings({ extraFields: { result: { text: 'ä'.repeat(30_000) } } });
	const answer = await answerOf(results(runId));
	expect(answer).toHaveLength(3);
	for (const item of answer) {
		expect(item).toEqual({ id: expect.any(String), note: expect.stringContaining('too large') as unknown });
	}
	env.control.patchSettings({ extraFields: {} });
});
