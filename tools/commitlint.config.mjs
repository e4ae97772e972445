/** @type {import('@commitlint/types').UserConfig} */
export default {
	extends: ['@commitlint/config-conventional'],
	// Subjects may start with a name, such as "README" or "Node.js", and be as long as git shows them.
	rules: { 'subject-case': [0], 'header-max-length': [2, 'always', 120], 'body-max-line-length': [0] },
};
