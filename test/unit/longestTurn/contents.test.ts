import type { Dependencies } from '../../../nodes/Prospector/transport/dependencies';
import {
	type Answer,
	answerWith,
	CONTENTS,
	execute,
	longestOf,
	MB,
	repeat,
	streamResponse,
	TASKS,
} from './support';

// Up to ten measurements.
jest.setTimeout(180_000);

test.each([
	...Object.keys(CONTENTS).map((content) => ['Get Many', content]),
	...['texts of 1 MB', 'names that are slow to normalize'].map((content) => ['a tool', content]),
])('%s never blocks n8n for more than 50 ms when it receives %s', async (task, content) => {
	const answer = answerWith(content);
	const execution = async (dependencies: Dependencies) =>
		await TASKS[task](answer, dependencies).catch(() => {});
	expect(await longestOf(50, execution)).toBeLessThan(50);
});

test.each([
	['200 KB of letters that are slow to normalize', JSON.stringify({ name: '\u0301\u0316'.repeat(50_000) })],
	[
		'1 MB of objects with different fields',
		`{"a":[${repeat(80_000, (i) => `{"k${i}":0}`).slice(0, MB - 100)}]}`,
	],
	['1 MB of nested lists', `{"a":[${repeat(500, () => '['.repeat(900) + ']'.repeat(900))}]}`],
])(
	'Create never blocks n8n for more than 50 ms when JSON has %s, and the service returns it, with a shorter name',
	async (_, jsonBody) => {
		const answer: Answer = ({ body }) => {
			const data = String(body).slice(1).replace('\u0316"', '"');
			return streamResponse(`{"data":{"id":"wf_1",${data},"request_id":"req_1"}`);
		};
		const task = execute('workflow.create', { enterValues: 'json', jsonBody });
		const execution = async (dependencies: Dependencies) => await task(answer, dependencies).catch(() => {});
		expect(await longestOf(50, execution)).toBeLessThan(50);
	},
);
