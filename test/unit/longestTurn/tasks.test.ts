import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import type { Dependencies } from '../../../nodes/Prospector/transport/dependencies';
import { fakeExecution } from '../helpers/support';
import { answerWith, EDITOR_LEADS, LEADS, longestOf, RESOURCE, streamResponse, TASKS } from './support';

// Up to ten measurements.
jest.setTimeout(180_000);

/** What each task reads at most. */
const LARGEST = new Map([
	...['Get', 'Update', 'the credential test'].map((task): [string, string] => [task, RESOURCE]),
	...Object.keys(TASKS)
		.filter((task) => /search|mapper/.test(task))
		.map((task): [string, string] => [task, EDITOR_LEADS]),
]);

test.each(Object.keys(TASKS).map((task) => [task, LARGEST.get(task) ?? LEADS]))(
	'%s never blocks n8n for more than 50 ms when it receives %s',
	async (task, content) => {
		const answer = answerWith(content);
		const limitMs = content === LEADS ? 30 : 50;
		let result: unknown;
		const execution = async (dependencies: Dependencies) =>
			(result = await TASKS[task](answer, dependencies).catch(({ message }: Error) => message));
		expect(await longestOf(limitMs, execution)).toBeLessThan(limitMs);
		// Otherwise, it has not worked at all.
		expect(result).not.toEqual(expect.any(String));
	},
);

test('five items that are read at the same time never block n8n for more than 50 ms', async () => {
	const answer = answerWith(LEADS);
	const { context } = fakeExecution({
		parameters: { resource: 'result', operation: 'getAll', runId: 'run_1', returnAll: true },
		input: Array(5).fill({}),
		answers: [answer],
	});
	const execution = async (dependencies: Dependencies) =>
		await new Prospector(dependencies).execute.call(context);
	expect(await longestOf(50, execution)).toBeLessThan(50);
});

test('an execution with 4,000 items never blocks n8n for more than 50 ms', async () => {
	const execution = async (dependencies: Dependencies) => {
		const { context } = fakeExecution({
			parameters: { resource: 'workflow', operation: 'get', workflowId: 'wf_1', options: {} },
			input: Array(4000).fill({}),
			answers: [() => streamResponse('{"data":{"id":"wf_1"},"request_id":"req_1"}')],
		});
		return await new Prospector(dependencies).execute.call(context);
	};
	expect(await longestOf(50, execution)).toBeLessThan(50);
});
