import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import {
	fetchDirectly,
	findOperation,
	inputFor,
	operationsByTitle,
	parametersFor,
	requestsOf,
	type Row,
	simplify,
} from '../../workflow/everyOperation';
import { node, PROSPECTOR } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { itemsOf, jsonOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import { inputItems, manualWorkflow } from '../n8n/workflows';
import { startOtherHost } from './otherHosts';

let e2e: Environment;
beforeAll(async () => {
	e2e = await startEnvironment();
});
afterAll(async () => await e2e.close());
beforeEach(() => void e2e.control.reset());

/** Executes a Prospector node over input items, with a node behind each of its outputs. */
async function run(parameters: IDataObject, input: IDataObject[] = [{}], extra: Partial<INode> = {}) {
	const workflow = manualWorkflow(
		inputItems('Input', input),
		e2e.prospector('Prospector', parameters, extra),
	);
	const outputs = ['Regular', 'Error'].map((name) => node(name, 'n8n-nodes-base.noOp', {}));
	workflow.nodes.push(...outputs);
	workflow.connections.Prospector = {
		main: outputs.map(({ name }) => [{ node: name, type: 'main', index: 0 }]),
	};
	return await e2e.workflows.execute(workflow);
}

/** Like `run`, but expects success. */
async function succeed(parameters: IDataObject, input?: IDataObject[]) {
	const ended = await run(parameters, input);
	expect([ended.status, ended.data?.resultData.error?.message]).toEqual(['success', undefined]);
	return ended;
}

/** Executes one operation, and expects that it fails after one request. */
async function fail(row: Row, extra: Partial<INode> = {}) {
	const ended = await run(parametersFor(row), inputFor(e2e, row, 1), extra);
	expect(ended.status).toBe('error');
	const [request, ...others] = e2e.control.journal();
	expect([request.operation, others]).toEqual([row.calls, []]);
	return { failure: ended.data?.resultData.error, request };
}

/** Fetches from the service what an operation must output. `createdId` is the id in the output of Create and Run. */
async function fetchExpected(row: Row, id: string, createdId?: unknown): Promise<IDataObject[]> {
	const collection = row.operation === 'run' ? '/prospector/runs/' : '/prospector/workflows/';
	const path = row.keyed ? collection + String(createdId) : row.path.replace('ID', id);
	const resources = [(await fetchDirectly(e2e, path)).data].flat();
	return row.simplified ? resources.map(simplify) : resources;
}

async function outputPreview({ resource, operation }: Row) {
	// The address that n8n's editor uses for version 1 of a node type.
	const path = `schemas/${PROSPECTOR}/1.0.0/${resource}/${operation}.json`;
	const response = await fetch(`${e2e.n8n.baseUrl}/${path}`);
	return (await response.json()) as { type: string; properties: JsonObject };
}

describe('Every operation', () => {
	it.each(operationsByTitle)(
		'%s sends the documented request and outputs what the service has, with all fields of the output preview',
		async (_, row) => {
			const input = inputFor(e2e, row, 2);
			const deleted =
				row.operation === 'delete'
					? await Promise.all(input.map(async ({ id }) => await fetchExpected(row, id)))
					: [];
			e2e.clearRequests();
			// Concurrent requests arrive in any order.
			const options = row.method === 'GET' ? { maxConcurrentRequests: 1 } : {};
			const ended = await succeed(parametersFor(row, undefined, { options }), input);
			const allRequests = e2e.control.journal();
			expect(allRequests.map(({ operation }) => operation)).toEqual(input.flatMap(() => requestsOf(row)));
			const journal = allRequests.filter(({ operation }) => operation === row.calls);
			expect(journal).toEqual(
				input.map(({ id, name }) =>
					expect.objectContaining({
						method: row.method,
						path: `/api/public/v1${row.path.replace('ID', id)}`,
						operation: row.calls,
						query: {},
						keyName: 'full',
						body: row.body ? { name } : null,
						contentType: row.body ? 'application/json' : null,
						idempotencyKey: row.keyed ? expect.stringMatching(/^n8n-[0-9a-f]{32}$/) : null,
						status: 200,
						committed: row.method !== 'GET',
					}),
				),
			);
			const keys = journal.map(({ idempotencyKey }) => idempotencyKey);
			if (row.keyed) expect(new Set(keys).size).toBe(2);

			const output = itemsOf(ended, 'Prospector');
			const resources = await Promise.all(
				input.map(async ({ id }, i) => deleted[i] ?? (await fetchExpected(row, id, output[i]?.json.id))),
			);
			const expected = resources.flatMap((ofItem, item) =>
				ofItem.map((resource) => ({
					json: {
						...resource,
						...(row.operation === 'delete' && { deleted: true, updated_at: expect.any(String) as string }),
						...(row.keyed && { idempotency_key: keys[item] }),
						...(row.checked && { run_id: input[item].id, run_status: 'completed' }),
						request_id: journal[item].requestId,
					},
					pairedItem: { item },
				})),
			);
			expect(expected.length).toBeGreaterThan(1);
			expect(output).toEqual(expected);

			const { type, properties } = await outputPreview(row);
			expect(type).toBe('object');
			expect(Object.keys(output[0].json)).toEqual(expect.arrayContaining(Object.keys(properties)));
		},
	);

	it('Return All reads every page in the order of the service', async () => {
		const [run23] = e2e.control.seed({ workflows: [{ runs: [{ results: 23 }] }] }).runs;
		e2e.control.patchSettings({ defaultPageSize: 5 });
		const output = jsonOf(
			await succeed(parametersFor(findOperation('Result › getAll'), run23)),
			'Prospector',
		);
		const journal = e2e.requests('listResults');
		// The first page of a long list is read again.
		expect(journal).toHaveLength(6);
		const { data } = await fetchDirectly(e2e, `/prospector/runs/${run23}/results?limit=100`);
		expect(data).toHaveLength(23);
		expect(output.map(({ id, request_id: requestId }) => [id, requestId])).toEqual(
			data.map(({ id }, i) => [id, journal[Math.floor(i / 5)].requestId]),
		);
	});

	it('Workflow › create sends an empty JSON object as its body', async () => {
		const body = { enterValues: 'json', jsonBody: '{}' };
		await succeed(parametersFor(findOperation('Workflow › create'), undefined, body));
		expect(e2e.control.journal()).toMatchObject([
			{ body: {}, contentType: 'application/json', committed: true },
		]);
	});

	describe('On Error when the second of three items fails', () => {
		const row = findOperation('Run › get');
		const NOT_FOUND =
			"It belongs to another workspace, or this is not the ID of a run. Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns.";

		async function executeThree(onError: INode['onError']) {
			const input = inputFor(e2e, row, 3);
			input[1].id = 'no_such_run';
			const options = { maxConcurrentRequests: 1 };
			const ended = await run(parametersFor(row, undefined, { options }), input, { onError });
			const journal = e2e.control.journal();
			const message = `Run 'no_such_run' was not found (request ${journal[1]?.requestId}) [Item 1]`;
			const description = `${NOT_FOUND} The service said: "Not found".`;
			return {
				...{ ended, input, message, description },
				error: `${message}. ${description}`,
				statuses: journal.map(({ status }) => status),
			};
		}

		it('Stop: the execution names the item and its request, and sends no further request', async () => {
			const { ended, message, description, statuses } = await executeThree('stopWorkflow');
			expect(ended.status).toBe('error');
			const { error, runData } = ended.data!.resultData;
			expect(error).toMatchObject({ message, description, httpCode: '404', context: { itemIndex: 1 } });
			expect(statuses).toEqual([200, 404]);
			expect(Object.keys(runData)).toEqual(['When clicking', 'Input', 'Prospector']);
		});

		it('Continue: the error takes the place of the item', async () => {
			const { ended, input, error, statuses } = await executeThree('continueRegularOutput');
			expect([ended.status, statuses]).toEqual(['success', [200, 404, 200]]);
			const output = jsonOf(ended, 'Regular');
			expect([output[0].id, output[1], output[2].id]).toEqual([input[0].id, { error }, input[2].id]);
			expect(jsonOf(ended, 'Error')).toEqual([]);
		});

		it('Continue using error output: the other output gets the input item and the error', async () => {
			const { ended, input, error, statuses } = await executeThree('continueErrorOutput');
			expect([ended.status, statuses]).toEqual(['success', [200, 404, 200]]);
			expect(jsonOf(ended, 'Regular').map(({ id }) => id)).toEqual([input[0].id, input[2].id]);
			expect(jsonOf(ended, 'Error')).toEqual([{ ...input[1], error }]);
		});
	});

	it('an execution can be found by the ids of its requests', async () => {
		const row = findOperation('Workflow › run');
		const ended = await succeed(parametersFor(row), inputFor(e2e, row, 2));
		// n8n 1 saves the ids shortly after the end.
		const { customData } = await eventually('the saved ids', async () => {
			const execution = await e2e.executions.get(ended.id);
			return Object.keys(execution.customData ?? {}).length > 0 && execution;
		});
		const requestIds = jsonOf(ended, 'Prospector').map((item) => item.request_id);
		expect(customData).toEqual({ prospector_request_id: requestIds.join(' ') });
	});

	it('a start without permission fails with the missing scope, and starts no run', async () => {
		const { failure, request } = await fail(findOperation('Workflow › run'), {
			credentials: await e2e.credentialWithKey('readOnlyScope'),
		});
		expect(failure).toMatchObject({
			message: `This API key is not allowed to start runs (request ${request.requestId})`,
			description: expect.stringContaining("It needs the scope 'prospector.run'"),
			httpCode: '403',
		});
		expect(request.committed).toBe(false);
	});

	it.each([301, 302, 303, 307, 308])(
		'a redirect with status %i is not followed, so the API key reaches no other host',
		async (status) => {
			const other = await startOtherHost();
			e2e.control.addFault({ kind: 'redirect', status, location: `${other.url}/elsewhere?token=abc` });
			const { failure } = await fail(findOperation('Workflow › run'));
			await other.close();
			expect(other.received).toEqual([]);
			expect(failure?.message).toBe(`'Base URL' redirects to ${other.url}`);
		},
	);
});
