import type { E2e } from '../bench';
import { jsonOf } from '../n8n/executions';
import { clicked, items } from '../n8n/workflows';
import { threeRounds } from './loop';
import { different, START, startsIn } from './starts';

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Tests of replies that get lost while an execution goes on. */
export function lostReplies(e2e: () => E2e): void {
	test('Retry On Fail after two lost replies starts one run', async () => {
		const one = await startsIn(e2e());
		one.loseReplies({ times: 2 });
		const ended = await e2e().workflows.execute(clicked(one.node({}, RETRY_ON_FAIL)));
		expect(ended.status).toBe('success');
		one.expectOnce(1, 3);
		expect(jsonOf(ended, START)).toMatchObject([{ idempotency_key: one.keys()[0] }]);
	});

	test('the node’s own retries after two lost replies start one run', async () => {
		const one = await startsIn(e2e());
		one.loseReplies({ times: 2 });
		const ended = await e2e().workflows.execute(clicked(one.node({ maxWait: 60 })));
		expect(ended.status).toBe('success');
		one.expectOnce(1, 3);
		expect(jsonOf(ended, START)).toMatchObject([{ idempotency_key: one.keys()[0] }]);
	});

	test('five items, of which two have lost their reply, start five runs', async () => {
		const five = await startsIn(e2e());
		// Of the second item, and after Retry On Fail of the first one.
		five.loseReplies({ skip: 1, times: 2 });
		const list = [1, 2, 3, 4, 5].map((n) => ({ n }));
		const ended = await e2e().workflows.execute(clicked(items('Items', list), five.node({}, RETRY_ON_FAIL)));
		expect(ended.status).toBe('success');
		five.expectOnce(5, 2 + 1 + 5);
		const out = jsonOf(ended, START);
		expect(out.map(({ idempotency_key }) => idempotency_key)).toEqual(five.keys().slice(3));
		expect(different(out.map(({ id }) => id))).toBe(5);
	});

	test('three rounds of a loop, of which one has lost its reply, start three runs', async () => {
		const three = await startsIn(e2e());
		three.loseReplies({ skip: 1 });
		const ended = await e2e().workflows.execute(threeRounds(three.node({}, RETRY_ON_FAIL)));
		expect(ended.status).toBe('success');
		three.expectOnce(3, 4);
		const [first, second, , third] = three.keys();
		expect(jsonOf(ended, 'Loop').map(({ idempotency_key }) => idempotency_key)).toEqual([
			first,
			second,
			third,
		]);
	});

	test('two executions start two runs with a key each', async () => {
		const two = await startsIn(e2e());
		const workflow = await e2e().workflows.create(clicked(two.node()));
		for (let round = 0; round < 2; round++) {
			const ended = await e2e().executions.ended(await e2e().workflows.start(workflow));
			expect(ended.status).toBe('success');
		}
		two.expectOnce(2, 2);
	});
}
