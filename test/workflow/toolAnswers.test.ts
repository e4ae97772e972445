import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import { byId } from '../nodes';
import { agentWithTool, startFastEnvironment, useEnvironment } from './environment';
import { agentNode } from './fixtures';

const MAX_BYTES = 50_000;
const COUNT = 2000;

const env = useEnvironment(async () => await startFastEnvironment({ resultsPerRun: COUNT }));
beforeAll(() => void env.nodeTypes.add('test.agent', agentNode));

/** Returns what an agent's model gets from the tool. */
async function answerOf(parameters: IDataObject): Promise<IDataObject[]> {
	const ended = await env.run(agentWithTool(env.prospector(parameters)));
	expect(ended.data.resultData.error).toBeUndefined();
	return outputOf(ended, 'Agent')[0].json.answer as IDataObject[];
}
const seed = () => env.control.seed({ workflows: [{ runs: [{ results: COUNT }] }] });
const waiting = { resource: 'run', operation: 'get', waitForCompletion: true, returnResults: true };

test.each<[string, (ids: { workflows: string[]; runs: string[] }) => IDataObject]>([
	['Run and Get Results', ({ workflows: [id] }) => ({ operation: 'runAndGetResults', workflowId: byId(id) })],
	['Run › Get', ({ runs: [id] }) => ({ ...waiting, runId: byId(id) })],
])('a note tells the model how to get the other results if %s finds too many', async (_, parameters) => {
	const answer = await answerOf(parameters(seed()));
	expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MAX_BYTES);
	const { run_id: runId } = answer[0];
	const { note, next_cursor: startCursor } = answer.at(-1)!;
	expect(note).toBe(
		`There are more items. Do not start another run. For the next ones, call the tool that gets many results, with run '${String(runId)}' and the Start Cursor in 'next_cursor'.`,
	);
	const next = await answerOf({ resource: 'result', operation: 'getAll', runId: byId(runId), startCursor });
	const ids = [...answer.slice(0, -1), ...next.slice(0, -1)].map(({ id }) => id);
	expect(new Set(ids).size).toBe(answer.length + next.length - 2);
});

const ADDED = ['run_id', 'run_status', 'workflow_id', 'workflow_name', 'request_id', 'id'];
test.each<[IDataObject, string[]]>([
	[{}, ['company_name', 'lead_id', 'created_at', ...ADDED]],
	[{ output: 'raw' }, ['object', 'updated_at']],
	[{ output: 'selectedFields', fieldsToReturn: 'company_name' }, ['company_name', ...ADDED]],
])('a tool for results with %j returns the fields %j', async (parameters, names) => {
	const runId = byId(seed().runs[0]);
	const [item] = await answerOf({ resource: 'result', operation: 'getAll', runId, limit: 1, ...parameters });
	if (parameters.output === 'raw') expect(Object.keys(item)).toEqual(expect.arrayContaining(names));
	else expect(Object.keys(item)).toEqual(names);
});
