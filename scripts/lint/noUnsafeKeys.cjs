// ESLint rule: objects are not indexed with arbitrary text.
//
// `object[id]` reaches Object.prototype when the ID is `__proto__`, `constructor` or `toString`, and the service or a
// person chooses IDs, field names and cursors. The type of the key decides: numbers, literals, and templates such as
// `id_${string}` are safe. Arrays and strings may be indexed with any text.
const { TypeFlags } = require('typescript');

const INHERITED = Object.getOwnPropertyNames(Object.prototype);
const ANY_TEXT = TypeFlags.String | TypeFlags.Any | TypeFlags.Unknown;
/** Types without properties of their own that matter, such as the `undefined` in `mixed?.[key]`. */
const HARMLESS = TypeFlags.StringLike | TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Never;

/** @type {import('eslint').Rule.RuleModule} */
module.exports = {
	meta: {
		type: 'problem',
		schema: [],
		messages: {
			unsafeKey:
				'This key can be any text, such as __proto__. Use a Map, Object.entries, or a key of a literal type.',
		},
	},
	create(context) {
		const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
		const checker = program.getTypeChecker();

		const typeOf = (node) => {
			const type = checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node));
			return checker.getBaseConstraintOfType(type) ?? type;
		};
		const constituents = (type) => (type.isUnion() ? type.types : [type]);
		const isAnyText = (node) =>
			constituents(typeOf(node)).some(({ flags, texts }) =>
				flags & TypeFlags.TemplateLiteral
					? INHERITED.some((name) => name.startsWith(texts[0]) && name.endsWith(texts.at(-1)))
					: flags & ANY_TEXT,
			);
		const isSafe = (type) =>
			Boolean(type.flags & HARMLESS) || checker.isArrayType(type) || checker.isTupleType(type);

		function check(key, object) {
			if (isAnyText(key) && !constituents(typeOf(object)).every(isSafe)) {
				context.report({ node: key, messageId: 'unsafeKey' });
			}
		}

		return {
			'MemberExpression[computed=true]': ({ property, object }) => check(property, object),
			'BinaryExpression[operator="in"][left.type!="PrivateIdentifier"]': ({ left, right }) =>
				check(left, right),
			'ObjectPattern > Property[computed=true]': ({ key, parent }) => check(key, parent),
		};
	},
};
