import { Linter, type Rule } from 'eslint';
import { parser } from 'typescript-eslint';

const rule = jest.requireActual<Rule.RuleModule>('../../scripts/lint/citedBehaviour.cjs');

/** Returns what the rule reports for a comment: `n8n`, `service`, or nothing. */
function reportsFor(comment: string): Array<string | undefined> {
	const messages = new Linter().verify(`${comment}\nfoo();`, {
		languageOptions: { parser },
		plugins: { prospector: { rules: { 'cited-behaviour': rule } } },
		rules: { 'prospector/cited-behaviour': 'error' },
	});
	return messages.map(({ messageId }) => messageId);
}

const ABOUT_N8N = [
	'// n8n keeps only the message.',
	'// n8n itself says so.',
	'// n8n 1 has the code.',
	'// n8n then executes no further node.',
	'// A list that n8n may repeat.',
	'/** Values by name, which n8n keeps in a list. */',
	"// n8n's MCP client gives up.",
	'// AI Agent before version 3 calls a tool.',
	'// The editor stores null.',
	'// In an execution, the helper ignores a signal.',
	'// Older versions offer only the history.',
	'// It was discarded by n8n.',
	'/**\n * n8n\n * shows an entry.\n */',
	'// n8n\n// shows an entry.',
	'// n8n shows an entry (n8n-behaviour.md).',
	'// n8n shows an entry (contract, section 5).',
];
const ABOUT_SERVICE = [
	'// The service ignores it.',
	'// A service may show results late.',
	'// Some services may tie a key to a payload.',
	'// The API has a limit.',
	'// The service ignores it (n8n-behaviour.md#editor).',
];
const NO_STATEMENTS = [
	'// Whether n8n shows it.',
	'// If n8n names no execution, no key is sent.',
	'// Returns them as n8n returns them.',
	'// @throws what n8n throws',
	"// Times are on n8n's clock.",
	'// A run with its outcome, for n8n workflows that decide by it.',
	"// Returns a text for n8n's log: one line.",
	'// If the service rejects a cursor, the list is read again.',
	'// A name that the service sends.',
	'// Redacts the API keys of a call.',
];
const CITED = [
	'// n8n keeps only the message (n8n-behaviour.md#messages).',
	'// n8n shows it (n8n-behaviour.md#messages), and some contain more.',
	'// n8n has its own (n8n-behaviour.md#polls, decisions/0004).',
	'// n8n serves others (decisions/0008).',
	'// The service ignores it (contract, section 4, rule 3).',
	'// The service ignores it (contract, sections 5.4 and 7).',
	'// The service ignores it (docs/guarantees.md#once-per-key).',
];

test.each<[string, string[], string[]]>([
	['n8n', ABOUT_N8N, ['n8n']],
	['the service', ABOUT_SERVICE, ['service']],
	['nothing that must be cited', [...NO_STATEMENTS, ...CITED], []],
])(
	'the lint rule cited-behaviour finds, in comments about %s, what lacks a citation',
	(_, comments, expected) => {
		expect(comments.map((comment) => [comment, reportsFor(comment)])).toEqual(
			comments.map((comment) => [comment, expected]),
		);
	},
);
