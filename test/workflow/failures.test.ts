import type { FaultRule, JournalEntry } from '../../sandbox/types';
import { byId } from '../nodes';
import { agentWithTool, startEnvironment, type Environment } from './environment';
import { findOperation, inputFor, operationsByTitle, parametersFor, type Row } from './everyOperation';
import { agentNode } from './fixtures';

let env: Environment;
beforeAll(async () => {
	env = await startEnvironment();
	env.nodeTypes.add('test.agent', agentNode);
	const { secret } = env.control.createKey({ name: 'without_scopes', scopes: [] });
	await env.addCredential('withoutScopes', { apiKey: secret });
});
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

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

describe.each(operationsByTitle)('The operation %s', (_, row) => {
	test('the message says which scope is missing when the API key is not allowed to do this', async () => {
		const access =
			row.method === 'GET' ? 'belong to a member with access' : 'not belong to a read-only member';
		expect(await reject(row, 403, { key: 'withoutScopes' })).toEqual({
			message: `This API key is not allowed to ${row.purpose} (ID)`,
			text: `The API key needs the scope '${row.scope}' and must ${access}. Ask a workspace admin for such an API key.`,
		});
	});

	test('the message says which ID or address was not found when the response has status 404', async () => {
		const name = row.id === 'runId' ? 'Run' : 'Prospector workflow';
		const advice = {
			runId:
				"The run may be deleted, or belong to another workspace, or this is not the ID of a run. Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns.",
			workflowId:
				'The Prospector workflow may be deleted, or belong to another workspace. Pick one from the list, or enter its ID, not its name.',
		};
		expect(
			await reject(row, 404, row.id ? { id: 'missing' } : { fault: { kind: 'status', status: 404 } }),
		).toEqual({
			message: row.id
				? `${name} 'missing' was not found (ID)`
				: "The Prospector API was not found at 'Base URL' (ID)",
			text: row.id ? advice[row.id] : "Check 'Base URL' in the credential.",
		});
	});
});

test('the message says that the idempotency key is already in use when a second request has other values', async () => {
	const options = { preventDuplicates: 'key', idempotencyKey: 'fair-2026' };
	const parameters = parametersFor(findOperation('Workflow › create'), '', { options });
	await env.getItems(parameters, [{ name: 'First' }]);
	const { message, description } = await env.getError(parameters, [{ name: 'Second' }]);
	expect(message).toMatch(/^Idempotency Key 'fair-2026' is already in use \(request req_\w+\)$/);
	expect(description).toMatch(
		/^A request with other values has used it, .* use what the first request made\.$/,
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
		const parameters = {
			resource: 'workflow',
			operation,
			workflowId: byId('Freight'),
			options: { retryFor: 0 },
		};
		const ended = await env.run(agentWithTool(env.prospector(parameters)));
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
