import { RuleTester, type Rule } from 'eslint';
import { parser } from 'typescript-eslint';

const rule = jest.requireActual<Rule.RuleModule>('../../scripts/lint/noUnsafeKeys.cjs');

const tester = new RuleTester({
	languageOptions: {
		parser,
		parserOptions: {
			projectService: { allowDefaultProject: ['*.ts'], defaultProject: 'tsconfig.json' },
			tsconfigRootDir: `${__dirname}/../..`,
		},
	},
});

const DECLARED = `
	import { createDictionary, type Dictionary } from './nodes/Prospector/transport/dictionary';
	declare const key: string, union: 'a' | 'b', index: number, anything: any, prefixed: \`id_\${string}\`;
	declare const record: Record<string, number>, literal: { a: number; b: number }, list: number[];
	declare const dictionary: Dictionary<number>, maybe: { inner?: Record<string, number> }, text: string;
	declare const mixed: Dictionary<number> | undefined, either: Dictionary<number> | Record<string, number>;
`;

const after = (code: string) => ({ name: code, code: DECLARED + code, filename: 'file.ts' });

tester.run('no-unsafe-keys', rule, {
	valid: [
		...[
			'record["a"]',
			'record.a',
			'literal[union]',
			'list[index]',
			'text[index]',
			'record[prefixed]',
			'record[`${key}_1`]',
		],
		...['dictionary[key]', 'dictionary[key] = 1', 'delete dictionary[key]', 'key in dictionary'],
		...['mixed?.[key]', 'createDictionary<number>()[key]', '"a" in record', 'new Map([[key, 1]]).get(key)'],
		...[
			'Object.entries(record)',
			'Object.hasOwn(record, key)',
			'({ [key]: 1 })',
			'const { [union]: one } = literal',
		],
		...[
			'for (const name of ["a", "b"] as const) literal[name]',
			'class A { #a = 1; has(b: object) { return #a in b; } }',
		],
	].map(after),
	invalid: [
		...['record[key]', 'record[key] = 1', 'record[key]++', 'delete record[key]', 'key in record'],
		...[
			'record[anything]',
			'anything[key]',
			'maybe.inner?.[key]',
			'either[key]',
			'record[`__${key}`]',
			'record[`${key}`]',
		],
		...['const { [key]: one } = record', '(literal as Record<string, number>)[key]', 'record[union + key]'],
		...['for (const name of Object.keys(record)) record[name]', 'for (const name in record) record[name]'],
		...['function read<K extends string>(name: K) { return record[name]; }'],
		...['function read<T extends object>(value: T, name: keyof T & string) { return value[name]; }'],
	].map((code) => ({ ...after(code), errors: [{ messageId: 'unsafeKey' }] })),
});
