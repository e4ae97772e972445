import * as fc from 'fast-check';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { outputOf } from '../../scripts/engine';
import { hintsOf, startFastEnvironment, useEnvironment } from './environment';

const env = useEnvironment(async () => await startFastEnvironment({}, 10));

const RUNS = { numRuns: 60, seed: 1 };

/** A JSON value as text, with numbers that JavaScript can't represent. */
const number = fc.oneof(
	fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
	fc.integer().map(String),
	fc.constantFrom('0.5', '-1.25e3', '1e400', '0.10000000000000000000001', '9007199254740993', '1E5'),
);
const { jsonText } = fc.letrec<{ jsonText: string }>((tie) => ({
	jsonText: fc.oneof(
		{ maxDepth: 3 },
		number,
		fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
		fc.constantFrom('true', 'null', '""', '" "', '"=1+1"', '"İstanbul"', '"0070"'),
		fc.array(tie('jsonText'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
		fc
			.array(fc.tuple(fc.constantFrom('a', 'b', '1', 'x y'), tie('jsonText')), { maxLength: 3 })
			.map((fields) => `{ ${fields.map(([name, value]) => `"${name}":${value}`).join()} }`),
	),
}));
const fieldName = fc.constantFrom('industry', 'list_id', 'Größe', 'filter', '__proto__', 'constructor');
const anyFields = fc.uniqueArray(fc.tuple(fieldName, jsonText), { selector: ([name]) => name, maxLength: 4 });

/** The value that is expected for a JSON text: whole numbers that JavaScript can't represent are texts. */
function expectedValue(json: string): unknown {
	const exact = json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
		if (token.startsWith('"')) return token;
		const isWhole = /^-?\d+$/.test(token);
		const isKept = isWhole
			? String(BigInt(Number(token))) === String(BigInt(token)) && Number.isSafeInteger(Number(token))
			: Number.isFinite(Number(token));
		return isKept || String(Number(token)) === token ? token : `"${token}"`;
	});
	return JSON.parse(exact);
}

/** Executes Create, and returns what was sent, the created item, the error and the hints. */
async function create(parameters: IDataObject, input?: IDataObject) {
	env.resetService();
	const ended = await env.runNode(
		{ resource: 'workflow', operation: 'create', ...parameters },
		input && [input],
	);
	const error = ended.data.resultData.error as NodeApiError | undefined;
	const sent = env.journal().map(({ bodyText }) => bodyText);
	const [item] = error ? [] : outputOf(ended, 'Prospector').map(({ json }) => json);
	return { sent, item, message: error?.message, hints: hintsOf(ended) };
}

test('JSON text is sent byte for byte, with all digits of its numbers, and comes back with the same values, except that a number that JavaScript cannot represent is text, with a hint', async () => {
	const property = fc.asyncProperty(anyFields, async (fields) => {
		const json = `{ ${['"name": "A"', ...fields.map(([name, value]) => `"${name}" : ${value}`)].join(',\n')} }`;
		const { sent, item, hints } = await create({ enterValues: 'json', jsonBody: json });
		expect(sent).toEqual([json]);
		const received = new Map(Object.entries(item));
		const expected = fields.map(([name, value]) => [name, expectedValue(value)]);
		expect(fields.map(([name]) => [name, received.get(name)])).toEqual(expected);
		const hasText = fields.some(
			([, value]) => JSON.stringify(expectedValue(value)) !== JSON.stringify(JSON.parse(value)),
		);
		const numberHints = hints.filter((hint) => hint.startsWith('Numbers that JavaScript'));
		expect(numberHints).toHaveLength(hasText ? 1 : 0);
	});
	await fc.assert(property, RUNS);
});

/** Returns the digits and the exponent of a decimal number, so that 1.50 and 15e-1 are equal. */
function canonical(text: string): string {
	const [, sign, whole, fraction = '', exponent = '0'] =
		/^\s*([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?\s*$/i.exec(text) ?? [];
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significant = digits.replace(/0+$/, '');
	if (significant === '') return '0';
	return `${sign === '-' ? '-' : ''}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

const CANNOT_SEND =
	/^'[xab]' (has a number that n8n can't send without changing it|is not a number that can be sent)/;

interface Entry {
	type: string;
	/** As a cell, an expression or a person enters it. */
	value: unknown;
	/** Whether what was sent for it, or undefined if the field was left out, is right. */
	isRight(sent: string | undefined): boolean;
	/** Whether it may, or must, be refused instead. */
	refusal?: 'may' | 'must';
}

const text = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.constantFrom('=1+1', '+43 1', '-1', '@x', '0070', 'İ', '{"a":1}', '2026-01-01', '7615917337495251231'),
);
const decimal = fc.oneof(number, fc.constantFrom(' 12 ', '007', '+5', '3.141592653589793238', '0.1', '1e3'));

const { nested } = fc.letrec<{ nested: unknown }>((tie) => ({
	nested: fc.oneof(
		{ maxDepth: 4 },
		fc.constantFrom<unknown>(0, -1, 0.5, 2 ** 53 - 1, 'x', true, null),
		fc.constantFrom(2 ** 53, 1e300, NaN, Infinity),
		fc.array(tie('nested'), { maxLength: 3 }),
		fc.dictionary(fc.constantFrom('a', 'b'), tie('nested'), { noNullPrototype: true }),
	),
}));

/** Whether JSON has exactly the numbers in a value. */
function isExact(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).every(isExact);
	if (typeof value !== 'number' || Number.isSafeInteger(value)) return true;
	return Number.isFinite(value) && !Number.isInteger(value);
}

/** Returns the entry of a value with numbers that may have lost digits. */
const exactOrRefused =
	(type: string) =>
	(value: unknown): Entry => ({
		...{ type, value, refusal: isExact(value) ? undefined : 'must' },
		isRight: (sent) => sent === JSON.stringify(value),
	});

const entry: fc.Arbitrary<Entry> = fc.oneof(
	fc.constantFrom('', ' ', '\u00a0\n', null, undefined).chain((value) =>
		fc.constantFrom('string', 'number', 'boolean', 'array', 'object').map((type): Entry => ({
			...{ type, value },
			isRight: (sent) => sent === undefined,
		})),
	),
	text.map((value): Entry => ({
		...{ type: 'string', value },
		isRight: (sent) => sent === (value.trim() === '' ? undefined : JSON.stringify(value)),
	})),
	decimal.map((value): Entry => ({
		...{ type: 'number', value, refusal: 'may' },
		isRight: (sent) => sent !== undefined && canonical(sent) === canonical(value),
	})),
	fc.double().map(exactOrRefused('number')),
	fc.array(nested, { maxLength: 4 }).map(exactOrRefused('array')),
	fc.array(jsonText, { maxLength: 3 }).map((items): Entry => {
		const value = `[ ${items.join(', ')} ]`;
		return { type: 'array', value, isRight: (sent) => sent === value };
	}),
);

test.each<[string, (name: string, value: unknown, type: string) => IDataObject]>([
	[
		'Fields',
		(name, value, type) => ({
			fields: {
				mappingMode: 'defineBelow',
				value: { [name]: value },
				schema: [{ id: name, type }],
			} as IDataObject,
		}),
	],
	[
		'Other Fields',
		(name, value, type) => ({ otherFields: { field: [{ name, value, type }] } as IDataObject }),
	],
])('the node sends a value in %s as it is, omits a blank one or refuses it', async (_, parametersFor) => {
	const property = fc.asyncProperty(entry, async ({ type, value, isRight, refusal }) => {
		const parameters = { enterValues: 'fields', ...parametersFor('x', '={{ $json.cell }}', type) };
		const { sent, message } = await create(parameters, { cell: value } as IDataObject);
		if (refusal !== undefined && message !== undefined) return expect(message).toMatch(CANNOT_SEND);
		expect([message, refusal]).not.toEqual([undefined, 'must']);
		const [, fieldJson] = /^\{(?:"x":(.*))?\}$/s.exec(sent[0]) ?? [];
		expect({ fieldJson, isRight: isRight(fieldJson) }).toEqual({ fieldJson, isRight: true });
	});
	await fc.assert(property, { ...RUNS, numRuns: 2 * RUNS.numRuns });
});
