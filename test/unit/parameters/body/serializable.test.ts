import { NodeOperationError } from 'n8n-workflow';
import { additionalValues } from '../../../../nodes/Prospector/parameters/body/additionalFields';
import { readBody } from '../../../../nodes/Prospector/parameters/body/bodyFields';
import { parseBoolean } from '../../../../nodes/Prospector/actions/fields/boolean';
import { readIdempotencyKey } from '../../../../nodes/Prospector/parameters/idempotencyKey';
import { readRunId, readWorkflowId } from '../../../../nodes/Prospector/parameters/locators';
import { mappedBody } from '../../../../nodes/Prospector/parameters/body/mappedBody';
import { HintCollector } from '../../../../nodes/Prospector/actions/hintCollector';
import { parseConnection } from '../../../../nodes/Prospector/parameters/credential/connection';
import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import { pageUrlProblem } from '../../../../nodes/Prospector/parameters/credential/pageUrls';
import { CREDENTIAL_DATA, fakeExecution, expectInvalid, expectError } from '../../helpers/support';

function nested(levels: number, innermost: unknown = 'wf_1'): object {
	let value = innermost;
	for (let level = 0; level < levels; level++) value = { id: value };
	return value as object;
}
const nestedText = (levels: number) => '{"id":'.repeat(levels) + '1' + '}'.repeat(levels);

function nestedList(levels: number): unknown[] {
	let value: unknown[] = [];
	for (let level = 0; level < levels; level++) value = [value];
	return value;
}

const circular: Record<string, unknown> = { name: 'a' };
circular.self = circular;
const hostileObject = Object.create(null) as object;

const LEVELS = 100_000;

const TOO_DEEP = 'is nested too deeply';
const CIRCULAR = "can't be sent as JSON, because it contains itself";
const OTHER = "can't be sent as JSON";
const throwing = {
	when: {
		toJSON() {
			throw new TypeError('no');
		},
	},
};

const bodyOf = (parameters: object, input = {}) =>
	readBody(fakeExecution({ parameters: { ...parameters }, input: [input] }).context, 0);

describe('a body that is not JSON', () => {
	const VALUES: Array<[string, object, string]> = [
		['is nested 100,000 levels deep', nested(LEVELS), TOO_DEEP],
		['holds a list nested 100,000 levels deep', { list: nestedList(LEVELS) }, TOO_DEEP],
		['contains itself', circular, CIRCULAR],
		['holds something that throws', throwing, OTHER],
	];

	test.each(VALUES)("is refused when 'JSON' %s", async (_, jsonBody, words) => {
		const thrown = await expectError(() => bodyOf({ specifyBody: 'json', jsonBody }));
		expect(thrown).toBeInstanceOf(NodeOperationError);
		expect(thrown.message).toBe(`'JSON' ${words}`);
		expect(thrown.description).toMatch(/^[A-Z]/);
	});

	test.each(VALUES)("is refused when 'Fields' %s", async (_, value, words) => {
		const set = await expectError(() => bodyOf({ fields: { mappingMode: 'defineBelow', value } }));
		const item = await expectError(() => bodyOf({ fields: { mappingMode: 'autoMapInputData' } }, { value }));
		expect(set).toBeInstanceOf(NodeOperationError);
		expect([set.message, item.message]).toEqual([`'Fields' ${words}`, `'Fields' ${words}`]);
	});

	test.each(VALUES)("is refused when a value of 'Additional Fields' %s", async (_, value, words) => {
		const additionalFields = { field: [{ name: 'filter', value }] };
		const thrown = await expectError(() => bodyOf({ additionalFields }));
		expect(thrown).toBeInstanceOf(NodeOperationError);
		expect(thrown.message).toBe(`'Additional Fields' ${words}`);
	});

	test('is refused when its text is nested 100,000 levels deep', async () => {
		const text = nestedText(LEVELS);
		const list = JSON.stringify([{ name: 'filter', type: 'object', value: text }]);
		const messages = [
			await expectError(() => bodyOf({ specifyBody: 'json', jsonBody: text })),
			await expectError(() => bodyOf({ fields: text })),
			await expectError(() => bodyOf({ additionalFields: list })),
		].map(({ message }) => message);
		expect(messages).toEqual([
			`'JSON' ${TOO_DEEP}`,
			`'Fields' ${TOO_DEEP}`,
			`'Additional Fields' ${TOO_DEEP}`,
		]);
	});

	test('is sent when it holds a BigInt, which n8n makes text', () => {
		expect(JSON.stringify(bodyOf({ specifyBody: 'json', jsonBody: { size: 10n } }))).toBe('{"size":"10"}');
	});

	test('is sent as it is when it can be', () => {
		const body = nested(1000);
		expect(bodyOf({ specifyBody: 'json', jsonBody: body })).toBe(body);
	});

	test.each([[[null]], [[5, 'a', undefined]], [{}]])('takes no types from the schema %j', (schema) => {
		const mapper = { mappingMode: 'defineBelow', value: { size: '1' }, schema };
		expect(mappedBody(mapper, {})).toEqual({ value: { size: '1' } });
	});

	test.each([
		['a function', () => 1],
		['a symbol', Symbol('a')],
	])('is refused when a value of the type String is %s', (kind, value) => {
		const { message } = expectInvalid(additionalValues({ field: [{ name: 'a', type: 'string', value }] }));
		expect(message).toBe(`'a' in 'Additional Fields' holds ${kind} where text is expected`);
	});
});

describe('an ID', () => {
	const OBJECT = 'got an object instead of an ID';
	const VALUES: Array<[string, unknown, string]> = [
		['an ID nested 10,000 levels deep', nested(10_000), OBJECT],
		['JSON text nested 10,000 levels deep', nestedText(10_000), OBJECT],
		['an object that contains itself', circular, OBJECT],
		['an object without a prototype', hostileObject, OBJECT],
		['a function', () => 'wf_1', 'got a function instead of an ID'],
		['a symbol', Symbol('wf_1'), 'got a symbol instead of an ID'],
		['a BigInt', 10n, 'got a bigint instead of an ID'],
		['a list', ['wf_1'], 'got a list instead of an ID'],
		['a number that is not one', NaN, 'got a number instead of an ID'],
		['a number without end', Infinity, 'got a number instead of an ID'],
		['a text of 1 MB', 'x'.repeat(1_000_000), 'has 1000000 characters, which is too long for an ID'],
		[
			'JSON text of 1 MB',
			`{"id":"${'x'.repeat(1_000_000)}"}`,
			'has 1000000 characters, which is too long for an ID',
		],
	];

	test.each(VALUES)('is refused when it is %s', async (_, value, words) => {
		for (const parameter of [value, { __rl: true, mode: 'id', value }]) {
			const parameters = { workflowId: parameter, runId: parameter } as never;
			const { context } = fakeExecution({ parameters });
			const workflow = await expectError(() => readWorkflowId(context, 0));
			const run = await expectError(() => readRunId(context, 0));
			expect(workflow).toBeInstanceOf(NodeOperationError);
			expect([workflow.message, run.message]).toEqual([`'Workflow' ${words}`, `'Run' ${words}`]);
		}
	});
});

/** Values that String() can't convert. */
const NOT_TEXT: Array<[string, unknown]> = [
	['an object without a prototype', hostileObject],
	['a list with a symbol', [Symbol('a')]],
	['a list nested 100,000 levels deep', nestedList(LEVELS)],
	['an object whose toString throws', { toString: () => JSON.parse('') as string }],
];

describe.each(NOT_TEXT)('%s', (_, value) => {
	test('is refused when a switch is expected', () => {
		expect(expectInvalid(parseBoolean(value, 'Simplify')).message).toBe(
			"'Simplify' is neither true nor false",
		);
	});

	test('is refused when the mode of the idempotency key is expected', async () => {
		const { context } = fakeExecution({ parameters: { options: { idempotencyKeyMode: value } } as never });
		const call = { endpoint: endpoints.createWorkflow };
		const { message } = await expectError(() =>
			readIdempotencyKey(context, 'create', call, 0, new HintCollector()),
		);
		expect(message).toMatch(
			/^'Idempotency Key Mode' holds (an object|a list), which is none of its choices$/,
		);
	});

	test('counts as not set when it is an advanced setting of the credential', () => {
		const credential = { ...CREDENTIAL_DATA, showAdvanced: true, cursorParameter: value, runPageUrl: value };
		expect(parseConnection(credential as never)).toMatchObject({
			value: { cursorParameter: 'cursor', pageUrls: {} },
		});
		expect(pageUrlProblem(credential as never)).toBeUndefined();
	});
});
