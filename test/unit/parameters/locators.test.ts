import { runLocator, workflowLocator } from '../../../nodes/Prospector/parameters/locators';
import { API, executeNode, expectError, readParameter, rowsOf } from '../helpers/support';

const locator = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });
/** Deletes, because this must not hit another resource. */
const deleteWorkflow = async (workflowId: unknown) =>
	await executeNode({ operation: 'workflow.delete', parameters: { workflowId } });

const nested = (levels: number): unknown => JSON.parse('{"id":'.repeat(levels) + '1' + '}'.repeat(levels));
const circular: Record<string, unknown> = {};
circular.id = circular;

test.each<[string, unknown, string]>([
	['an ID', locator('wf_1'), 'wf_1'],
	['a picked entry', locator('wf_1', 'list'), 'wf_1'],
	['plain text', ' wf_1\n', 'wf_1'],
	['a number', 7, '7'],
	['text that is also a number', '1e3', '1e3'],
	['the number zero', locator(0), '0'],
	['a locator without its mark', { mode: 'id', value: 'wf_1' }, 'wf_1'],
	['a locator without its mode', { __rl: true, value: 'wf_1', cachedResultName: 'A' }, 'wf_1'],
	['the value alone', { value: 'wf_1' }, 'wf_1'],
	['the ID in an object', { id: 'wf_1' }, 'wf_1'],
	['a number in an object', { id: 7 }, '7'],
	['an object in the locator', locator({ id: 'wf_1' }), 'wf_1'],
	['JSON text of a locator', '{"__rl":true,"mode":"id","value":"wf_1"}', 'wf_1'],
	['JSON text of an object', ' {"id": "wf_1"}', 'wf_1'],
	['JSON text in the locator', locator('{"value":"wf_1"}'), 'wf_1'],
	['JSON text of a text', '"wf_1"', 'wf_1'],
	['objects three levels deep', { id: { id: { id: 'wf_1' } } }, 'wf_1'],
	['text that only begins like JSON', '{wf_1', '%7Bwf_1'],
	['a way up', '../../me', '..%2F..%2Fme'],
	['an encoded way up', '%2e%2e%2fme', '%252e%252e%252fme'],
	['the host of another', '//evil.example/wf_1', '%2F%2Fevil.example%2Fwf_1'],
	['a query', 'wf_1?admin=1#x;v=1', 'wf_1%3Fadmin%3D1%23x%3Bv%3D1'],
	['a user name', 'a@evil.example', 'a%40evil.example'],
	['an emoji', '😀', '%F0%9F%98%80'],
	['a name of Object.prototype', '__proto__', '__proto__'],
	['three dots', '...', '...'],
	['a replacement pattern', "$&$'$`", "%24%26%24'%24%60"],
	['an address after text', 'x https://evil.example', 'x%20https%3A%2F%2Fevil.example'],
	['512 characters', '€'.repeat(512), '%E2%82%AC'.repeat(512)],
])('uses as an ID, in one segment of the path: %s', async (_, parameter, segment) => {
	const { message, urls } = await deleteWorkflow(parameter);
	expect({ message, urls }).toEqual({ message: undefined, urls: [`${API}/workflows/${segment}`] });
});

const USE_ID = 'Use the ID inside it, e.g. {{ $json.id }}';
type Rejected = [message: string, description: string, values: unknown[]];
const rejected: Rejected[] = [
	[
		'is empty',
		'Pick one from the list. If it is an expression, check that the item has this value',
		[
			'',
			' ',
			null,
			undefined,
			'\u00a0\u2003\ufeff\n',
			{ id: null },
			'{"id":null}',
			{ mode: 'id', value: '' },
		],
	],
	[
		'is not an ID',
		'Pick one from the list, or copy the ID again. It may have line breaks or invisible characters in it',
		[
			...['.', '..', '\t.. ', { id: '..' }, '{"id":".."}', 'wf_1\r\nX-Evil: 1', 'a\u0000', 'wf\u0085x'],
			...['\u001b[31mwf_1', 'wf_\ud83d', '\ude00wf', '\ude00\ud83d', 'wf\u202e1_', 'wf_\u200b1'],
		],
	],
	[
		'got a web address instead of an ID',
		"Enter only the ID: the part of the address that names it, without 'https://' and slashes",
		['https://evil.example/wf_1', ' HTTP://app.example.com', 'file:///etc/hosts', 'git+ssh.1-x://host'],
	],
	[
		'got an object instead of an ID',
		USE_ID,
		[
			...[{}, { name: 'A' }, { id: 'wf_1', name: 'A' }, '{"id":"wf_1","name":"A"}', '[object Object]'],
			...[{ id: 'wf_1', value: 'wf_2' }, { id: { id: { id: { id: { id: 'wf_1' } } } } }],
			...[nested(5000), circular, Object.create(null), { toString: () => 'wf_1' }],
		],
	],
	...Object.entries({
		list: [['wf_1'], []],
		// The last one has lost its last digit.
		number: [NaN, Infinity, 1.5, Number('9007199254740993')],
		boolean: [true, false],
		function: [() => 'wf_1'],
		symbol: [Symbol('wf_1')],
		bigint: [10n],
	}).map(([type, values]): Rejected => [`got a ${type} instead of an ID`, USE_ID, values]),
	['has 513 characters, which is too long for an ID', 'Enter only the ID', ['x'.repeat(513)]],
	[
		'has 1000000 characters, which is too long for an ID',
		'Enter only the ID',
		[` ${'x'.repeat(1_000_000)} `, `{"id":"${'x'.repeat(1_000_000)}"}`],
	],
];

test.each(rejected)(
	"sends nothing if the field 'Prospector Workflow' %s",
	async (message, description, values) => {
		for (const parameter of values.flatMap((value) => [value, locator(value)])) {
			expect(await deleteWorkflow(parameter)).toMatchObject({
				message: `'Prospector Workflow' ${message}`,
				description: `${description}.`,
				urls: [],
			});
		}
	},
);

test.each([
	[workflowLocator('Which'), 'Prospector Workflow', 'workflowId', 'searchWorkflows', 'e.g. wf_1a2b3c'],
	[runLocator('Which'), 'Run', 'runId', 'searchRuns', 'e.g. run_1a2b3c'],
])(
	'offers a searchable list and an ID (%#)',
	async (parameter, label, name, searchListMethod, placeholder) => {
		const [field] = parameter.fields ?? [];
		expect(parameter.fields).toHaveLength(1);
		expect(field).toMatchObject({
			displayName: label,
			name,
			type: 'resourceLocator',
			required: true,
			description: 'Which',
			default: { mode: 'list', value: '' },
			modes: [
				{ name: 'list', type: 'list', typeOptions: { searchListMethod, searchable: true } },
				{ name: 'id', type: 'string', placeholder },
			],
		});
		expect(readParameter(parameter, { [name]: locator('x_1') })).toBe('x_1');
		const { message } = await expectError(() => readParameter(parameter, {}));
		expect(message).toBe(`'${label}' is empty`);
	},
);

test.each([
	...rowsOf(['wf_1', ' wf_1 ', 'urn:wf:1', '://', '-a://', 'x https://a'], true),
	...rowsOf(
		['', '   ', 'https://app.example.com/workflows/wf_1', ' HTTPS://a.example', 'a+b.c-1://x'],
		false,
	),
])('the editor accepts %j as an ID: %j', (id, isAccepted) => {
	const [, idMode] = workflowLocator('').fields?.[0].modes ?? [];
	const { properties } = idMode?.validation?.[0] as unknown as {
		properties: { regex: string; errorMessage: string };
	};
	expect(properties.errorMessage).toBe('Enter only the ID, not a web address');
	expect(new RegExp(properties.regex).test(String(id))).toBe(isAccepted);
});
