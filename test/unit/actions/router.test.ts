import type { IHttpRequestOptions } from 'n8n-workflow';
import { flushPromises } from '../helpers/fakeClock';
import {
	API,
	executeNode,
	httpResponse,
	itemResponse,
	listResponse,
	NODE,
	type ExecutionOptions,
} from '../helpers/support';

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const idOf = ({ url }: IHttpRequestOptions) => Number(/(\d+)$/.exec(url)?.[1]);
/** The item's index as the ID of a Prospector workflow. */
const perItem = (values: Record<string, unknown> = {}) => ({
	getNode: () => ({ ...NODE, parameters: { workflowId: '={{ $itemIndex }}' } }),
	getNodeParameter(name: string, itemIndex: number, fallback: unknown) {
		const all: Record<string, unknown> = {
			resource: 'workflow',
			operation: 'get',
			workflowId: `wf_${itemIndex}`,
			...values,
		};
		return all[name] ?? fallback;
	},
});

/** Executes an operation for several items, whose responses the test gives one by one. */
function start(count: number, concurrency: number, rest: object = {}, operation = 'get') {
	const inFlight = new Map<number, (status: number) => void>();
	const started: number[] = [];
	const options = { maxConcurrentRequests: concurrency, retryFor: 0 };
	let isOver = false;
	const result = executeNode({
		operation: `workflow.${operation}`,
		input: upTo(count).map(() => ({})),
		answers: [
			async (request) => {
				started.push(idOf(request));
				const status = await new Promise<number>((resolve) => inFlight.set(idOf(request), resolve));
				return status === 200 ? itemResponse({ id: idOf(request) }) : httpResponse(status, '');
			},
		],
		rest: { ...perItem({ operation, options }), ...rest },
	}).finally(() => (isOver = true));
	return {
		started,
		result,
		inFlight: () => [...inFlight.keys()],
		isOver: () => isOver,
		async respond(id: number, status = 200) {
			inFlight.get(id)?.(status);
			inFlight.delete(id);
			await flushPromises();
		},
	};
}

describe('several items', () => {
	test.each([
		[1, 1, 1],
		[1, 5, 1],
		[3, 5, 3],
		[20, 1, 1],
		[20, 5, 5],
		[7, 3, 3],
	])(
		'%i at a concurrency of %i keep %i requests in flight, in any order of responses',
		async (count, concurrency, most) => {
			const { started, result, inFlight, respond, isOver } = start(count, concurrency);
			await flushPromises();
			while (inFlight().length > 0) {
				expect(inFlight()).toHaveLength(Math.min(most, count - (started.length - inFlight().length)));
				expect(isOver()).toBe(false);
				await respond(inFlight()[inFlight().length >> 1]);
			}
			expect(started).toEqual(upTo(count));
			expect((await result).items.map(({ id }) => id)).toEqual(upTo(count));
		},
	);

	test('get no hint about a field that only the output of a later item lacks', async () => {
		const { hints } = await executeNode({
			operation: 'workflow.get',
			parameters: { workflowId: 'wf_1', options: { fieldsToReturn: 'note' } },
			input: [{}, {}],
			answers: [itemResponse({ id: 'a', note: 'n' }), itemResponse({ id: 'b' })],
		});
		expect(hints).toEqual([]);
	});

	test('are processed one after the other if the operation changes something', async () => {
		const { started, inFlight, respond, result } = start(3, 5, {}, 'delete');
		await flushPromises();
		for (const id of upTo(3)) {
			expect([started, inFlight()]).toEqual([upTo(id + 1), [id]]);
			await respond(id);
		}
		expect((await result).items).toHaveLength(3);
	});

	test('are processed one after the other, and report it, if the concurrency is invalid', async () => {
		const { result } = start(2, 101);
		expect((await result).message).toBe(
			"'Max Concurrent Requests' must be a whole number from 1 to 100 [Item 0]",
		);
	});

	test('end with the first failure: no request is started, and those in flight are canceled', async () => {
		const { started, result, respond } = start(20, 3);
		await flushPromises();
		await respond(0);
		await respond(2, 404);
		const { message, error } = await result;
		expect(message).toBe("The Prospector workflow 'wf_2' was not found [Item 2]");
		expect(error).toMatchObject({ context: { itemIndex: 2 } });
		expect(started).toEqual([0, 1, 2, 3]);
	});

	test('continue after failures under Continue, with all sentences as the error', async () => {
		const { result, respond, inFlight } = start(3, 1, { continueOnFail: () => true });
		await flushPromises();
		await respond(0);
		await respond(1, 401);
		await respond(2);
		expect(inFlight()).toEqual([]);
		expect((await result).items).toEqual([
			{ id: 0, request_id: 'req_1' },
			{
				error:
					"The API key was not accepted [Item 1]. It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once. Put a current key into 'API Key' of the credential, then retry.",
			},
			{ id: 2, request_id: 'req_1' },
		]);
	});

	test.each([
		['before the execution', 0, 0],
		['during the execution', 2, 2],
	])('send no request after a cancellation %s', async (_, responses, expected) => {
		const controller = new AbortController();
		if (responses === 0) controller.abort();
		const rest = { getExecutionCancelSignal: () => controller.signal, continueOnFail: () => true };
		const { started, respond, result } = start(5, 1, rest);
		await flushPromises();
		for (const id of upTo(responses)) {
			if (id === responses - 1) controller.abort();
			await respond(id);
		}
		expect(started).toHaveLength(expected);
		expect((await result).items.at(-1)?.error).toMatch(/^The execution was canceled while a request/);
	});

	test('return their output in order, each paired with its input item', async () => {
		const { output } = await executeNode({
			operation: 'workflow.get',
			input: upTo(500).map(() => ({})),
			answers: [(request) => itemResponse({ id: idOf(request) })],
			rest: perItem(),
		});
		expect(output).toEqual(
			upTo(500).map((item) => ({ json: { id: item, request_id: 'req_1' }, pairedItem: { item } })),
		);
	});

	test('without input return nothing', async () => {
		expect(await executeNode({ operation: 'workflow.get', input: [] })).toMatchObject({
			items: [],
			urls: [],
		});
	});
});

describe('the credential', () => {
	const credentials = (baseUrls: string[], reads: number[] = []) => ({
		...perItem(),
		getCredentials: async (_: string, itemIndex: number) => {
			reads.push(itemIndex);
			if (baseUrls[itemIndex] === '') throw new Error('No credential');
			return { apiKey: 'k', baseUrl: baseUrls[itemIndex] };
		},
	});

	test('is read for each item, which can have its own', async () => {
		const baseUrls = ['https://a.example', 'https://a.example', 'https://b.example', 'https://a.example'];
		const reads: number[] = [];
		const { urls, credentialsUsed } = await executeNode({
			operation: 'workflow.get',
			input: [{}, {}, {}, {}],
			rest: credentials(baseUrls, reads),
		});
		expect(urls).toEqual(
			baseUrls.map((baseUrl, i) => `${baseUrl}/api/public/v1/prospector/workflows/wf_${i}`),
		);
		expect(credentialsUsed).toMatchObject(
			baseUrls.map((baseUrl) => ['prospectorApi', { credentialsDecrypted: { data: { baseUrl } } }]),
		);
		expect(reads).toEqual([0, 1, 2, 3]);
	});

	test('fails only the item that it can not be read for', async () => {
		const { items } = await executeNode({
			operation: 'workflow.get',
			input: [{}, {}],
			rest: { ...credentials(['https://a.example', '']), continueOnFail: () => true },
		});
		expect(items).toEqual([{ id: 'x', request_id: 'req_1' }, { error: 'No credential [Item 1].' }]);
	});
});

describe('an operation', () => {
	const RESOURCE = { id: 'x', name: 'A', note: 'n' };
	const IDS = { workflowId: 'wf_1', runId: 'run_1', fields: { name: 'A' } };
	const KEY_FIELD = { idempotency_key: expect.stringMatching(/^n8n-/) as unknown };

	test.each<[string, string, string, object]>([
		['config.get', 'GET', '/config', {}],
		['identity.get', 'GET', '/../me', {}],
		['result.getAll', 'GET', '/runs/run_1/results', {}],
		['run.get', 'GET', '/runs/run_1', {}],
		['run.getAll', 'GET', '/workflows/wf_1/runs', {}],
		['workflow.create', 'POST', '/workflows', KEY_FIELD],
		['workflow.delete', 'DELETE', '/workflows/wf_1', { deleted: true }],
		['workflow.get', 'GET', '/workflows/wf_1', {}],
		['workflow.getAll', 'GET', '/workflows', {}],
		['workflow.run', 'POST', '/workflows/wf_1/run', KEY_FIELD],
		['workflow.update', 'PATCH', '/workflows/wf_1', {}],
	])(
		'%s sends %s %s, at the same time for several items if it is a GET, and returns the selected fields',
		async (operation, method, path, extraFields) => {
			const response = operation.endsWith('getAll') ? listResponse([RESOURCE]) : itemResponse(RESOURCE);
			const execute = async (parameters: object, rest: Partial<ExecutionOptions> = {}) =>
				await executeNode({
					operation,
					parameters: {
						...IDS,
						...{ options: { retryFor: 0, warnIfUnfinished: false }, ...parameters },
					},
					answers: [response],
					...rest,
				});
			const { items, urls, requests, bodies } = await execute({});
			expect(items).toEqual([{ ...RESOURCE, ...extraFields, request_id: 'req_1' }]);
			expect(urls).toEqual([new URL(API + path).href]);
			expect(requests[0].method).toBe(method);
			expect(bodies).toEqual([/create|update/.test(operation) ? '{"name":"A"}' : undefined]);

			let inFlight = 0;
			let mostInFlight = 0;
			const answer = async () => {
				mostInFlight = Math.max(mostInFlight, ++inFlight);
				await flushPromises();
				inFlight--;
				return response;
			};
			await execute({}, { input: [{}, {}], answers: [answer] });
			expect(mostInFlight).toBe(method === 'GET' ? 2 : 1);

			const selected = await execute({
				options: { fieldsToReturn: 'note, missing, gone', warnIfUnfinished: false },
			});
			expect(selected.items).toEqual([{ id: 'x', note: 'n', ...extraFields, request_id: 'req_1' }]);
			const names = Object.keys({ ...RESOURCE, ...extraFields, request_id: 'req_1' }).join(', ');
			expect(selected.hints).toEqual([
				{
					message: `'Fields to Return' names what no item has: missing, gone. There are: ${names}.`,
					type: 'warning',
					location: 'outputPane',
				},
			]);
		},
	);

	test.each(['workflow.fly', 'lead.get', '__proto__.constructor', 'config.toString'])(
		'%s does not exist',
		async (operation) => {
			const [resource, name] = operation.split('.');
			expect(await executeNode({ operation })).toMatchObject({
				message: `There is no operation '${name}' for the resource '${resource}'`,
				description: "Pick one in 'Operation'.",
				urls: [],
			});
		},
	);

	test('returns one message for a tool, whose model sees no description', async () => {
		const rest = { getNode: () => ({ ...NODE, type: `${NODE.type}Tool` }) };
		const { message } = await executeNode({
			operation: 'workflow.get',
			parameters: { workflowId: '..' },
			rest,
		});
		expect(message).toBe(
			"'Workflow' holds something that is not an ID. Pick one from the list, or copy the ID again: an ID is not '.' or '..' and has no line breaks or invisible characters.",
		);
	});
});

describe('Result › Get Many', () => {
	const RESULTS = listResponse([{ id: 'a' }]);
	const list = async (
		status: unknown,
		options: object = {},
		statusResponse = itemResponse({ id: 'run_1', status }),
	) =>
		await executeNode({
			operation: 'result.getAll',
			parameters: { runId: 'run_1', options: { retryFor: 0, ...options } },
			answers: [({ url }) => (url.endsWith('/results') ? RESULTS : statusResponse)],
		});

	test.each<[unknown, object, boolean]>([
		['completed', {}, false],
		['failed', {}, false],
		['running', {}, true],
		[undefined, {}, true],
		['Running', { finishedStatuses: 'running' }, false],
		['completed', { finishedStatuses: 'running' }, true],
	])('of a run with the status %j and the options %j adds a hint: %j', async (status, options, isHinted) => {
		const { hints, urls, requests } = await list(status, options);
		expect(hints.map(({ type }) => type)).toEqual(isHinted ? ['warning'] : []);
		expect(urls).toEqual([`${API}/runs/run_1`, `${API}/runs/run_1/results`]);
		expect(requests.map(({ timeout }) => timeout)).toEqual([10_000, 60_000]);
	});

	test.each([{ warnIfUnfinished: false }, { startCursor: 'c' }])(
		'checks no status with %j',
		async (options) => {
			expect((await list('running', options)).urls).toEqual([`${API}/runs/run_1/results`]);
		},
	);

	test('checks the status once, and ignores a refusal', async () => {
		const { urls, items, hints } = await list('', { retryFor: 60 }, httpResponse(503, ''));
		expect(urls).toHaveLength(2);
		expect({ items, hints }).toEqual({ items: [{ id: 'a', request_id: 'req_1' }], hints: [] });
	});

	test('checks the status of a run once for all items', async () => {
		const { urls, hints } = await executeNode({
			operation: 'result.getAll',
			parameters: { runId: 'run_1' },
			input: [{}, {}, {}],
			answers: [
				({ url }) => (url.endsWith('/results') ? RESULTS : itemResponse({ id: 'run_1', status: 'new' })),
			],
		});
		expect(urls.filter((url) => !url.endsWith('/results'))).toHaveLength(1);
		expect(hints).toHaveLength(1);
	});
});
