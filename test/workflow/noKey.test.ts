import { outputOf } from '../../engine';
import { START, startRunEnvironment, type RunEnvironment } from './runBench';
import { chainNodes } from './support';

let bench: RunEnvironment;

beforeAll(async () => {
	bench = await startRunEnvironment();
});
afterAll(async () => await bench.close());
beforeEach(() => bench.forget());

describe('no key goes out', () => {
	test('when a person chose None', async () => {
		const ended = await bench.run(chainNodes(bench.start({}, { idempotencyKeyMode: 'none' })));
		expect(bench.keys()).toEqual([null]);
		expect(outputOf(ended, START)[0].json.idempotency_key).toBeNull();
	});

	test('when n8n names no execution, and the execution says so', async () => {
		const state = bench.withoutToken();
		const ended = await bench.run(chainNodes(bench.start()), { state, executionId: '' });
		expect(bench.keys()).toEqual([null]);
		const hints = ended.data.resultData.runData[START][0].hints ?? [];
		expect(hints.map(({ message }) => message).join()).toMatch(/No idempotency key was sent/);
	});
});

test.each(['', '   ', 'line\nbreak', 'naïve', 'k'.repeat(256)])(
	'a custom key that cannot be sent is refused before anything is sent: %j',
	async (idempotencyKey) => {
		const options = { idempotencyKeyMode: 'custom', idempotencyKey };
		const ended = await bench.run(chainNodes(bench.start({}, options)));
		expect(ended.data.resultData.error?.message).toMatch(/'Idempotency Key'/);
		expect(bench.posts()).toHaveLength(0);
	},
);

test('a key that is given while the mode is Automatic is not used, and the execution says so', async () => {
	const options = { idempotencyKeyMode: 'automatic', idempotencyKey: 'mine' };
	const ended = await bench.run(chainNodes(bench.start({}, options)));
	expect(bench.keys()).toEqual([expect.stringMatching(/^n8n-/)]);
	const hints = ended.data.resultData.runData[START][0].hints ?? [];
	expect(hints.map(({ message }) => message).join()).toMatch(/was not used/);
});

test('an item without what a custom key is made of is refused, and does not start a run of its own', async () => {
	const options = { idempotencyKey: '={{ $json.order }}' };
	const input = [
		{ json: { order: 'o-1' } },
		{ json: {} },
		{ json: { order: '' } },
		{ json: { order: null } },
	];
	const ended = await bench.run(chainNodes(bench.start({ onError: 'continueRegularOutput' }, options)), {
		input,
	});
	expect(bench.keys()).toEqual(['o-1']);
	const said = outputOf(ended, START).map(({ json }) => String(json.error ?? ''));
	expect(said.slice(1).every((error) => error.startsWith("'Idempotency Key' is empty"))).toBe(true);
});
