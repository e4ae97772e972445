import { PATIENT, startE2e, type E2e } from '../bench';
import { jsonOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { CUSTOM, different, START } from './starts';
import { calledUnderWay, clickedUnderWay, loopUnderWay, type UnderWay } from './underWay';

/** Before it, n8n gives a node nothing that outlives its process, unless the node had ended its work once. */
const tokens = atLeast('2.14');
const once = tokens ? 'starts one run' : 'starts a second run with another key, as documented';

describe('Exactly one run: n8n killed in mid-run, restarted, retried', () => {
	let e2e: E2e;
	let clicked: UnderWay;
	let called: UnderWay;
	let loop: UnderWay;
	let custom: UnderWay;

	// All in one n8n, which is killed once.
	beforeAll(async () => {
		e2e = await startE2e();
		clicked = await clickedUnderWay(e2e);
		called = await calledUnderWay(e2e);
		loop = await loopUnderWay(e2e);
		custom = await clickedUnderWay(e2e, CUSTOM);
		await e2e.n8n.kill();
		await e2e.n8n.start();
		await e2e.rest.logIn();
	}, PATIENT);
	afterAll(async () => await e2e?.close());

	/** Presses Retry on what the kill has left. */
	async function retried({ executionId }: UnderWay) {
		expect((await e2e.executions.ended(executionId)).status).toBe('crashed');
		const retry = await e2e.executions.retry(executionId);
		expect(retry).toMatchObject({ status: 'success', mode: 'retry', retryOf: executionId });
		return retry;
	}
	function expectOnceWithToken({ starts }: UnderWay) {
		if (tokens) return starts.expectOnce(1, 2);
		expect(different(starts.keys())).toBe(2);
		expect(starts.started()).toBe(2);
	}

	test(`an execution that a person had started ${once}`, async () => {
		const retry = await retried(clicked);
		expect(jsonOf(retry, START)).toMatchObject([{ idempotency_key: clicked.starts.keys()[1] }]);
		expectOnceWithToken(clicked);
	});

	test(`an execution of an active n8n workflow, called by webhook, ${once}`, async () => {
		const retry = await retried(called);
		expect(jsonOf(retry, START)).toMatchObject([{ idempotency_key: called.starts.keys()[1] }]);
		expectOnceWithToken(called);
	});

	test('retried once more, each still has the run that its retry got', async () => {
		for (const { starts, executionId } of [clicked, called]) {
			const runs = starts.started();
			const retry = await e2e.executions.retry(executionId);
			expect(retry.status).toBe('success');
			expect(starts.started() - runs).toBe(tokens ? 0 : 1);
		}
	});

	// The first round had ended and was saved: so every n8n still knows to whom the keys belong.
	test('a loop killed in its second round starts one run for each of its three rounds', async () => {
		const retry = await retried(loop);
		loop.starts.expectOnce(3, 4);
		const [first, second, again, third] = loop.starts.keys();
		expect(again).toBe(second);
		expect(jsonOf(retry, 'Loop').map(({ idempotency_key }) => idempotency_key)).toEqual([
			first,
			second,
			third,
		]);
	});

	test('a custom key starts one run on every n8n', async () => {
		await retried(custom);
		custom.starts.expectOnce(1, 2);
		expect(custom.starts.keys()[0]).toBe(`leads of ${custom.workflowId}`);
	});
});
