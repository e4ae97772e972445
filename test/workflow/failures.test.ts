import type { FaultRule, JournalEntry } from '../../sandbox/types';
import { byId } from '../nodes';
import { agentWithTool, startEnvironment, useEnvironment } from './environment';
import { findOperation, inputFor, operationsByTitle, parametersFor, type Row } from './everyOperation';
import { agentNode } from './fixtures';

const env = useEnvironment(startEnvironment);
beforeAll(async () => {
	env.nodeTypes.add('test.agent', agentNode);
	const { secret } = env.control.createKey({ name: 'without_scopes', scopes: [] });
	await env.addCredential('withoutScopes', { apiKey: secret });
});

/** Executes an operation whose own request is rejected. The sandbox explains nothing: its texts only repeat the status. */
async function reject(row: Row, status: number, given: { key?: string; id?: string; fault?: FaultRule }) {
	const { key = 'full', id, fault } = given;
	const [input] = inputFor(env, row, 1);
	env.resetService(...(fault ? [fault] : []));
	const error = await env.getError(parametersFor(row), [{ ...input, ...(id && { id }) }], key);
	expect(env.operations()).toEqual([...(row.checked ? ['getRun'] : []), row.calls]);
	const entry = env.journal().at(-1) as JournalEntry;
	expect(entry).toMatchObject({ status, committed: false });
	expect(error.httpCode).toBe(String(status));
	expect(error.context.itemIndex).toBe(0);
	expect(error.messages).toEqual([]);
	return { message: error.message.replace(`(request ${entry.requestId})`, '(ID)'), text: error.description };
}

test.each(operationsByTitle)('the message of %s names the missing scope, ID or address', async (_, row) => {
	const forbidden = await reject(row, 403, { key: 'withoutScopes' });
	expect(forbidden.message).toBe(`This API key is not allowed to ${row.purpose} (ID)`);
	expect(forbidden.text).toContain(`needs the scope '${row.scope}'`);
	const fault: FaultRule = { kind: 'status', status: 404 };
	const { message } = await reject(row, 404, row.id ? { id: 'missing' } : { fault });
	const noun = row.id === 'runId' ? 'Run' : 'Prospector workflow';
	expect(message).toBe(
		row.id ? `${noun} 'missing' was not found (ID)` : "The Prospector API was not found at 'Base URL' (ID)",
	);
});

test('n8n shows the execution as failed, not as canceled, when the message contains the ID "canceled"', async () => {
	const ended = await env.runNode(parametersFor(findOperation('Run › get'), 'canceled'));
	expect(ended.data.resultData.error?.message).toContain('was not found');
	expect(ended.status).toBe('error');
});

/** AI Agent nodes before version 3 call their tools themselves and show the message of what these throw. */
test('the message of a failed tool call has its advice once and no error code if an AI Agent node before version 3 calls the tool', async () => {
	const fail = async (operation: string) => {
		const target = { workflowId: byId('Freight'), options: { retryFor: 0 } };
		const tool = env.prospector({ resource: 'workflow', operation, ...target });
		const ended = await env.run(agentWithTool(tool));
		return ended.data.resultData.error?.message ?? '';
	};
	const message = await fail('get');
	expect(message).toContain("Prospector workflow 'Freight' was not found (request req_");
	expect(message.split('then use one of them')).toHaveLength(2);
	// n8n would replace a message with the code ECONNRESET by "You can retry the request immediately".
	env.resetService({ kind: 'drop', when: 'before' });
	expect(await fail('run')).toBe(
		'The connection was lost before the response arrived. The run may have been started. Before you try again, look for it with a tool that gets many runs.',
	);
});
