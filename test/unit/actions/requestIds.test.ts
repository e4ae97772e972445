import { executeNode, httpResponse, itemResponse } from '../helpers/support';

const FIRST = 'prospector_request_id';

/** Runs a Prospector workflow once for each request ID. */
async function save(ids: string[], customData: Record<string, string> = {}, rest: object = {}) {
	return await executeNode({
		operation: 'workflow.run',
		parameters: { workflowId: 'wf_1' },
		input: ids.map(() => ({})),
		answers: ids.map((id) => itemResponse({ id: 'run_1' }, { request_id: id })),
		customData,
		rest,
	});
}

test.each<[string, string[], object, object]>([
	['one after the other', ['a', 'b', 'a'], {}, { [FIRST]: 'a b' }],
	['after an ID that starts alike', ['ab', 'a', 'b'], {}, { [FIRST]: 'ab a b' }],
	['beside other custom data', ['a'], { order: '7' }, { order: '7', [FIRST]: 'a' }],
	[
		'beside an entry of the user',
		['a', 'b'],
		{ [FIRST]: 'mine' },
		{ [FIRST]: 'mine', [`${FIRST}_2`]: 'a b' },
	],
	[
		'in a new entry',
		['a'.repeat(200), 'b'.repeat(55)],
		{},
		{ [FIRST]: 'a'.repeat(200), [`${FIRST}_2`]: 'b'.repeat(55) },
	],
	[
		'up to 255 characters',
		['a'.repeat(200), 'b'.repeat(54)],
		{},
		{ [FIRST]: `${'a'.repeat(200)} ${'b'.repeat(54)}` },
	],
])('saves request IDs %s', async (_, ids, before, after) => {
	const { customData, log } = await save(ids, { ...before });
	expect(customData).toEqual(after);
	expect(log).toEqual([]);
});

test('saves request IDs in five entries at most, and logs the first that has no room', async () => {
	const ids = Array.from({ length: 7 }, (_, i) => `req_${i}`.padEnd(200, 'x'));
	const { customData, log } = await save(ids);
	expect(customData).toEqual(
		Object.fromEntries(ids.slice(0, 5).map((id, i) => [i === 0 ? FIRST : `${FIRST}_${i + 1}`, id])),
	);
	expect(log).toEqual([
		`Prospector: the request ID ${ids[5]} was not saved with the execution, because there is no room left; later request IDs of this execution will not be saved either`,
	]);
});

test('logs once if n8n has no room', async () => {
	const full = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`own_${i}`, 'x']));
	const { customData, log } = await save(['a', 'b'], { ...full });
	expect(customData).toEqual(full);
	expect(log).toHaveLength(1);
});

test('writes again what was removed meanwhile, and leaves what was changed', async () => {
	const data: Record<string, string> = {};
	const context = {};
	const rest = { getContext: () => context };
	await save(['a'], data, rest);
	data[FIRST] = 'changed';
	await save(['b'], data, rest);
	expect(data).toEqual({ [FIRST]: 'changed', [`${FIRST}_2`]: 'b' });
	delete data[`${FIRST}_2`];
	delete data[FIRST];
	await save(['b'], data, rest);
	expect(data).toEqual({ [FIRST]: 'b' });
});

const throwing = () => {
	throw new Error('No data here');
};
test.each([
	[
		'offers no custom data',
		{ getWorkflowDataProxy: () => ({ $execution: {} }) },
		'since this n8n offers no custom data',
	],
	['names no execution', { getWorkflowDataProxy: () => ({}) }, 'since this n8n offers no custom data'],
	[
		'has no context',
		{ getContext: (type: string) => (type === 'flow' ? throwing() : {}) },
		'since n8n did not take it: No data here',
	],
	['throws', { getWorkflowDataProxy: throwing }, 'since n8n did not take it: No data here'],
])('costs only a line of the log if n8n %s', async (_, rest, reason) => {
	const { log, message } = await executeNode({
		operation: 'workflow.run',
		parameters: { workflowId: 'wf_1', options: { preventDuplicates: 'off' } },
		rest,
	});
	expect(message).toBeUndefined();
	expect(log).toEqual([`Prospector: the request ID req_1 was not saved with the execution, ${reason}`]);
});

test.each<[string, ReturnType<typeof httpResponse>, Record<string, string>]>([
	['a response', itemResponse({ id: 'a' }), { [FIRST]: 'req_1' }],
	['a refusal', httpResponse(409, { request_id: 'req_2' }), { [FIRST]: 'req_2' }],
	['a refusal without a request ID', httpResponse(409, {}), {}],
	['a web page', httpResponse(200, '<html>'), {}],
	['JSON without data', httpResponse(200, { request_id: 'req_3' }), { [FIRST]: 'req_3' }],
])('saves the request ID of %s, and fails unless it was accepted', async (_, answer, expected) => {
	for (const operation of ['workflow.run', 'workflow.create', 'workflow.runAndGetResults']) {
		const { customData, message } = await executeNode({
			operation,
			parameters: { workflowId: 'wf_1', options: { retryFor: 0, saveRequestId: false } },
			// The run of Run and Get Results can't be read.
			answers: [answer, httpResponse(404, {})],
		});
		expect(customData).toEqual(expected);
		const isAccepted = expected[FIRST] === 'req_1' && operation !== 'workflow.runAndGetResults';
		expect(message === undefined).toBe(isAccepted);
	}
});

test('saves no request ID of an operation that starts and creates nothing', async () => {
	for (const operation of [
		'workflow.get',
		'workflow.update',
		'workflow.delete',
		'run.get',
		'account.getIdentity',
	]) {
		const { customData, message } = await executeNode({
			operation,
			parameters: { workflowId: 'wf_1', runId: 'run_1' },
		});
		expect([customData, message]).toEqual([{}, undefined]);
	}
});
