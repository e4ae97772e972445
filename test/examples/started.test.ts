import type { IDataObject } from 'n8n-workflow';
import { receiver } from './fixtures';
import { startExample, type ExampleEnvironment } from './support';

let environment: ExampleEnvironment;
afterEach(async () => await environment.close());

test('run-and-collect.json starts one run and collects all its results, as imported', async () => {
	environment = await startExample('run-and-collect.json', { resultsPerRun: 120, listOrder: 'shuffled' });
	const { error, items } = await environment.execute('trigger');
	expect(error).toBeUndefined();
	expect(environment.sandbox.control.runs().started).toBe(1);
	expect(new Set(items('Run it and get its leads').map(({ lead_id }) => lead_id)).size).toBe(120);
});

describe('run-wait-and-push-each-lead.json', () => {
	beforeEach(async () => {
		const settings = { resultsPerRun: 5, listOrder: 'shuffled' } as const;
		environment = await startExample('run-wait-and-push-each-lead.json', settings);
	});

	test('returns every lead of the run, as imported', async () => {
		const { error, items } = await environment.execute('trigger');
		expect(error).toBeUndefined();
		const { runs } = environment.sandbox.control.runs();
		const [{ id }] = runs.filter(({ origin }) => origin === 'request');
		const lead = {
			lead_id: expect.stringMatching(/^lead_/),
			company_name: expect.any(String),
			prospector_run_id: id,
			prospector_request_id: expect.stringMatching(/^req_/),
		};
		expect(items('Leads that arrived')).toEqual(Array(5).fill(lead));
		expect(items('Say how many did not arrive')).toEqual([]);
	});

	test('pushes the other leads if one is rejected, and reports it at the end', async () => {
		const pushed: unknown[] = [];
		const { type, taken } = receiver(({ lead_id: id }) => pushed.push(id) === 2);
		environment.replace('Push the lead onwards', type);
		const { error, items, lastNode } = await environment.execute('trigger');
		expect(taken).toHaveLength(4);
		expect(items('Leads that arrived')).toHaveLength(4);
		expect(lastNode).toBe('Say how many did not arrive');
		expect(error?.message).toBe('1 of 5 leads were not pushed; all others were. The first of them: Refused');
	});

	test('waits for other statuses if they are set in the option that the note names', async () => {
		environment.sandbox.control.patchSettings({ runStatuses: ['wird gesucht', 'fertig'] });
		const wait = environment.workflow.nodes.find(({ name }) => name === 'Run it and get its leads');
		Object.assign(wait!.parameters.options as IDataObject, { finishedStatuses: 'fertig' });
		const { error, items } = await environment.execute('trigger');
		expect(error).toBeUndefined();
		expect(items('Leads that arrived')).toHaveLength(5);
	});
});

describe('scheduled-run-with-a-key-per-day.json', () => {
	const START = "Start today's run";
	const started = () => environment.sandbox.control.runs().started;

	// Only the date is fixed: requests and delays take real time.
	beforeEach(async () => {
		const doNotFake = [
			...['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
			...['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
		] as never;
		jest.useFakeTimers({ now: new Date('2026-03-01T06:00:00Z'), doNotFake });
		environment = await startExample('scheduled-run-with-a-key-per-day.json', { listOrder: 'newest' });
	});
	afterEach(() => void jest.useRealTimers());

	test('starts a run of the oldest Prospector workflow, with the date in its key', async () => {
		const { error, items } = await environment.execute('trigger');
		expect(error).toBeUndefined();
		expect(items(START)).toEqual([
			expect.objectContaining({ object: 'prospector_run', idempotency_key: 'morning-run-2026-03-01' }),
		]);
		expect(items('List the Prospector workflows').at(-1)?.id).toBe(items(START)[0].workflow_id);
		expect(started()).toBe(1);
	});

	test('returns the same run when executed again that day, however lists are sorted', async () => {
		const { control } = environment.sandbox;
		await environment.execute('trigger');
		for (const listOrder of ['newest', 'oldest', 'shuffled'] as const) {
			control.patchSettings({ listOrder });
			control.seed({ workflows: 3 });
			const { error, items } = await environment.execute('manual', { input: [{ json: {} }] });
			expect(error).toBeUndefined();
			expect(items(START)).toHaveLength(1);
			expect(started()).toBe(1);
		}
	});

	test('starts no second run when a response is lost', async () => {
		const lost = { match: { operation: 'runWorkflow' }, kind: 'drop', when: 'after' } as const;
		environment.sandbox.control.addFault(lost);
		const { error } = await environment.execute('trigger');
		expect(error).toBeUndefined();
		expect(started()).toBe(1);
		const starts = environment.journal().filter(({ operation }) => operation === 'runWorkflow');
		expect(starts.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
			'morning-run-2026-03-01',
			'morning-run-2026-03-01',
		]);
	});
});
