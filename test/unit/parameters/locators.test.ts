import { API, AS_TOOL, executeNode, rowsOf } from '../helpers/support';

const locator = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });
/** Deletes, because a request to another resource would be worst here. */
const deleteWorkflow = async (workflowId: unknown) =>
	await executeNode({ operation: 'workflow.delete', parameters: { workflowId } });

const nested = (levels: number): unknown => JSON.parse('{"id":'.repeat(levels) + '1' + '}'.repeat(levels));
const circular: Record<string, unknown> = {};
circular.id = circular;

test.each<[unknown, string]>([
	...rowsOf([locator('wf_1'), locator('wf_1', 'list'), ' wf_1\n', { mode: 'id', value: 'wf_1' }], 'wf_1'),
	...rowsOf([{ __rl: true, value: 'wf_1', cachedResultName: 'A' }, { value: 'wf_1' }], 'wf_1'),
	...rowsOf([{ id: 'wf_1' }, locator({ id: 'wf_1' })], 'wf_1'),
	...rowsOf([7, { id: 7 }], '7'),
	[locator(0), '0'],
	['../../me', '..%2F..%2Fme'],
	['wf_1?admin=1#x;v=1', 'wf_1%3Fadmin%3D1%23x%3Bv%3D1'],
	['😀', '%F0%9F%98%80'],
	['...', '...'],
	["$&$'$`", "%24%26%24'%24%60"],
	['x https://evil.example', 'x%20https%3A%2F%2Fevil.example'],
	['€'.repeat(512), '%E2%82%AC'.repeat(512)],
])('the node puts the ID %j into the URL as the single path segment %s', async (value, segment) => {
	const { message, urls } = await deleteWorkflow(value);
	expect({ message, urls }).toEqual({ message: undefined, urls: [`${API}/workflows/${segment}`] });
});

const USE_ID = 'Use the ID inside it, e.g. {{ $json.id }}';
test.each<[event: string, advice: string, values: unknown[]]>([
	[
		'is empty',
		'Pick one from the list. If it is an expression, check that the item has this value',
		['', '\u00a0\u2003\ufeff\n', null, undefined, { id: null }],
	],
	[
		'is not an ID',
		'Pick one from the list, or copy the ID again. It may be too long, or have line breaks or invisible characters in it',
		[
			...['.', '\t.. ', 'wf_1\r\nX-Evil: 1', 'a\u0000', 'wf\u0085x'],
			...['wf_\ud83d', '\ude00wf', '\ude00\ud83d', 'wf\u202e1_', 'wf_\u200b1', 'x'.repeat(513)],
		],
	],
	[
		'got a web address instead of an ID',
		'Enter only the ID, which is a part of the address',
		['https://evil.example/wf_1', ' HTTP://app.example.com', 'git+ssh.1-x://host'],
	],
	[
		'has an expression that n8n does not evaluate',
		'Switch the field from Fixed to Expression. In JSON, begin it with =, e.g. ={{ $json.id }}',
		['{{ $json.id }}', ' {{\n$json.id }} '],
	],
	[
		'got an object instead of an ID',
		USE_ID,
		[
			...[{}, { id: 'wf_1', name: 'A' }, { value: { value: 'wf_1' } }, '[object Object]'],
			...[nested(5000), circular, Object.create(null)],
		],
	],
	['got a list instead of an ID', USE_ID, [['wf_1'], []]],
	// The last one has lost its last digit.
	['got a number instead of an ID', USE_ID, [NaN, Infinity, 1.5, Number('9007199254740993')]],
	['got a boolean instead of an ID', USE_ID, [true, false]],
	['got a symbol instead of an ID', USE_ID, [Symbol('wf_1')]],
])("the node sends no request if 'Prospector Workflow' %s", async (event, advice, values) => {
	for (const parameter of values.flatMap((value) => [value, locator(value)])) {
		expect(await deleteWorkflow(parameter)).toMatchObject({
			message: `'Prospector Workflow' ${event}`,
			description: `${advice}.`,
			urls: [],
		});
	}
});

test("the message of a tool names the field 'Run' and says how to list runs if the run ID is empty", async () => {
	const { message } = await executeNode({
		operation: 'run.get',
		parameters: { runId: locator('') },
		rest: AS_TOOL,
	});
	expect(message).toContain("'Run' is empty. Call a tool that gets many runs to list the IDs");
});
