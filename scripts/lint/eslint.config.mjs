// n8n's rules, which `n8n-node lint` runs too, and the project's own. Warnings fail (`npm run lint`).
import { config as n8n } from '@n8n/node-cli/eslint';
import { defineConfig, globalIgnores } from 'eslint/config';
import * as regexp from 'eslint-plugin-regexp';
import { parser } from 'typescript-eslint';
import citedBehaviour from './citedBehaviour.cjs';
import noUnsafeKeys from './noUnsafeKeys.cjs';

const LIMITS = [
	{
		selector: 'CallExpression[callee.property.name=/^(push|unshift|splice|min|max)$/] > SpreadElement',
		message: 'A list of the service may be longer than the arguments that a call takes. Use a loop.',
	},
	{
		selector: ":matches(NewExpression, CallExpression)[callee.name='RegExp']",
		message:
			'An expression that is built at run time may take exponential time. Use a literal, or no expression.',
	},
];

const NO_NORMALIZATION = {
	selector:
		'MemberExpression[property.name=/^(normalize|localeCompare|toLocaleLowerCase|toLocaleUpperCase|Collator)$/]',
	message: 'Unicode normalization takes quadratic time. Use `foldCase`, which bounds the text.',
};

export default defineConfig(
	globalIgnores(['coverage/', '.stryker-tmp/']),
	n8n,
	{
		files: ['{nodes,credentials,sandbox}/**/*.ts'],
		extends: [regexp.configs['flat/recommended']],
		plugins: { prospector: { rules: { 'cited-behaviour': citedBehaviour, 'no-unsafe-keys': noUnsafeKeys } } },
		// One rule needs types.
		languageOptions: {
			parser,
			parserOptions: { project: 'test/tsconfig.json', tsconfigRootDir: process.cwd() },
		},
		rules: {
			// Text of the service, a model or a person must not block n8n: matching takes linear time.
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: false }],
			'prospector/no-unsafe-keys': 'error',
		},
	},
	{
		files: ['{nodes,credentials}/**/*.ts'],
		rules: { complexity: ['error', 15], 'no-restricted-syntax': ['error', ...LIMITS, NO_NORMALIZATION] },
	},
	{
		// Contains `foldCase`.
		files: ['nodes/Prospector/utils.ts'],
		rules: { 'no-restricted-syntax': ['error', ...LIMITS] },
	},
);
