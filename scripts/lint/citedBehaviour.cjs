// ESLint rule: a comment that states how n8n or the service behaves says where that is shown.
//
// A comment states it if n8n, a part of n8n or the service is the subject of a verb in the present tense, or if it says
// "by n8n". A verb is a word that ends in -s, or one such as `can`, `has` or `does`, right behind the subject; adverbs and
// a version may stand between them. What follows `if`, `whether`, `when` and the like is a case that the code handles, and
// what follows `as`, `what` and `how` describes data: neither is a statement. For the service, which sends most data, the
// same holds for `that` and `which`. The comment then needs a citation in brackets: for n8n
// `(n8n-behaviour.md#activation)`, for the service `(contract, section 5)`, for both a page of docs or `(decisions/0001)`.
// The rule reads no grammar: it can't see a statement whose subject is a pronoun, or one about n8n that does not name it.
// test/tools/knowledge.test.ts checks that what is cited exists.

const N8N = [
	'n8n',
	"n8n's(?: (?!clock|and|or|to|in|for|at|is|has)[\\w-]+){1,3}",
	'the (?:durable )?(?:editor|canvas|engine|scheduler)',
	'the (?:HTTP )?helper',
	'(?:an )?AI agents?',
	'Chat Trigger',
	'MCP client(?: tool)?',
	'the Wait node',
	'the resume token',
	'a retried execution',
];
/** In the plural, any verb can follow. */
const N8N_VERSIONS = /\b(?:n8n|older|newer) versions (?!of\b)[a-z]|\bby n8n\b(?!')/i;
const SERVICE = ['the service', 'the API', 'a service', 'some services'];

const CASES = 'if|whether|unless|until|when|while|once|before|after|whatever|as|what|how';
const DESCRIPTIONS = 'that|which|who|whose|where|than|like';
const ADVERBS =
	'(?: (?:itself|then|also|only|always|never|still|already|first|often|else|before version \\d|\\d[\\d.]*))*';
const AUXILIARIES =
	"(?:can|may|must|will|would|could|does|do|did|has|had|is|are|was|can't|doesn't|isn't|won't)\\b";
/** Without the nouns that can stand right behind the name. */
const THIRD_PERSON = '(?!(?:workflows|contexts|versions|nodes|keys|as|this|its)\\b)[a-z]+s\\b';

const statementOf = (subjects, exempt) =>
	new RegExp(
		`(?<![\\w'])(?<!\\b(?:${exempt}|of) (?:an? |the )?)(?:${subjects.join('|')})${ADVERBS} (?:${AUXILIARIES}|${THIRD_PERSON})`,
		'i',
	);
const PAGE = '\\((?:docs/)?(?:[a-z-]+\\.md(?:#[\\w-]+)?|decisions/\\d{4})[,)]';
const CITATION_OF_N8N = new RegExp(`n8n-behaviour\\.md#[\\w-]+[,)]|${PAGE}`);
const CITATION_OF_SERVICE = new RegExp(`contract, sections? [\\d.]*\\d|${PAGE}`, 'i');
const STATEMENT_ABOUT_N8N = statementOf(N8N, CASES);
const STATEMENT_ABOUT_SERVICE = statementOf(SERVICE, `${CASES}|${DESCRIPTIONS}`);

/** Returns the texts of comments, with the line comments of neighbouring lines as one. */
function groupComments(comments) {
	const groups = [];
	for (const { type, value, loc } of comments) {
		const last = groups.at(-1);
		if (type === 'Line' && last?.type === 'Line' && last.endLine === loc.start.line - 1) {
			last.text += value;
			last.endLine = loc.end.line;
		} else groups.push({ type, text: value, loc, endLine: loc.end.line });
	}
	return groups.map(({ text, loc }) => ({ loc, text: text.replace(/\n\s*\*/g, ' ').replace(/\s+/g, ' ') }));
}

/** @type {import('eslint').Rule.RuleModule} */
module.exports = {
	meta: {
		type: 'suggestion',
		schema: [],
		messages: {
			n8n: 'This states how n8n behaves. Say where that is shown, such as (n8n-behaviour.md#activation).',
			service: 'This states how the service behaves. Say where that is shown, such as (contract, section 5).',
		},
	},
	create(context) {
		return {
			Program() {
				for (const { text, loc } of groupComments(context.sourceCode.getAllComments())) {
					const isAboutN8n = STATEMENT_ABOUT_N8N.test(text) || N8N_VERSIONS.test(text);
					if (isAboutN8n && !CITATION_OF_N8N.test(text)) context.report({ loc, messageId: 'n8n' });
					if (STATEMENT_ABOUT_SERVICE.test(text) && !CITATION_OF_SERVICE.test(text))
						context.report({ loc, messageId: 'service' });
				}
			},
		};
	},
};
