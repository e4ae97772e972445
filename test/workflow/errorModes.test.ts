import type { INode } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox/types';
import { byTitle, find, inputFor, parametersFor, type Row } from './everyOperation';
import { startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
afterAll(async () => await bench.close());

/** Three input items, of which the second is refused: with a status that no retry could mend. */
async function secondFails(row: Row, onError: INode['onError']) {
	const fault: FaultRule = { kind: 'status', status: 404, skip: 1 };
	const input = inputFor(bench, row, 3);
	bench.prepare(fault);
	// One after the other, so that the fault meets the second.
	const options = row.method === 'GET' ? { maxConcurrentRequests: 1 } : {};
	const ended = await bench.over(parametersFor(row, undefined, { options }), input, { onError });
	const journal = bench.sandbox.control.journal();
	const [regular = [], onErrorBranch = []] = ended.data.resultData.runData.Prospector[0].data?.main ?? [];
	const good = [0, 2].map((item) => ({ item, request: journal[item]?.requestId }));
	return { ended, journal, regular: regular ?? [], onErrorBranch: onErrorBranch ?? [], good };
}

const itemOf = ({ pairedItem }: { pairedItem?: unknown }) => (pairedItem as { item: number }).item;

describe.each(byTitle)('%s', (_, row) => {
	it('goes on after a failed item and puts its error in its place', async () => {
		const { journal, regular, onErrorBranch, good } = await secondFails(row, 'continueRegularOutput');
		expect(journal).toHaveLength(3);
		expect(onErrorBranch).toEqual([]);
		const failed = regular.filter((item) => itemOf(item) === 1);
		expect(failed).toEqual([
			{
				json: { error: expect.stringContaining(`(request ${journal[1].requestId})`) },
				pairedItem: { item: 1 },
			},
		]);
		for (const { item, request } of good) {
			const ofItem = regular.filter((entry) => itemOf(entry) === item);
			expect(ofItem.length).toBeGreaterThan(0);
			for (const { json } of ofItem)
				expect(json).toMatchObject({ id: expect.any(String), request_id: request });
		}
		expect(regular.map(itemOf)).toEqual(regular.map(itemOf).sort());
	});

	it('sends failed items to the error branch, and good ones to the other', async () => {
		const { regular, onErrorBranch, good } = await secondFails(row, 'continueErrorOutput');
		expect([...new Set(regular.map(({ json }) => json.request_id))]).toEqual(
			good.map(({ request }) => request),
		);
		expect([...new Set(regular.map(itemOf))]).toEqual([0, 2]);
		expect(regular.filter(({ json }) => 'error' in json)).toEqual([]);
		expect(onErrorBranch).toHaveLength(1);
		expect(onErrorBranch[0].json.error).toEqual(expect.any(String));
		expect(itemOf(onErrorBranch[0])).toBe(1);
	});

	it('starts nothing after a failed item unless it is told to go on', async () => {
		const { ended, journal } = await secondFails(row, 'stopWorkflow');
		expect(journal).toHaveLength(2);
		expect(ended.status).toBe('error');
		const { error } = ended.data.resultData;
		expect(error?.message).toMatch(/ \[Item 1\]$/);
		expect(error).toHaveProperty('context.itemIndex', 1);
	});
});

it('A credential that cannot work fails its item only, and nothing is sent', async () => {
	await bench.credential('without key', { apiKey: ' ' });
	bench.prepare();
	const parameters = { resource: 'config', operation: 'get' };
	const onError = 'continueErrorOutput';
	const ended = await bench.over(parameters, [{}, {}], { onError }, 'without key');
	expect(ended.data.resultData.runData.Prospector[0].data?.main).toEqual([
		[],
		[0, 1].map((item) => ({
			json: { error: expect.stringMatching(/^The credential has no 'API Key' \[Item \d\]\. Paste/) },
			pairedItem: { item },
		})),
	]);
	expect(bench.sandbox.control.journal()).toEqual([]);
});

it('No input items make no requests and no failure', async () => {
	bench.prepare();
	const ended = await bench.over({ resource: 'config', operation: 'get' }, []);
	expect(ended.data.resultData.error).toBeUndefined();
	expect(bench.sandbox.control.journal()).toEqual([]);
});

it.each([
	['a redirect', { kind: 'redirect', location: 'https://x.example', when: 'after' }],
	['status 429', { kind: 'status', status: 429 }],
	['status 404', { kind: 'status', status: 404 }],
	['a web page', { kind: 'notJson', when: 'after' }],
	['a lost answer', { kind: 'drop', when: 'after' }],
] as Array<[string, FaultRule]>)(
	'Under Continue the key of a start that failed with %s stands in its item',
	async (_, fault) => {
		const row = find('Workflow › run');
		const input = inputFor(bench, row, 1);
		bench.prepare(fault);
		const [{ json }] = await bench.items(parametersFor(row), input, { onError: 'continueRegularOutput' });
		const [{ idempotencyKey }] = bench.sandbox.control.journal();
		expect(json.error).toContain(`set 'Idempotency Key' under Options to '${idempotencyKey}'`);
	},
);
