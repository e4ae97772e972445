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
				return status === 200 ? itemResponse({ n: idOf(request) }) : httpResponse(status, '');
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
		[20, 3, 3],
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
			expect((await result).items.map(({ n }) => n)).toEqual(upTo(count));
		},
	);

	test('get no hint about a field that only the output of a later item lacks', async () => {
		const { hints } = await executeNode({
			operation: 'workflow.get',
			parameters: { workflowId: 'wf_1', options: { fieldsToReturn: 'note' } },
			input: [{}, {}],
			answers: [itemResponse({ id: 'wf_1', note: 'n' }), itemResponse({ id: 'wf_1' })],
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
		expect(message).toBe("Prospector workflow 'wf_2' was not found [Item 2]");
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
			{ n: 0, request_id: 'req_1' },
			{
				error:
					"The API key was not accepted [Item 1]. It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential, then try again.",
			},
			{ n: 2, request_id: 'req_1' },
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
		expect((await result).items.at(-1)?.error).toMatch(
			/^The execution was canceled (?:before the request was sent|while a request was under way)/,
		);
	});

	test('return their output in order, each paired with its input item', async () => {
		const { output } = await executeNode({
			operation: 'workflow.get',
			input: upTo(500).map(() => ({})),
			answers: [(request) => itemResponse({ n: idOf(request) })],
			rest: perItem(),
		});
		expect(output).toEqual(
			upTo(500).map((item) => ({ json: { n: item, request_id: 'req_1' }, pairedItem: { item } })),
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
		expect(items).toEqual([{ id: 'wf_0', request_id: 'req_1' }, { error: 'No credential [Item 1].' }]);
	});
});

describe('an operation', () => {
	const SIMPLE = { id: 'x', name: 'A', note: 'n', status: 'done' };
	const RESOURCE = { ...SIMPLE, object: 'thing', updated_at: 'u' };
	const IDS = { workflowId: 'x', runId: 'x', fields: { name: 'A' } };
	const KEY_FIELD = { idempotency_key: expect.stringMatching(/^n8n-/) as unknown };

	interface Sent {
		operation: string;
		method: string;
		path: string;
		extraFields?: object;
		/** Whether it only reads, several items at the same time and with *Simplify*. */
		isRead?: boolean;
		/** Whether it has *Fields to Return*. */
		isSelectable?: boolean;
	}
	test.each<Sent>([
		{ operation: 'account.getIdentity', method: 'GET', path: '/../me' },
		{ operation: 'account.getSettings', method: 'GET', path: '/config' },
		{
			...{ operation: 'result.getAll', method: 'GET', path: '/runs/x/results', isRead: true },
			...{ extraFields: { run_id: 'x', run_status: 'done' } },
		},
		{ operation: 'run.get', method: 'GET', path: '/runs/x', isRead: true },
		{ operation: 'run.getAll', method: 'GET', path: '/workflows/x/runs', isRead: true },
		{ operation: 'workflow.create', method: 'POST', path: '/workflows', extraFields: KEY_FIELD },
		{
			...{ operation: 'workflow.delete', method: 'DELETE', path: '/workflows/x' },
			...{ extraFields: { deleted: true }, isSelectable: false },
		},
		{ operation: 'workflow.get', method: 'GET', path: '/workflows/x', isRead: true },
		{ operation: 'workflow.getAll', method: 'GET', path: '/workflows', isRead: true },
		{ operation: 'workflow.run', method: 'POST', path: '/workflows/x/run', extraFields: KEY_FIELD },
		{ operation: 'workflow.update', method: 'PATCH', path: '/workflows/x' },
	])(
		'$operation sends $method $path, returns the selected fields, and handles items at the same time only if it has Simplify',
		async ({ operation, method, path, extraFields = {}, isRead = false, isSelectable = true }) => {
			const respond = ({ url }: IHttpRequestOptions) =>
				operation.endsWith('getAll') && !url.endsWith('/runs/x')
					? listResponse([RESOURCE])
					: itemResponse(RESOURCE);
			const execute = async (parameters: object, rest: Partial<ExecutionOptions> = {}) =>
				await executeNode({
					operation,
					parameters: { ...IDS, options: { retryFor: 0 }, ...parameters },
					answers: [respond],
					...rest,
				});
			const { items, urls, requests, bodies } = await execute({});
			const all = { ...RESOURCE, ...extraFields, request_id: 'req_1' };
			expect(items).toEqual([isRead ? { ...SIMPLE, ...extraFields, request_id: 'req_1' } : all]);
			expect(urls.at(-1)).toBe(new URL(API + path).href);
			expect(urls).toHaveLength(operation === 'result.getAll' ? 2 : 1);
			expect(requests.at(-1)?.method).toBe(method);
			expect(bodies.at(-1)).toBe(/create|update/.test(operation) ? '{"name":"A"}' : undefined);
			expect((await execute({ simplify: false })).items).toEqual([all]);

			let inFlight = 0;
			let mostInFlight = 0;
			const answer = async (request: IHttpRequestOptions) => {
				mostInFlight = Math.max(mostInFlight, ++inFlight);
				await flushPromises();
				inFlight--;
				return respond(request);
			};
			await execute({}, { input: [{}, {}], answers: [answer] });
			expect(mostInFlight).toBe(isRead ? 2 : 1);

			const selected = await execute({ options: { fieldsToReturn: 'note, missing, gone' } });
			const chosen = { id: 'x', note: 'n', ...extraFields, request_id: 'req_1' };
			expect(selected.items).toEqual([isSelectable ? chosen : all]);
			const message = `'Fields to Return' has names that no item has: missing, gone. Choose from: ${Object.keys(all).join(', ')}.`;
			const hint = { message, type: 'warning', location: 'outputPane' };
			expect(selected.hints).toEqual(isSelectable ? [hint] : []);
		},
	);

	test.each(['workflow.fly', 'lead.get', 'config.get', '__proto__.constructor', 'account.toString'])(
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
			"'Prospector Workflow' is not an ID. Pick one from the list, or copy the ID again. It may have line breaks or invisible characters in it.",
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

	const MORE =
		"If it is still going, more results will follow: use Run › Get with 'Wait for Completion' to get them all.";
	test.each<[unknown, boolean]>([
		['completed', false],
		['Failed', false],
		['canceled', false],
		['', false],
		[undefined, false],
		[5, false],
		['queued', true],
		['Running', true],
		['archived', true],
	])('of a run with the status %j adds a hint: %j', async (status, isHinted) => {
		const { hints, urls, requests } = await list(status);
		expect(hints.map(({ type, message }) => [type, message])).toEqual(
			isHinted ? [['warning', `Run 'run_1' is '${String(status)}'. ${MORE}`]] : [],
		);
		expect(urls).toEqual([`${API}/runs/run_1`, `${API}/runs/run_1/results`]);
		expect(requests.map(({ timeout }) => timeout)).toEqual([10_000, 60_000]);
	});

	test.each([
		[{ startCursor: 'c' }, 2],
		[{ returnOnePage: true }, 2],
		[{ returnOnePage: true, startCursor: 'c' }, 1],
		[{ returnOnePage: false, startCursor: 'c' }, 2],
		[{ warnIfUnfinished: false, finishedStatuses: 'running' }, 2],
	])('with %j sends %i requests: a later page is read without a status check', async (options, count) => {
		const { urls, hints, items } = await list('running', options);
		expect(urls).toHaveLength(count);
		expect(hints).toHaveLength(count - 1);
		expect(items[0].run_status).toBe(count === 2 ? 'running' : undefined);
	});

	test('checks the status once, and ignores a refusal', async () => {
		const { urls, items, hints } = await list('', { retryFor: 60 }, httpResponse(503, ''));
		expect(urls).toHaveLength(2);
		expect({ items, hints }).toEqual({
			items: [{ id: 'a', run_id: 'run_1', request_id: 'req_1' }],
			hints: [],
		});
	});

	test.each<[unknown, object]>([
		[' Done ', { run_id: 'run_1', run_status: 'Done' }],
		['', { run_id: 'run_1' }],
		[undefined, { run_id: 'run_1' }],
	])('returns with each result its run, which has the status %j, as %j', async (status, run) => {
		for (const options of [{}, { returnOnePage: true }]) {
			const page = 'returnOnePage' in options ? { next_cursor: null } : {};
			expect((await list(status, options)).items).toEqual([
				{ id: 'a', ...run, ...page, request_id: 'req_1' },
			]);
		}
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
