import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { everyOperation, type Row } from '../../workflow/everyOperation';
import { flushPromises } from '../helpers/fakeClock';
import { executeNode, httpResponse, itemResponse, listResponse, NODE, TOOL } from '../helpers/support';

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const idOf = ({ url }: IHttpRequestOptions) => Number(/(\d+)$/.exec(url)?.[1]);

/** Executes an operation for several items, whose responses the test gives one by one. */
function start(concurrencies: number[], rest: object = {}) {
	const inFlight = new Map<number, (status: number) => void>();
	const started: number[] = [];
	const result = executeNode({
		operation: 'workflow.get',
		input: concurrencies.map(() => ({})),
		answers: [
			async (request) => {
				started.push(idOf(request));
				const status = await new Promise<number>((resolve) => inFlight.set(idOf(request), resolve));
				return status === 200 ? itemResponse({ n: idOf(request) }) : httpResponse(status, '');
			},
		],
		parametersOf: (item) => ({
			workflowId: `wf_${item}`,
			options: { retryFor: 0, maxConcurrentRequests: concurrencies[item] },
		}),
		rest,
	});
	return {
		started,
		result,
		inFlight: () => [...inFlight.keys()],
		async respond(id: number, status = 200) {
			inFlight.get(id)?.(status);
			inFlight.delete(id);
			await flushPromises();
		},
	};
}

test.each([
	[1, [5]],
	[1, Array<number>(7).fill(1)],
	[3, Array<number>(7).fill(3)],
	[1, [1, 5, 5, 5]],
	[2, [2, 1, 1, 1]],
])(
	'the number of requests in flight is at most %i if the items set Max Concurrent Requests to %j',
	async (most, concurrencies) => {
		const { started, result, inFlight, respond } = start(concurrencies);
		await flushPromises();
		while (inFlight().length > 0) {
			const left = concurrencies.length - (started.length - inFlight().length);
			expect(inFlight()).toHaveLength(Math.min(most, left));
			await respond(inFlight()[inFlight().length >> 1]);
		}
		expect(started).toEqual(upTo(concurrencies.length));
		expect((await result).output).toEqual(
			started.map((item) => ({ json: { n: item, request_id: 'req_1' }, pairedItem: { item } })),
		);
	},
);

test('the node starts no further request and cancels the requests in flight if an item fails', async () => {
	const rest = { getExecutionCancelSignal: () => new AbortController().signal };
	const { started, result, respond } = start(Array<number>(20).fill(3), rest);
	await flushPromises();
	await respond(0);
	await respond(2, 404);
	expect(await result).toMatchObject({
		message: "Prospector workflow 'wf_2' was not found [item 2]",
		error: { context: { itemIndex: 2 } },
	});
	expect(started).toEqual([0, 1, 2, 3]);
	const first = start([1, 1]);
	await flushPromises();
	await first.respond(0, 404);
	expect((await first.result).message).toMatch(/ \[item 0\]$/);
});

test.each([
	['before the execution', 0],
	['during the execution', 2],
])('the node sends no further request if n8n signals a cancellation %s', async (_, responses) => {
	const controller = new AbortController();
	if (responses === 0) controller.abort();
	const rest = { getExecutionCancelSignal: () => controller.signal, continueOnFail: () => true };
	const { started, respond, result } = start(Array<number>(5).fill(1), rest);
	await flushPromises();
	for (const id of upTo(responses)) {
		if (id === responses - 1) controller.abort();
		await respond(id);
	}
	expect(started).toHaveLength(responses);
	const { items } = await result;
	expect(items.length).toBeLessThanOrEqual(responses + 1);
	expect(items.at(-1)?.error).toMatch(/^The execution was canceled/);
});

const nameOf = ({ resource, operation }: Row) => `${resource}.${operation}`;
const rowsOfResources = everyOperation.filter(({ resource }) => resource !== 'account');
test.each([
	...rowsOfResources.map((row) => [nameOf(row), row.method === 'GET' ? 3 : 1]),
	['workflow.runAndGetResults', 3],
	...['run', 'update'].map((write) => [`workflow.get workflow.${write}`, 1]),
] as Array<[string, number]>)(
	'the operation %s (first item, others) sends %i requests at the same time for three items, but never two writes',
	async (names, most) => {
		const [operation, laterOperation = operation] = names.split(' ');
		const inFlight: string[] = [];
		const overlaps: string[] = [];
		let mostInFlight = 0;
		const answer = async ({ url, method = 'GET' }: IHttpRequestOptions) => {
			inFlight.push(method);
			if (method !== 'GET') overlaps.push(...inFlight.slice(1));
			mostInFlight = Math.max(mostInFlight, inFlight.length);
			await flushPromises();
			inFlight.pop();
			const isList = operation.endsWith('getAll') || url.endsWith('/results');
			return isList ? listResponse([{ id: 'x' }]) : itemResponse({ id: 'x', status: 'done' });
		};
		const parameters = { workflowId: 'x', runId: 'x', fields: { name: 'A' } };
		const parametersOf = (item: number) => ({
			operation: (item === 0 ? operation : laterOperation).split('.')[1],
		});
		await executeNode({ operation, parameters, parametersOf, input: [{}, {}, {}], answers: [answer] });
		expect([mostInFlight, overlaps]).toEqual([most, []]);
	},
);

test('the node shows a hint about names in Fields to Return only if no output of any input item has these fields', async () => {
	const hintsOf = async (...notes: object[]) =>
		await executeNode({
			operation: 'workflow.get',
			parameters: { workflowId: 'wf_1', options: { fieldsToReturn: 'note' } },
			input: [{}, {}],
			answers: notes.map((note) => itemResponse({ id: 'wf_1', ...note })),
		});
	expect((await hintsOf({ note: 'n' }, {})).hints).toEqual([]);
	expect((await hintsOf({}, { note: 'n' })).hints).toEqual([]);
	const message =
		"'Fields to Return' has names that no item has: note. Choose from: id, name, updated_at, request_id.";
	const fields = { name: 'A', updated_at: 'x' };
	expect((await hintsOf(fields, fields)).hints).toMatchObject([{ type: 'warning', message }]);
});

test('each item uses its own credential and fails alone if the credential cannot be read', async () => {
	const baseUrls = ['https://a.example', 'https://a.example', 'https://b.example', '', 'https://a.example'];
	const { urls, items, credentialsUsed } = await executeNode({
		operation: 'workflow.get',
		input: baseUrls.map(() => ({})),
		parameters: { options: { maxConcurrentRequests: 1 } },
		parametersOf: (item) => ({ workflowId: `wf_${item}` }),
		rest: {
			continueOnFail: () => true,
			getCredentials: async (_: string, itemIndex: number) => {
				if (baseUrls[itemIndex] === '') throw new Error('No credential');
				return { apiKey: 'k', baseUrl: baseUrls[itemIndex] };
			},
		},
	});
	expect(urls.map((url) => [new URL(url).origin, url.at(-1)])).toEqual(
		[0, 1, 2, 4].map((item) => [baseUrls[item], `${item}`]),
	);
	const used = credentialsUsed as Array<[string, { credentialsDecrypted: { data: IDataObject } }]>;
	expect(used.map(([, { credentialsDecrypted }]) => credentialsDecrypted.data.baseUrl)).toEqual(
		[0, 1, 2, 4].map((item) => baseUrls[item]),
	);
	expect(items[3]).toEqual({ error: 'No credential [item 3].' });
});

test('each result has the name of the Prospector workflow in its own service if the items have the credentials of two services', async () => {
	const services = ['https://a.example', 'https://b.example'];
	const { items } = await executeNode({
		operation: 'result.getAll',
		input: [{}, {}],
		parameters: { runId: 'run_1' },
		answers: [
			({ url }) => {
				const { origin, pathname } = new URL(url);
				const id = pathname.split('/').at(-1);
				if (id === 'results') return listResponse([{ id: 'a' }]);
				return itemResponse({ id, workflow_id: 'wf_1', name: origin });
			},
		],
		rest: { getCredentials: async (_: string, item: number) => ({ apiKey: 'k', baseUrl: services[item] }) },
	});
	expect(items.map(({ workflow_name }) => workflow_name)).toEqual(services);
});

test.each<[string, object]>([
	...[403, 404, 429, 503].map((status): [string, object] => [
		`fails with ${status}`,
		httpResponse(status, ''),
	]),
	['returns another run', itemResponse({ id: 'run_2', run_id: 'run_1', status: 'running' })],
	['returns no status', itemResponse({ id: 'run_1', status: 5 })],
])(
	'Result › Get Many returns the results, but without run_status, if the status check of the run %s',
	async (_, response) => {
		const { requests, items, hints } = await executeNode({
			operation: 'result.getAll',
			parameters: { runId: 'run_1', options: { retryFor: 60 } },
			answers: [({ url }) => (url.endsWith('/results') ? listResponse([{ id: 'a' }]) : response)],
		});
		expect([requests[0].timeout, requests.at(-1)?.timeout]).toEqual([10_000, 60_000]);
		expect(requests.length).toBeLessThanOrEqual(5);
		expect(items).toEqual([{ id: 'a', run_id: 'run_1', request_id: 'req_1' }]);
		expect(hints.map(({ message }) => message).join()).not.toContain('run_1');
	},
);

test.each(['workflow.runAndGetResults', 'run.get', 'result.getAll'])(
	'each result of the operation %s names its Prospector workflow, which is read once, if the service returns it',
	async (operation) => {
		const named = { id: 'wf_1', name: 'Freight' };
		const ids = { runId: 'run_1', workflowId: 'wf_1' };
		const memory = {};
		for (const [answer, name, rest] of [
			[httpResponse(400, ''), undefined, { memory }],
			[itemResponse(named), 'Freight', { memory }],
			[itemResponse({ ...named, id: 'wf_2' }), undefined, {}],
		] as const) {
			const results = listResponse([{ id: 'a' }, { id: 'b', workflow_name: 'Own' }]);
			const run = itemResponse({ id: 'run_1', status: 'done', workflow_id: 'wf_1' });
			const { items, urls } = await executeNode({
				...{ operation, input: [{}, {}], ...rest },
				parameters: { ...ids, waitForCompletion: true, returnResults: true },
				answers: [({ url }) => (url.endsWith('/results') ? results : url.endsWith('/wf_1') ? answer : run)],
			});
			expect(items[0]).toMatchObject({ id: 'a', run_id: 'run_1', run_status: 'done', workflow_id: 'wf_1' });
			expect(items.map(({ workflow_name }) => workflow_name)).toEqual([name, 'Own', name, 'Own']);
			expect(urls.filter((url) => url.endsWith('/wf_1'))).toHaveLength(1);
		}
	},
);

test.each([
	['wf_1', 'wf_1'],
	[undefined, 'WF_1'],
])(
	'a result of Run and Get Results of WF_1 names its Prospector workflow as the service spells the ID (its run: %j, result: %s)',
	async (receivedId, workflow_id) => {
		const run = itemResponse({ id: 'run_1', status: 'done', workflow_id: receivedId });
		const answers = [
			({ url }: IHttpRequestOptions) => (url.endsWith('/results') ? listResponse([{ id: 'a' }]) : run),
		];
		const { items } = await executeNode({
			...{ operation: 'workflow.runAndGetResults', parameters: { workflowId: 'WF_1' }, answers },
		});
		expect(items).toMatchObject([{ id: 'a', workflow_id }]);
	},
);

const oneResource = rowsOfResources.filter(({ id, list, keyed }) => id !== undefined && !list && !keyed);
test.each<[string, string, boolean]>([
	...oneResource.map((row): [string, string, boolean] => [
		nameOf(row),
		row.id === 'runId' ? 'run' : 'Prospector workflow',
		false,
	]),
	['run.get', 'run', true],
])(
	'the operation %s fails if the service returns another %s than the requested one (while waiting: %j)',
	async (operation, noun, waitForCompletion) => {
		const execute = async (id: string) => {
			const ids = { runId: 'id_1', workflowId: 'id_1' };
			const parameters = { ...ids, waitForCompletion, fields: { name: 'A' } };
			return await executeNode({ operation, parameters, answers: [itemResponse({ id, status: 'done' })] });
		};
		expect((await execute('id_2')).message).toBe(
			`The service returned ${noun} 'id_2' instead of 'id_1' (request req_1)`,
		);
		expect((await execute('ID_1')).items).toMatchObject([{ id: 'ID_1' }]);
	},
);

test('after a start whose outcome is unknown, the node advises Retry; with Continue, the idempotency key that was sent; and as a tool, other tools', async () => {
	const execute = async (type: string, continueOnFail: boolean) => {
		const rest = { getNode: () => ({ ...NODE, type }), continueOnFail: () => continueOnFail };
		const answers = [httpResponse(503, '')];
		return await executeNode({
			operation: 'workflow.run',
			answers,
			parameters: { workflowId: 'wf_1' },
			rest,
		});
	};
	expect((await execute(NODE.type, false)).description).toContain('press Retry (↪)');
	const { headers, items } = await execute(NODE.type, true);
	const { 'Idempotency-Key': key } = headers[0] as Record<string, string>;
	expect(items[0].error).toContain(
		`To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to '${key}'`,
	);
	const { message } = await execute(TOOL.type, false);
	expect(message).toContain('look for it with a tool');
	expect((await execute(TOOL.type, true)).items).toEqual([{ error: message }]);
});

test.each(['workflow.fly', 'lead.get', '__proto__.constructor', 'account.toString'])(
	'the node sends no request and fails if the operation %s of its first or second item does not exist',
	async (operation) => {
		const [resource, name] = operation.split('.');
		for (const wrongItem of [0, 1]) {
			const parametersOf = (item: number) => (item === wrongItem ? { resource, operation: name } : {});
			const input = [{}, {}];
			expect(await executeNode({ operation: 'account.getIdentity', input, parametersOf })).toMatchObject({
				message: `There is no operation '${name}' for the resource '${resource}' [item ${wrongItem}]`,
				description: "Pick one in 'Operation'.",
				urls: [],
			});
		}
	},
);

test('each result has the status of its run even if more runs are read at once than the rate limiter permits', async () => {
	const answer = ({ url }: IHttpRequestOptions) =>
		url.endsWith('/results')
			? listResponse([{ id: url }])
			: itemResponse({ id: /\w+$/.exec(url)?.[0], status: 'done' });
	const { items } = await executeNode({
		operation: 'result.getAll',
		input: upTo(5).map(() => ({})),
		parametersOf: (item) => ({ runId: `run_${item}`, returnAll: true, options: {} }),
		answers: [answer],
	});
	expect(items.map(({ run_status }) => run_status)).toEqual(Array(5).fill('done'));
});
