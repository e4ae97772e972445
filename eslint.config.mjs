// Both rule sets that n8n judges a community package by, with warnings counted as refusals (`npm run lint`).
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import * as regexp from 'eslint-plugin-regexp';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';
import noUnsafeKeys from './scripts/lint/noUnsafeKeys.cjs';

const community = n8nCommunityNodesPlugin.configs.recommended;
const off = (...rules) => Object.fromEntries(rules.map((rule) => [rule, 'off']));

export default defineConfig(
	globalIgnores(['**/node_modules/', '**/dist/', 'coverage/', '.pack/']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
	},
	{ plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{
		files: ['{nodes,credentials,sandbox}/**/*.ts'],
		extends: [regexp.configs['flat/recommended']],
		plugins: { prospector: { rules: { 'no-unsafe-keys': noUnsafeKeys } } },
		// One rule needs types.
		languageOptions: {
			parserOptions: { project: 'test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			// Text of the service, a model or a person must not block n8n: matching takes linear time.
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: false }],
			'prospector/no-unsafe-keys': 'error',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		extends: [community],
		rules: {
			'no-console': 'error',
			'no-restricted-syntax': [
				'error',
				{
					selector: 'CallExpression[callee.property.name=/^(push|unshift|splice|min|max)$/] > SpreadElement',
					message: 'A list of the service may be longer than the arguments that a call takes. Use a loop.',
				},
				{
					selector: ":matches(NewExpression, CallExpression)[callee.name='RegExp']",
					message:
						'An expression that is built at run time may take exponential time. Use a literal, or no expression.',
				},
			],
		},
	},
	{
		files: ['package.json'],
		extends: [community],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// Made for n8n's own documentation slugs; a community package links a web page, and the rule would "fix" it.
			...off('n8n-nodes-base/cred-class-field-documentation-url-miscased'),
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// Both know only the string 'main', which n8n has since replaced by the enum that the community rules demand.
			...off(
				'n8n-nodes-base/node-class-description-inputs-wrong-regular-node',
				'n8n-nodes-base/node-class-description-outputs-wrong',
			),
		},
	},
);
