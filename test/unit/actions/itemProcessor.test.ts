import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { createSimulator } from '../../../sandbox/simulator';
import type { SandboxSettings } from '../../../sandbox/settings';
import { FakeClock, fakeDependencies } from '../helpers/fakeClock';
import { executeNode } from '../helpers/support';

const RESPONSE_MS = 100;
const RESULTS = 2;
const STATUSES = ['completed', 'partial', 'failed'];

interface Item {
	seconds: number;
	/** Final status of the run. */
	status: string;
}

interface Execution {
	maxConcurrentRequests?: number;
	/** Seconds. */
	waitUpTo?: number;
	continues?: boolean;
	/** What happens after that number of requests: the process is killed, or someone presses Stop. */
	interruption?: { kind: 'kill' | 'stop' | 'none'; after: number };
	/** Number of the execution among its retries; 0 for the first. */
	attempt?: number;
	/** Seconds. */
	retryFor?: number;
}

/** A service in virtual time with one Prospector workflow per item, whose run takes that long. */
function createService(items: Item[], settings: Partial<SandboxSettings> = {}) {
	const clock = new FakeClock({ autoAdvance: true });
	const simulator = createSimulator({
		clock: clock.wallClock.now,
		settings: { limit: 100_000, resultsPerRun: RESULTS, ...settings },
		beforeRequest({ method, url }) {
			const index = workflows.findIndex((id) => url.includes(id));
			if (method !== 'POST' || index < 0) return;
			const { seconds, status } = items[index];
			control.patchSettings({ runStatuses: ['running', status], runStageMs: seconds * 1000 });
		},
	});
	const { control } = simulator;
	const { workflows } = control.seed({ workflows: items.length });
	let mostInFlight = 0;
	let memory: IDataObject = {};

	/** Runs and gets the results of all items. Resolves to undefined if the process is killed. */
	async function execute({ interruption, attempt = 0, continues = true, ...options }: Execution = {}) {
		const { kind, after } = interruption ?? { kind: 'none', after: Infinity };
		let inFlight = 0;
		const controller = new AbortController();
		let requestCount = 0;
		let kill = () => {};
		const killed = new Promise<undefined>((resolve) => (kill = () => resolve(undefined)));
		const { maxConcurrentRequests = 5, waitUpTo = 3600, retryFor = 300 } = options;
		const answer = async (request: IHttpRequestOptions) => {
			mostInFlight = Math.max(mostInFlight, ++inFlight);
			const isOver = ++requestCount > after && kind !== 'none';
			const response = simulator.request(request as never);
			response.catch(() => {});
			if (isOver && kind === 'stop') controller.abort();
			if (isOver && kind === 'kill') {
				kill();
				await new Promise(() => {});
			}
			await clock.sleep(RESPONSE_MS);
			inFlight--;
			return await response;
		};
		const beganAtMs = clock.now();
		const execution = executeNode({
			operation: 'workflow.runAndGetResults',
			input: workflows.map((id) => ({ id })),
			answers: [answer],
			executionId: `execution-${attempt}`,
			memory,
			parameters: { waitUpTo, options: { retryFor, maxConcurrentRequests } },
			parametersOf: (index) => ({ workflowId: workflows[index] }),
			resumeUrl: 'https://n8n.example/?signature=token',
			dependencies: fakeDependencies(clock),
			rest: {
				continueOnFail: () => continues,
				getMode: () => (attempt > 0 ? 'retry' : 'trigger'),
				getExecutionCancelSignal: () => controller.signal,
			},
		});
		const result = await Promise.race([execution, killed]);
		// What an execution has noted is lost with its process, and after Stop.
		if (kind !== 'none') memory = {};
		const wasStopped = controller.signal.aborted && kind === 'stop';
		return result && { ...result, wasStopped, seconds: (clock.now() - beganAtMs) / 1000 };
	}

	return {
		...{ clock, control, execute, workflows },
		mostInFlight: () => mostInFlight,
		requestsFor: (name: string) => control.journal().filter(({ operation }) => operation === name),
		runCounts: () => workflows.map((id) => control.runs().perWorkflow[id] ?? 0),
	};
}

const anyItems = fc.array(
	fc.record({ seconds: fc.integer({ min: 0, max: 300 }), status: fc.constantFrom(...STATUSES) }),
	{ minLength: 1, maxLength: 8 },
);

const outcomeOf = (json: IDataObject) => ('error' in json ? 'error' : json.run_status);
/** The outcomes of an item's output. */
const expectedOf = ({ status }: Item) => (status === 'failed' ? ['error'] : Array(RESULTS).fill(status));

test('each item starts one run and gets its own output, in the input order and at most a tenth too late, however long the runs take', async () => {
	await fc.assert(
		fc.asyncProperty(anyItems, fc.integer({ min: 1, max: 5 }), async (items, maxConcurrentRequests) => {
			const service = createService(items);
			const { output, seconds } = (await service.execute({ maxConcurrentRequests }))!;
			const starts = service.requestsFor('runWorkflow').map(({ path }) => path.split('/').at(-2));
			expect([...new Set(starts)]).toEqual(service.workflows);
			expect(service.runCounts()).toEqual(items.map(() => 1));
			expect(output.map(({ json, pairedItem }) => [pairedItem, outcomeOf(json)])).toEqual(
				items.flatMap((one, item) => expectedOf(one).map((outcome: string) => [{ item }, outcome])),
			);
			expect(service.mostInFlight()).toBeLessThanOrEqual(maxConcurrentRequests);
			const longest = Math.max(...items.map((item) => item.seconds));
			const requestSeconds = (items.length * 5 * RESPONSE_MS) / 1000;
			expect(seconds).toBeLessThanOrEqual(longest * 1.1 + 2.5 + requestSeconds);
		}),
		{ numRuns: 30 },
	);
});

test('each item of any number gets its output if requests are tried once and the service has no limit', async () => {
	const property = fc.asyncProperty(
		...[fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100 })],
		async (count, maxConcurrentRequests) => {
			const items = Array.from({ length: count }, () => ({ seconds: 5, status: 'completed' }));
			const service = createService(items);
			const { items: output } = (await service.execute({ maxConcurrentRequests, retryFor: 0 }))!;
			expect(output.map(outcomeOf)).toEqual(items.flatMap(expectedOf));
		},
	);
	await fc.assert(property, { numRuns: 30 });
});

const anyInterruptions = fc.array(
	fc.record({ kind: fc.constantFrom('kill', 'stop', 'none'), after: fc.nat(60) }),
	{ maxLength: 4 },
);
const anyFaults = fc.array(
	fc.record({
		failure: fc.constantFrom({ kind: 'drop' } as const, { kind: 'status', status: 502 } as const),
		skip: fc.nat(9),
		times: fc.integer({ min: 1, max: 3 }),
	}),
	{ maxLength: 4 },
);

test('each item has one run and its output however often the execution is killed, stopped or fails and is retried, and whatever responses are lost', async () => {
	await fc.assert(
		fc.asyncProperty(
			...[anyItems, anyInterruptions, anyFaults, fc.boolean()],
			async (items, interruptions, faults, continues) => {
				const service = createService(items);
				for (const { failure, ...fault } of faults)
					service.control.addFault({ ...fault, ...failure, when: 'after' });
				// n8n retries an execution until it succeeds.
				for (let attempt = 0; ; attempt++) {
					const interruption = interruptions.at(attempt) as Execution['interruption'];
					const result = await service.execute({ interruption, attempt, continues });
					const hasEnded = result && !result.message && !result.wasStopped;
					if (!hasEnded && interruption !== undefined) continue;
					expect(service.runCounts()).toEqual(items.map(() => 1));
					if (!continues && items.some(({ status }) => status === 'failed'))
						return expect(result?.message).toMatch(/ended as 'failed'/);
					return expect(result?.items.map(outcomeOf)).toEqual(items.flatMap(expectedOf));
				}
			},
		),
		{ numRuns: 50 },
	);
});

test('a run whose status checks always fail delays no other run, even if only one request is permitted at a time', async () => {
	const items = [600, 60, 60].map((seconds) => ({ seconds, status: 'completed' }));
	const service = createService(items);
	const failing = { kind: 'status', status: 503 } as const;
	service.control.addFault({ ...failing, match: { operation: 'getRun' }, times: 1 });
	const execution = service.execute({ maxConcurrentRequests: 1, waitUpTo: 300 });
	await service.clock.sleep(2000);
	const [firstRun] = service.control.runs().runs;
	service.control.addFault({ ...failing, match: { operation: 'getRun', path: firstRun.id }, times: 0 });
	const beganMs = service.clock.wallClock.now();
	const { output } = (await execution)!;
	const completed = Array<string>(2 * RESULTS).fill('completed');
	expect(output.map(({ json }) => outcomeOf(json))).toEqual(['error', ...completed]);
	const lastRead = service.requestsFor('listResults').at(-1)!;
	expect((Date.parse(lastRead.time) - beganMs) / 1000).toBeLessThan(70);
});

test('200 items finish within 2 h at 60 requests per minute', async () => {
	const items = Array.from({ length: 200 }, () => ({ seconds: 3600, status: 'completed' }));
	const service = createService(items, { limit: 60 });
	const { output, seconds } = (await service.execute({ waitUpTo: 24 * 3600 }))!;
	expect(output.filter(({ json }) => 'error' in json)).toEqual([]);
	expect(output).toHaveLength(200 * RESULTS);
	expect(service.runCounts()).toEqual(items.map(() => 1));
	expect(seconds).toBeLessThanOrEqual(2 * 3600);
});
