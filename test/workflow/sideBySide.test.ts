import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { find, inputFor, parametersFor } from './everyOperation';
import { chainNodes, startEnvironment, type Environment } from './support';
import { waitFor } from '../waitFor';

/** A service that answers only when it is told to. */
async function startSlowService() {
	const waiting: Array<{ url: string; response: ServerResponse }> = [];
	const seen: string[] = [];
	let most = 0;
	const server = createServer(({ url = '' }, response) => {
		seen.push(url);
		waiting.push({ url, response });
		most = Math.max(most, waiting.length);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		waiting,
		seen,
		most: () => most,
		/** Answers what came last first, or with a refusal. */
		answer(status = 200) {
			const { url, response } = waiting.pop() as (typeof waiting)[number];
			response.statusCode = status;
			response.end(JSON.stringify({ data: { id: url.split('/').pop() }, request_id: 'req_1' }));
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

let bench: Environment;
let service: Awaited<ReturnType<typeof startSlowService>>;
beforeAll(async () => (bench = await startEnvironment()));
afterAll(async () => await bench.close());
beforeEach(async () => {
	bench.prepare();
	service = await startSlowService();
	await bench.credential('slow', { baseUrl: service.baseUrl });
});
afterEach(async () => await service.close());

const ids = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `run_${i}` }));
const read = (options: object = {}) => parametersFor(find('Run › get'), undefined, { options });

test('reads go side by side, and their items come out in the order of input', async () => {
	const running = bench.items(read(), ids(12), {}, 'slow');
	for (let answered = 0; answered < 12; answered++) {
		await waitFor('a request', () => service.waiting.length > 0);
		service.answer();
	}
	const items = await running;
	expect(items.map(({ json }) => json.id)).toEqual(ids(12).map(({ id }) => id));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids(12).map((_, item) => ({ item })));
	expect(service.most()).toBeLessThanOrEqual(5);
});

test('writes go one after the other, in the order of input', async () => {
	const input = inputFor(bench, find('Workflow › update'), 6);
	bench.prepare({ kind: 'slow', delayMs: 20, times: 0 });
	await bench.items(parametersFor(find('Workflow › update')), input);
	const journal = bench.sandbox.control.journal();
	expect(journal.map(({ path }) => path.split('/').pop())).toEqual(input.map(({ id }) => id));
});

test('no request is sent after the first failure, and waiting items are not waited for', async () => {
	const workflow = chainNodes(bench.prospector(read({ maxWait: 300 }), {}, 'slow'));
	const running = bench.run(workflow, { input: ids(100).map((json) => ({ json })) });
	await waitFor('five requests', () => service.waiting.length === 5);
	const failed = service.waiting[4].url.split('_').pop();
	service.answer(404);
	while (service.waiting.length > 0) service.answer();
	const { data, status } = await running;
	expect(status).toBe('error');
	const message = `The run 'run_${failed}' was not found (request req_1) [Item ${failed}]`;
	expect(data.resultData.error?.message).toBe(message);
	expect(service.seen).toHaveLength(5);
});

test('under Continue the others go on', async () => {
	const running = bench.items(read(), ids(8), { onError: 'continueRegularOutput' }, 'slow');
	for (let answered = 0; answered < 8; answered++) {
		await waitFor('a request', () => service.waiting.length > 0);
		service.answer(answered === 0 ? 404 : 200);
	}
	const items = await running;
	expect(items.filter(({ json }) => 'error' in json)).toHaveLength(1);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids(8).map((_, item) => ({ item })));
});

test.each([0, 101, 'many'])(
	'Max Concurrent Requests %j is refused per item',
	async (maxConcurrentRequests) => {
		const parameters = read({ maxConcurrentRequests });
		const items = await bench.items(parameters, ids(2), { onError: 'continueRegularOutput' });
		const said = { error: expect.stringContaining("'Max Concurrent Requests'") };
		expect(items.map(({ json }) => json)).toEqual([said, said]);
		expect(bench.sandbox.control.journal()).toEqual([]);
	},
);
