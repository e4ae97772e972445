// Both rule sets that n8n judges a community package by, with warnings counted as refusals (`npm run lint`).
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

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
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		extends: [community],
		rules: { 'no-console': 'error' },
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
