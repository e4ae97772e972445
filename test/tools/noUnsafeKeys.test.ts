/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { resolve } from 'node:path';
import { Linter, type Rule } from 'eslint';
import { parser } from 'typescript-eslint';

const rule = jest.requireActual<Rule.RuleModule>('../../scripts/lint/noUnsafeKeys.cjs');
const ROOT = resolve(__dirname, '../..');

const DECLARATIONS = [
	"declare const key: string, union: 'a' | 'b', index: number, anything: any, prefixed: `id_${string}`;",
	'declare const record: Record<string, number>, literal: { a: number; b: number }, list: number[];',
	'declare const maybe: { inner?: Record<string, number> }, text: string, tuple: [number];',
	'declare const mixed: number[] | undefined, either: number[] | Record<string, number>;',
];

const VALID = [
	...['record["a"]', 'record.a', 'literal[union]', 'list[index]', 'text[index]', 'record[prefixed]'],
	...['record[`${key}_1`]', 'list[anything]', 'tuple[anything]', 'mixed?.[anything]', 'text[anything]'],
	...['"a" in record', '({ [key]: 1 })', 'new Map([[key, 1]]).get(key)', 'Object.entries(record)'],
	...['Object.hasOwn(record, key)', 'const { [union]: one } = literal'],
	'for (const name of ["a", "b"] as const) literal[name]',
	'class A { #a = 1; has(b: object) { return #a in b; } }',
];

const INVALID = [
	...['record[key]', 'record[key] = 1', 'record[key]++', 'delete record[key]', 'key in record'],
	...['record[anything]', 'anything[key]', 'maybe.inner?.[key]', 'either[anything]', 'record[`__${key}`]'],
	...['record[`${key}`]', 'record[`${key}__`]', 'const { [key]: one } = record', 'record[union + key]'],
	...['(literal as Record<string, number>)[key]', 'for (const name in record) record[name]'],
	'for (const name of Object.keys(record)) record[name]',
	'function read<K extends string>(name: K) { return record[name]; }',
	'function read<T extends object>(value: T, name: keyof T & string) { return value[name]; }',
];

test('the lint rule no-unsafe-keys reports a property name only if the property name can be any string', () => {
	const statements = [...VALID, ...INVALID];
	const code = [...DECLARATIONS, ...statements.map((statement) => `{ ${statement} }`)].join('\n');
	const projectService = { allowDefaultProject: ['*.ts'], defaultProject: 'tsconfig.json' };
	const messages = new Linter({ cwd: ROOT }).verify(
		code,
		{
			files: ['*.ts'],
			languageOptions: { parser, parserOptions: { projectService, tsconfigRootDir: ROOT } },
			plugins: { prospector: { rules: { 'no-unsafe-keys': rule } } },
			rules: { 'prospector/no-unsafe-keys': 'error' },
		},
		resolve(ROOT, 'file.ts'),
	);
	const reported = messages.map(({ line }) => statements[line - 1 - DECLARATIONS.length]);
	expect(reported).toEqual(INVALID);
	expect(new Set(messages.map(({ messageId }) => messageId))).toEqual(new Set(['unsafeKey']));
});
