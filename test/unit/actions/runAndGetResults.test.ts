import { API, executeNode, httpResponse, itemResponse, listResponse, pageResponse } from '../helpers/support';
import { startResponse, waitForRun, type Wait } from '../helpers/waitScenario';

const START_URL = `${API}/workflows/wf_1/run`;
const RUN_URL = `${API}/runs/run_1`;
const RESULT = {
	id: 'a',
	object: 'result',
	updated_at: 'u',
	lead_id: 'lead_1',
	website: 'https://a.example',
};
const AUTOMATIC = expect.stringMatching(/^n8n-[0-9a-f]{32}$/) as string;
const RESULTS_AT = 'Its results are at Result › Get Many.';
const USER_KEY = { preventDuplicates: 'key', idempotencyKey: 'key-1' };

const runAndGetResults = async (wait: Partial<Wait>) =>
	await waitForRun({
		operation: 'workflow.runAndGetResults',
		statuses: ['done'],
		after: [listResponse([RESULT])],
		...wait,
	});
const keysOf = (headers: unknown[]) =>
	headers.map((one) => (one as Record<string, string>)['Idempotency-Key']);

describe('Run and Get Results', () => {
	test('starts a run, waits for it, and returns its results', async () => {
		const { items, urls, requests, headers } = await runAndGetResults({
			statuses: ['running', 'Done'],
			parameters: { simplify: undefined },
		});
		expect(urls).toEqual([START_URL, RUN_URL, RUN_URL, `${RUN_URL}/results`]);
		expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
		expect(keysOf(headers)).toEqual([AUTOMATIC, undefined, undefined, undefined]);
		expect(items).toEqual([
			{
				...{ id: 'a', lead_id: 'lead_1', website: 'https://a.example' },
				...{ run_id: 'run_1', run_status: 'Done' },
				...{ idempotency_key: AUTOMATIC, request_id: 'req_1' },
			},
		]);
	});

	const RUN = { run_id: 'run_1', run_status: 'done' };
	const SIMPLE = { id: 'a', lead_id: 'lead_1', website: 'https://a.example', ...RUN, request_id: 'req_1' };
	test.each<[object, object, object]>([
		[{}, USER_KEY, { ...SIMPLE, idempotency_key: 'key-1' }],
		[{}, { preventDuplicates: 'off' }, SIMPLE],
		[
			{ simplify: false },
			{ preventDuplicates: 'off' },
			{ ...RESULT, ...RUN, idempotency_key: null, run_request_id: 'req_0', request_id: 'req_1' },
		],
		[
			{ simplify: false },
			USER_KEY,
			{ ...RESULT, ...RUN, idempotency_key: 'key-1', run_request_id: 'req_0', request_id: 'req_1' },
		],
		[
			{},
			{ ...USER_KEY, fieldsToReturn: 'lead_id' },
			{
				...{ id: 'a', lead_id: 'lead_1', ...RUN },
				...{ idempotency_key: 'key-1', run_request_id: 'req_0', request_id: 'req_1' },
			},
		],
	])('with %j and %j returns %j', async (parameters, options, expected) => {
		const { items } = await runAndGetResults({
			parameters: { simplify: undefined, ...parameters },
			options,
		});
		expect(items).toEqual([expected]);
	});

	test('sends the key of the user, and none if duplicates are not prevented', async () => {
		for (const [options, key] of [
			[USER_KEY, 'key-1'],
			[{ preventDuplicates: 'off' }, undefined],
		] as const) {
			const { headers, hints } = await runAndGetResults({ options });
			expect([keysOf(headers)[0], hints]).toEqual([key, []]);
		}
	});

	test('has the same key as Run, so that a retry after a change of the operation starts no second run', async () => {
		const { headers } = await runAndGetResults({});
		const run = await executeNode({ operation: 'workflow.run', parameters: { workflowId: 'wf_1' } });
		expect(keysOf(headers)[0]).toBe(keysOf(run.headers)[0]);
	});

	test('saves the request ID of the start with the execution', async () => {
		expect((await runAndGetResults({})).customData).toEqual({ prospector_request_id: 'req_0' });
	});

	test('starts one run after the other for several items', async () => {
		const ids = ['run_1', 'run_2'];
		const order: string[] = [];
		const { items, headers } = await executeNode({
			operation: 'workflow.runAndGetResults',
			parameters: { workflowId: 'wf_1' },
			input: [{}, {}],
			answers: [
				({ url, method }) => {
					const id = method === 'POST' ? ids[order.filter((one) => one.startsWith('start')).length] : '';
					const runId = /run_\d/.exec(url)?.[0];
					order.push(
						method === 'POST'
							? `start ${id}`
							: url.endsWith('/results')
								? `results ${runId}`
								: `check ${runId}`,
					);
					if (method === 'POST') return startResponse(id);
					return url.endsWith('/results')
						? pageResponse([`of ${runId}`])
						: itemResponse({ id: runId, status: 'done' });
				},
			],
		});
		expect(order).toEqual(ids.flatMap((id) => [`start ${id}`, `check ${id}`, `results ${id}`]));
		expect(items).toMatchObject(ids.map((id) => ({ id: `of ${id}`, run_id: id })));
		expect(new Set(keysOf(headers).filter(Boolean)).size).toBe(2);
	});

	test('without results returns no items but a hint', async () => {
		const { items, hints } = await runAndGetResults({ after: [pageResponse([])] });
		expect(items).toEqual([]);
		expect(hints.map(({ message }) => message)).toEqual(["Run 'run_1' found nothing (status 'done')."]);
	});
});

describe('Run and Get Results whose run was not started', () => {
	const REPEAT =
		/^The run may have been started\. Use Retry on this execution: no second run is started\. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'n8n-[0-9a-f]{32}'\.$/;
	test.each<[number, object, string, RegExp]>([
		[
			403,
			{},
			'This API key is not allowed to start runs',
			/^It needs the scope 'prospector\.run' and must not belong to a read-only member\. Ask a workspace admin for such an API key\.$/,
		],
		[
			404,
			{},
			"Prospector workflow 'wf_1' was not found",
			/^It was deleted or belongs to another workspace\. Pick one from the list in 'Prospector Workflow', or enter its ID, not its name\.$/,
		],
		[503, {}, 'The service answered with status 503', REPEAT],
		[
			503,
			{ preventDuplicates: 'off' },
			'The service answered with status 503',
			/^The run may have been started\. Look in the workspace before you try again\.$/,
		],
	])('with status %i and %j says what to do', async (status, options, message, description) => {
		const result = await runAndGetResults({ start: httpResponse(status, {}), options });
		expect(result.message).toBe(message);
		expect(result.description).toMatch(description);
		expect(result.urls).toEqual([START_URL]);
	});
});

describe('Run and Get Results whose run was started', () => {
	const LATER = "et its results later with Run › Get, ID 'run_1'.";
	const RETRY = `The run continues. Use Retry on this execution to continue with it, or g${LATER}`;
	const NO_RETRY = `The run continues. Do not retry, as that starts another one. G${LATER}`;
	const OFF = { preventDuplicates: 'off' };

	test.each<[string, Partial<Wait>, string, string]>([
		[
			'a check is refused',
			{ statuses: [], after: [httpResponse(401, { request_id: 'req_9' })] },
			'the API key was not accepted (request req_9)',
			`It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential. ${RETRY}`,
		],
		[
			'a check is refused, and duplicates are not prevented',
			{ statuses: [], after: [httpResponse(401, {})], options: OFF },
			'the API key was not accepted',
			`It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential. ${NO_RETRY}`,
		],
		[
			'the results can not be read',
			{ after: [httpResponse(503, '')] },
			'the service answered with status 503',
			RETRY,
		],
		[
			'the results can not be read, and duplicates are not prevented',
			{ after: [httpResponse(503, '')], options: OFF },
			'the service answered with status 503',
			NO_RETRY,
		],
		[
			'the key may not read results',
			{ after: [httpResponse(403, '')], options: USER_KEY },
			'this API key is not allowed to list the results of a run',
			`It needs the scope 'prospector.read' and must belong to a member with access. Ask a workspace admin for such an API key. ${RETRY}`,
		],
		[
			'its list has no end',
			{ after: [pageResponse(['a'], 'c'), pageResponse(['b'], 'c')] },
			'the same page of the list came twice (request req of b)',
			RETRY,
		],
	])('names it when %s', async (_, wait, message, description) => {
		const { items, ...result } = await runAndGetResults(wait);
		expect(result.message).toBe(`Run 'run_1' was started, but then: ${message}`);
		expect(result.description).toBe(description);
		expect(items).toEqual([]);
	});

	test.each<[string, object, string]>([
		[
			'running',
			{},
			"The run continues. Raise 'Wait Up To (Seconds)', or use Retry on this execution to keep waiting.",
		],
		['running', OFF, `${NO_RETRY} To wait longer, raise 'Wait Up To (Seconds)'.`],
	])('is still %s, with %j', async (status, options, goOn) => {
		expect(await runAndGetResults({ statuses: [status], after: [], options })).toMatchObject({
			message: "Run 'run_1' was still 'running' after 10 s (request req_1)",
			description: `${goOn} If 'running' means finished, add it to 'Finished Statuses' under Options.`,
		});
	});

	test.each<[object, string]>([
		[
			{},
			`To start a new one, execute the workflow from the start; Retry only looks at this one again. ${RESULTS_AT}`,
		],
		[
			USER_KEY,
			`To start a new one, change 'Idempotency Key' under Options; Retry only looks at this one again. ${RESULTS_AT}`,
		],
		[OFF, `${RESULTS_AT} Retry starts a new one.`],
	])('has failed, with %j: no results are read', async (options, advice) => {
		const result = await runAndGetResults({ statuses: ['failed'], options });
		expect(result).toMatchObject({
			message: "Run 'run_1' ended as 'failed' (request req_1)",
			description: `${advice} If 'failed' is fine, add it to 'Finished Statuses' under Options.`,
			urls: [START_URL, RUN_URL],
		});
	});

	test('shows no status', async () => {
		expect(await runAndGetResults({ statuses: [''], after: [] })).toMatchObject({
			description:
				'The run continues. Get its results later with Result › Get Many. Next time, start it with Workflow › Run.',
		});
	});

	test('under Continue, its message and description are one text', async () => {
		const { items } = await runAndGetResults({
			statuses: ['failed'],
			rest: { continueOnFail: () => true },
		});
		expect(items).toEqual([
			{
				error:
					"Run 'run_1' ended as 'failed' (request req_1). To start a new one, execute the workflow from the start; Retry only looks at this one again. Its results are at Result › Get Many. If 'failed' is fine, add it to 'Finished Statuses' under Options.",
			},
		]);
	});
});
