import fc from 'fast-check';
import { FakeClock, fakeDependencies } from '../helpers/fakeClock';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { type Answer, executeNode, httpResponse, itemResponse, KEY } from '../helpers/support';

const HOUR_MS = 3_600_000;
const BEGIN_MS = 13_000;

test('a hint says that a run existed before the request if it did and this execution can not have started it, however long the request was tried again', async () => {
	const anyTime = fc.record({
		outageMs: fc.constantFrom(0, 5000, 2 * HOUR_MS),
		/** How long before the request the run was created. */
		ageMs: fc.constantFrom(-5000, 0, 2000, 2001, HOUR_MS, HOUR_MS + 1, 24 * HOUR_MS),
		/** How far the service's clock is ahead of n8n's. */
		aheadMs: fc.constantFrom(-24 * HOUR_MS, -5000, 0, 5000, 24 * HOUR_MS),
		/** A retry, or a lost attempt with the same key, can have started the run. */
		before: fc.constantFrom('nothing', 'nothing', 'a lost attempt', 'a retry'),
	});
	await fc.assert(
		fc.asyncProperty(
			...[anyTime, fc.constantFrom('execution', 'key', 'off'), fc.boolean()],
			async ({ outageMs, ageMs, aheadMs, before }, preventDuplicates, hasDate) => {
				const isUserKey = preventDuplicates === 'key';
				const clock = new FakeClock({ autoAdvance: true });
				// No whole minute, but a whole second, as in a `Date` header.
				clock.skip(BEGIN_MS);
				const serviceNow = () => clock.wallClock.now() + aheadMs;
				const created_at = new Date(serviceNow() - ageMs).toISOString();
				const answer = () => {
					if (clock.now() < BEGIN_MS + outageMs) return httpResponse(503, '', { 'retry-after': '600' });
					const headers = hasDate ? { date: new Date(serviceNow()).toUTCString() } : {};
					return { ...itemResponse({ id: 'run_1', created_at }), headers };
				};
				const execution = {
					...{ operation: 'workflow.run', memory: {}, dependencies: fakeDependencies(clock) },
					rest: { getMode: () => (before === 'a retry' ? 'retry' : 'trigger') },
				};
				const run = async (answer: Answer, retryFor: number) => {
					const options = { retryFor, preventDuplicates, idempotencyKey: 'k' };
					const parameters = { workflowId: 'wf_1', options };
					return await executeNode({ ...execution, parameters, answers: [answer] });
				};
				if (before === 'a lost attempt') await run(httpResponse(500, ''), 0);
				const { hints } = await run(answer, 10_800);
				const knownAgeMs = hasDate ? ageMs : ageMs - aheadMs;
				const hasSameKey = before === 'a lost attempt' && preventDuplicates !== 'off';
				const isOwn = before === 'a retry' || hasSameKey;
				const isOld = !isOwn && knownAgeMs > (hasDate && isUserKey ? 2000 : HOUR_MS);
				const oldHints = hints.filter(({ message }) => message.includes('before this request'));
				const advice = isUserKey ? "change 'Idempotency Key'" : 'Check in the workspace';
				expect(oldHints.map(({ message }) => message.includes(advice))).toEqual(isOld ? [true] : []);
			},
		),
		{ numRuns: 400 },
	);
});

test.each([
	['2026-01-01T10:00Z', 'key', 0],
	['2026-01-01 10:00', 'key', 0],
	['2026-01-01T09:59Z', 'key', 1],
	['2026-01-01', 'execution', 0],
	['2025-12-31', 'execution', 1],
])(
	'a run that was created at "%s" (Prevent Duplicates: %s), and returned at 10:00:45, gets %i hints that it existed, because its time may be rounded',
	async (created_at, preventDuplicates, count) => {
		const clock = new FakeClock({ autoAdvance: true });
		clock.skip(10 * HOUR_MS + 45_000);
		const headers = { date: new Date(clock.wallClock.now()).toUTCString() };
		const { hints } = await executeNode({
			...{ operation: 'workflow.run', dependencies: fakeDependencies(clock) },
			parameters: { workflowId: 'wf_1', options: { preventDuplicates, idempotencyKey: 'k' } },
			answers: [{ ...itemResponse({ id: 'run_1', created_at }), headers }],
		});
		expect(hints.filter(({ message }) => message.includes('before this request'))).toHaveLength(count);
	},
);

test.each(['workflow.run', 'workflow.runAndGetResults'])(
	'the log names each run that %s has started if the execution is stopped or fails before all runs are started',
	async (operation) => {
		for (const isStopped of [true, false]) {
			const controller = new AbortController();
			let starts = 0;
			const answer = ({ method, url }: IHttpRequestOptions) => {
				if (method !== 'POST') return itemResponse({ id: url.split('/').at(-1) });
				if (++starts < 3)
					return itemResponse({ id: `run_${starts} ${KEY}` }, { request_id: `req_${starts}` });
				if (isStopped) controller.abort();
				return httpResponse(isStopped ? 503 : 400, '');
			};
			const { log } = await executeNode({
				...{ operation, input: [{}, {}, {}, {}], answers: [answer] },
				parametersOf: (item) => ({ workflowId: `wf_${item}` }),
				rest: { getExecutionCancelSignal: () => controller.signal },
			});
			expect(log).toEqual(
				[1, 2].map((n) => `Prospector: run 'run_${n} [API key]' was started (request req_${n})`),
			);
		}
	},
);

test.each([
	['workflow.run', 'The run was started'],
	['workflow.runAndGetResults', 'The run was started'],
	['workflow.create', 'The Prospector workflow was created'],
])('the operation %s fails when the response has no ID', async (operation, done) => {
	const answers = [
		({ method }: IHttpRequestOptions) => itemResponse(method === 'POST' ? {} : { id: 'wf_1' }),
	];
	const { message } = await executeNode({ operation, parameters: { workflowId: 'wf_1' }, answers });
	expect(message).toBe(`${done}, but the service returned no ID (request req_1)`);
});
