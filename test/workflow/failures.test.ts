import type { FaultRule, JournalEntry } from '../../sandbox/types';
import { byId } from '../nodes';
import { agentWithTool, startEnvironment, type Environment } from './environment';
import {
	findOperation,
	inputFor,
	operationsByTitle,
	parametersFor,
	requestsOf,
	type Row,
} from './everyOperation';
import { agentNode } from './fixtures';

let env: Environment;
beforeAll(async () => {
	env = await startEnvironment();
	env.nodeTypes.add('test.agent', agentNode);
	const { secret } = env.control.createKey({ name: 'without_scopes', scopes: [] });
	await env.addCredential('withoutScopes', { apiKey: secret });
	await env.addCredential('impatient', { showAdvanced: true, requestTimeout: 1 });
});
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

interface Rejection {
	status: number;
	key?: string;
	fault?: FaultRule;
	/** ID in the request; by default one that exists. */
	id?: string;
	message: (row: Row) => string;
	description: (row: Row, entry: JournalEntry) => string;
}

const withStatus = (status: number, rest: Partial<FaultRule> = {}): Pick<Rejection, 'status' | 'fault'> => ({
	status,
	fault: { kind: 'status', status, ...rest },
});
const forbidden = (row: Row) => `This API key is not allowed to ${row.purpose}`;
const missingPermission = ({ method, scope }: Row) =>
	`It needs the scope '${scope}' and must ${method === 'GET' ? 'belong to a member with access' : 'not belong to a read-only member'}. Ask a workspace admin for such an API key.`;

function adviceAfterUnknownOutcome({ keyed, id }: Row, { idempotencyKey }: JournalEntry): string {
	if (keyed) {
		const [noun, made] = id ? ['run', 'started'] : ['Prospector workflow', 'created'];
		return `The ${noun} may have been ${made}. Open Executions and press Retry (↪): no second ${noun} is ${made}. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to '${idempotencyKey}'.`;
	}
	return 'It may have taken effect. Get the Prospector workflow before you try again.';
}

const rejections: Record<string, Rejection> = {
	'an API key without the scope': {
		status: 403,
		key: 'withoutScopes',
		message: forbidden,
		description: missingPermission,
	},
	'a redirect': {
		status: 307,
		fault: { kind: 'redirect', status: 307, location: 'https://sso.example/login?ticket=secret' },
		message: () => "'Base URL' redirects to https://sso.example",
		description: (row, entry) => {
			const advice =
				"The API key is not sent there. If you trust that address, enter it in 'Base URL' of the credential.";
			return entry.method === 'GET' ? advice : `${adviceAfterUnknownOutcome(row, entry)} ${advice}`;
		},
	},
};

/** Executes an operation whose own request is rejected. */
async function reject(row: Row, { status, key = 'full', fault, id, message, description }: Rejection) {
	const [input] = inputFor(env, row, 1);
	env.resetService(...(fault ? [{ ...fault, match: { operation: row.calls } }] : []));
	const error = await env.getError(parametersFor(row), [{ ...input, ...(id && { id }) }], key);
	expect(env.operations()).toEqual(requestsOf(row));
	const entry = env.journal().at(-1) as JournalEntry;
	expect(entry).toMatchObject({ status, committed: false });
	expect(error.httpCode).toBe(String(status));
	expect(error.context.itemIndex).toBe(0);
	expect(error.messages).toEqual([]);
	const end = fault?.kind === 'redirect' ? '' : ` (request ${entry.requestId})`;
	// One pair of brackets is enough.
	expect(error.message).toBe((message(row) + end).replace(') (', ', '));
	// The sandbox explains nothing: its texts only repeat the status.
	expect(error.description).toBe(description(row, entry));
}

describe.each(operationsByTitle)('The operation %s', (_, row) => {
	test.each(Object.keys(rejections))(
		'the message says what to do when the request is rejected because of %s',
		async (title) => {
			await reject(row, rejections[title]);
		},
	);

	test('the message says which ID or address was not found when the response has status 404', async () => {
		const name = row.id === 'runId' ? 'Run' : 'Prospector workflow';
		const advice = {
			runId:
				"It belongs to another workspace, or this is not the ID of a run. Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns.",
			workflowId:
				'It was deleted or belongs to another workspace. Pick one from the list, or enter its ID, not its name.',
		};
		await reject(row, {
			...(row.id ? { status: 404, id: 'missing' } : withStatus(404)),
			message: () =>
				row.id ? `${name} 'missing' was not found` : "The Prospector API was not found at 'Base URL'",
			description: () => (row.id ? advice[row.id] : "Check 'Base URL' in the credential."),
		});
	});
});

test('the message says that the idempotency key is already in use when a second request has other values', async () => {
	const options = { preventDuplicates: 'key', idempotencyKey: 'fair-2026' };
	const parameters = parametersFor(findOperation('Workflow › create'), '', { options });
	await env.getItems(parameters, [{ name: 'First' }]);
	const { message, description } = await env.getError(parameters, [{ name: 'Second' }]);
	expect(message).toMatch(/^Idempotency Key 'fair-2026' is already in use \(request req_\w+\)$/);
	expect(description).toContain('This one did nothing');
});

async function failWith(row: Row, fault: FaultRule, key?: string) {
	const input = inputFor(env, row, 1);
	env.resetService({ times: 0, ...fault });
	const { message, description } = await env.getError(parametersFor(row), input, key);
	return { message: message.replace(/ \(request \S+\)$/, ''), description };
}

describe('Failed connections and invalid responses', () => {
	test('the message names the Request Timeout of the credential when the service never responds', async () => {
		expect(await failWith(findOperation('Workflow › get'), { kind: 'hang' }, 'impatient')).toEqual({
			message: 'The service did not answer within 1 s',
			description:
				"Nothing was changed. Try again. If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings.",
		});
	});

	test('the message says that the service could not be reached when nothing listens on the port', async () => {
		const closed = await startEnvironment();
		await closed.close();
		const error = await closed.getError(parametersFor(findOperation('Workflow › run'), 'wf_1'));
		expect(error.message).toBe('The service could not be reached');
		expect(error.description).toBe(
			"Nothing was sent (ECONNREFUSED). Check 'Base URL' in the credential and n8n's network.",
		);
	});
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
