import { readIdempotencyKey } from '../../../nodes/Prospector/parameters/idempotencyKey';
import { HintCollector } from '../../../nodes/Prospector/actions/hintCollector';
import { sha256Hex } from '../../../nodes/Prospector/transport/digest';
import { deriveIdempotencyKey } from '../../../nodes/Prospector/transport/request/idempotencyKey';
import { endpoints } from '../../../nodes/Prospector/transport/request/endpoints';
import { fakeExecution, expectError } from '../helpers/support';

const CALL = { endpoint: endpoints.runWorkflow, ids: { workflow_id: 'a/b' } };

const keyWith = (
	options: object,
	rest: Parameters<typeof fakeExecution>[0] = {},
	itemIndex = 0,
	notes = new HintCollector(),
) =>
	readIdempotencyKey(
		fakeExecution({ parameters: { options }, ...rest }).context,
		'run',
		CALL,
		itemIndex,
		notes,
	);

describe('the idempotency key of an item', () => {
	test('is derived from everything that makes the write this one', () => {
		const resumeUrl = 'http://127.0.0.1/?signature=t';
		const memory = { prospectorFirstRunIndex: 2, prospectorRunsIn: 'execution-1' };
		expect(keyWith({}, { resumeUrl, memory, runIndex: 5 }, 3)).toBe(
			deriveIdempotencyKey({
				instanceId: 'instance-1',
				workflowId: 'workflow-1',
				execution: sha256Hex('t'),
				nodeId: 'node-1',
				operation: 'run',
				path: '/api/public/v1/prospector/workflows/a%2Fb/run',
				runIndex: 3,
				itemIndex: 3,
			}),
		);
	});

	test('is derived for a workflow that n8n has not saved yet', () => {
		expect(keyWith({}, { rest: { getWorkflow: () => ({}) } })).toMatch(/^n8n-[0-9a-f]{32}$/);
	});

	test.each([
		['automatic is chosen', { idempotencyKeyMode: 'automatic' }],
		['the options are absent', {}],
		['the mode is empty', { idempotencyKeyMode: '' }],
		['automatic is chosen over a key', { idempotencyKey: 'mine', idempotencyKeyMode: 'automatic' }],
	])('is derived where %s', (_, options) => {
		expect(keyWith(options)).toMatch(/^n8n-[0-9a-f]{32}$/);
	});

	test.each([
		['custom is chosen', { idempotencyKey: ' mine ', idempotencyKeyMode: 'custom' }],
		['the mode is left alone', { idempotencyKey: 'mine' }],
	])('is the given one where %s', (_, options) => {
		expect(keyWith(options)).toBe('mine');
	});

	test('is left out where none is chosen, whatever key is given', () => {
		expect(keyWith({ idempotencyKeyMode: 'none', idempotencyKey: 'mine' })).toBeUndefined();
	});

	test.each([
		['custom without a key', { idempotencyKeyMode: 'custom' }, "'Idempotency Key' is empty"],
		...['  ', '', null, undefined].map((idempotencyKey): [string, object, string] => [
			`a key that is ${JSON.stringify(idempotencyKey)}, with the mode left alone`,
			{ idempotencyKey },
			"'Idempotency Key' is empty",
		]),
		['an unknown mode', { idempotencyKeyMode: 'off' }, "'Idempotency Key Mode' has no choice 'off'"],
	])('is refused for %s', async (_, options, message) => {
		expect((await expectError(() => keyWith(options))).message).toBe(message);
	});

	test('is left out, and this is said once, where n8n names no execution', () => {
		const { context, log } = fakeExecution({ rest: { getExecutionId: () => undefined } });
		const notes = new HintCollector();
		for (const itemIndex of [0, 1]) {
			expect(readIdempotencyKey(context, 'run', CALL, itemIndex, notes)).toBeUndefined();
		}
		expect(notes.keysNotSent).toBe(2);
		expect(log).toEqual([expect.stringMatching(/^Prospector: No idempotency key was sent, since/)]);
	});

	test('is noted where it is given and not used, and nowhere else', () => {
		const notes = new HintCollector();
		const key = { idempotencyKey: 'mine' };
		keyWith({ ...key, idempotencyKeyMode: 'automatic' }, {}, 0, notes);
		expect(notes.keysNotUsed).toBe(1);
		for (const mode of ['custom', 'none']) keyWith({ ...key, idempotencyKeyMode: mode }, {}, 0, notes);
		keyWith({ idempotencyKey: '', idempotencyKeyMode: 'automatic' }, {}, 0, notes);
		expect(notes.keysNotUsed).toBe(1);
	});
});
