import { byId } from '../../nodes';
import { outcomeOf, startHostileBench, type HostileBench } from './bench';
import { json, list, soon, withWorkflow, type Answer } from './service';

let bench: HostileBench;
beforeAll(async () => (bench = await startHostileBench()));
afterAll(async () => await bench.close());

/** More than fit into the arguments of one call. */
const MANY = 125_000;

const many = (count: number, more: object = {}) =>
	Array.from({ length: count }, (_, index) => ({ id: `id_${index}`, ...more }));

describe('Return All', () => {
	/** The default limit, which a person can raise. */
	const MAX_ITEMS = 1_000_000;
	const PAGE = 5000;

	it('ends with a message about its limit when a list never ends', async () => {
		const tiny = JSON.stringify(Array.from({ length: PAGE }, () => ({ id: 1 }))).slice(1, -1);
		// The same page again would be noticed as a circle.
		const page = (number: number) =>
			`{"data":[{"id":"${number}"},${tiny}],"pagination":{"next_cursor":"c${number}","has_more":true},"request_id":"r"}`;
		const endless: Answer = (socket, request) => {
			const body = page(request.number);
			const length = Buffer.byteLength(body);
			socket.write(
				`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`,
			);
			socket.end(body);
		};
		const target = await bench.target(endless);
		const execution = target.start({ resource: 'workflow', operation: 'getAll', returnAll: true });
		let hasEnded = false;
		void execution.finished.then(() => (hasEnded = true));
		const isPastLimit = () => target.requests.length * PAGE > MAX_ITEMS * 1.1;
		await soon(() => hasEnded || isPastLimit(), 60_000);
		if (!hasEnded) execution.stop();
		const { error } = (await execution.finished).data.resultData;
		expect(isPastLimit()).toBe(false);
		expect(error?.message).toMatch(
			/^The list goes on after (1,000,000 items|10,000 pages), so nothing was returned/,
		);
		expect(error?.description).toContain("turn off 'Return All' and set 'Limit'");
		expect(await target.isClosed()).toBe(true);
	}, 90_000);

	it('returns 125,000 items of one response', async () => {
		const target = await bench.target(list(many(MANY)));
		const items = await target.items({ resource: 'workflow', operation: 'getAll', returnAll: true });
		expect(items).toHaveLength(MANY);
	});
});

describe('A response with 125,000 items', () => {
	const below =
		(end: string, whole: object[], otherwise: object[]): Answer =>
		(socket, request) =>
			list(request.path.endsWith(end) ? whole : otherwise)(socket, request);
	// Later than the activation of any trigger here.
	const recent = { status: 'completed', created_at: new Date(Date.now() + 3_600_000).toISOString() };

	it.each<[string, string]>([
		['newRun', '/runs'],
		['runStatusChanged', '/runs'],
		['newResult', '/results'],
	])('is read by the trigger: %s', async (event, end) => {
		const target = await bench.target(withWorkflow(list([])));
		const options = { maxItems: 10_000 };
		const trigger = target.trigger({ event, watch: 'one', workflowId: byId('wf_1'), options });
		await trigger.activate();
		target.answer(below(end, many(MANY, recent), [{ id: 'run_1', ...recent }]));
		const { hasEnded, words, value } = await outcomeOf(async () => await trigger.tick(), 25_000);
		expect({ hasEnded, words }).toEqual({ hasEnded: true, words: '' });
		expect(value).toHaveLength(10_000);
	});

	it.each([
		['newRun', '/runs'],
		['newResult', '/results'],
		['newRun', '/workflows'],
	])("is read by the trigger's test: %s, %s", async (event, end) => {
		const target = await bench.target(below(end, many(MANY, recent), [{ id: 'run_1', ...recent }]));
		const trigger = target.trigger({ event, watch: 'all' });
		const { hasEnded, words, value } = await outcomeOf(async () => await trigger.test(), 25_000);
		expect({ hasEnded, words }).toEqual({ hasEnded: true, words: '' });
		expect(value).toHaveLength(end === '/workflows' ? 5 : 10);
	});

	it('is read by the trigger as a list of workflows', async () => {
		const target = await bench.target(list([]));
		const trigger = target.trigger({ event: 'newRun', watch: 'all' });
		await trigger.activate();
		// Ends the poll: reading the runs of all of them would take hours.
		const refusal = json({ error: 'No' }, 401);
		target.answer((socket, request) =>
			(request.path.endsWith('/runs') ? refusal : list(many(MANY, recent)))(socket, request),
		);
		const { words } = await outcomeOf(async () => await trigger.tick(), 25_000);
		expect(words).toMatch(/^The API key was not accepted/);
	});

	it.each<['listSearch' | 'resourceMapping' | 'loadOptions', string]>([
		['listSearch', 'searchWorkflows'],
		['listSearch', 'searchRuns'],
		['resourceMapping', 'getWorkflowFields'],
		['loadOptions', 'getWorkflows'],
	])('is read by the editor: %s %s', async (kind, method) => {
		const whole = many(MANY, recent);
		const target = await bench.target(below('/runs', whole, method === 'searchRuns' ? many(1) : whole));
		const { hasEnded, words } = await outcomeOf(async () => await target.ask(kind, method), 25_000);
		expect({ hasEnded, words }).toEqual({ hasEnded: true, words: '' });
	});
});
