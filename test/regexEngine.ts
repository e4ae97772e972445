// n8n ends a regular expression after 250 ms, which a busy machine can take for any of them. Tests have no such limit.
import { setSafeRegexEngine } from 'n8n-workflow';

setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) => input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, `${flags.replace('g', '')}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});
