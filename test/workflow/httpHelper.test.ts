import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../waitFor';
import { find, inputFor, parametersFor } from './everyOperation';
import { chainNodes, startEnvironment, type Environment } from './support';

// How n8n's HTTP helper behaves where one would not expect it, and that this node copes. Its other surprises are in
// messages.test.ts (answers that are no JSON, broken off or late), operationsBody.test.ts (an empty object as a
// body), operations.test.ts (absent query parameters) and security.test.ts (redirects).

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
afterAll(async () => await bench.close());

const journal = () => bench.sandbox.control.journal();

describe('Stop ends a request under way', () => {
	const row = find('Workflow › run');

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)('and starts no other: %s', async (onError) => {
		const input = inputFor(bench, row, 3).map((json) => ({ json }));
		bench.prepare({ kind: 'hang', times: 0 });
		const execution = bench.execute(chainNodes(bench.prospector(parametersFor(row), { onError })), { input });
		await waitFor('a request', () => journal().length > 0);
		execution.stop();
		const { data, status } = await execution.finished;

		expect(journal()).toHaveLength(1);
		const [{ error, data: output }] = data.resultData.runData.Prospector;
		const words = error?.message ?? output?.main[0]?.[0].json.error;
		expect(words).toContain('The execution was canceled while a request was under way');
		// n8n tells a stopped execution from a failed one by that word.
		expect(status).toBe('canceled');
	});
});

it('The helper limits nothing, so the node does: never more than five requests at once', async () => {
	let now = 0;
	let most = 0;
	const data = { id: 'cfg_1', object: 'prospector_config' };
	const busy = createServer((_, response) => {
		most = Math.max(most, ++now);
		setImmediate(() => {
			now--;
			response.end(JSON.stringify({ data, request_id: 'req_1' }));
		});
	});
	await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
	try {
		const baseUrl = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
		await bench.credential('busy', { baseUrl });
		const input = Array.from({ length: 30 }, (_, n) => ({ n }));
		const items = await bench.items(parametersFor(find('Config › get')), input, {}, 'busy');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map(({ n }) => ({ item: n })));
		expect(most).toBeGreaterThanOrEqual(1);
		expect(most).toBeLessThanOrEqual(5);
	} finally {
		await new Promise((resolve) => busy.close(resolve));
	}
});

it.each(['https://evil.example/?a=1&b=2#c', '//evil.example', '', 'ü & x=1+2%20'])(
	'An address would win over the Base URL, so a cursor stays a query value: %p',
	async (startCursor) => {
		bench.prepare();
		const parameters = parametersFor(find('Workflow › getAll'), '', { options: { startCursor } });
		// The sandbox refuses a cursor that it never gave out.
		if (startCursor !== '') expect((await bench.failure(parameters)).httpCode).toBe('400');
		else expect((await bench.items(parameters)).length).toBeGreaterThan(0);
		expect(journal().map(({ query }) => query)).toEqual([startCursor === '' ? {} : { cursor: startCursor }]);
	},
);

it('Data that comes under another content type than JSON is read all the same', async () => {
	const body = JSON.stringify({ data: { id: 'cfg_1' }, request_id: 'req_1' });
	bench.prepare({ kind: 'notJson', body });
	const items = await bench.items(parametersFor(find('Config › get')));
	expect(items.map(({ json }) => json)).toEqual([{ id: 'cfg_1', request_id: 'req_1' }]);
});

it.each([201, 202, 299])('Status %i with the data that was asked for is a success', async (status) => {
	const body = { data: { id: 'wf_new' }, request_id: 'req_1' };
	bench.prepare({ kind: 'status', status, body });
	const [{ json }] = await bench.items(parametersFor(find('Workflow › create')), [{ name: 'New' }]);
	expect(json).toEqual({ ...body.data, request_id: 'req_1', idempotency_key: journal()[0].idempotencyKey });
});

it('Status 204 brings no data, and that is told', async () => {
	bench.prepare({ kind: 'status', status: 204, body: '' });
	const { message } = await bench.failure(parametersFor(find('Workflow › delete'), 'wf_1'));
	expect(message).toBe('The address answered with nothing instead of Prospector data');
});

it('A Base URL with a path of its own, a trailing slash or the API prefix leads to the same place', async () => {
	const { baseUrl } = bench.sandbox;
	for (const end of ['', '/', '//', '/api/public/v1', '/api/public/v1/', '/api/public/v1/me']) {
		await bench.credential('pasted', { baseUrl: ` ${baseUrl}${end} ` });
		bench.prepare();
		expect(await bench.items(parametersFor(find('Identity › get')), [{}], {}, 'pasted')).toHaveLength(1);
		expect(journal().map(({ path }) => path)).toEqual(['/api/public/v1/me']);
	}
	await bench.credential('below', { baseUrl: `${baseUrl}/below/` });
	const error = await bench.failure(parametersFor(find('Identity › get')), [{}], 'below');
	expect(error.message).toBe("Nothing was found below 'Base URL' at '/api/public/v1/me'");
});

it('An API key pasted with spaces around it is sent without them', async () => {
	await bench.credential('spaced', { apiKey: `\n ${bench.sandbox.keys.full}\t` });
	bench.prepare();
	expect(await bench.items(parametersFor(find('Identity › get')), [{}], {}, 'spaced')).toHaveLength(1);
	expect(journal()[0]).toMatchObject({ keyName: 'full', status: 200 });
});
