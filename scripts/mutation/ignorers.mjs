// Stryker plugins that say what is not mutated.
import { createHash } from 'node:crypto';

// Texts that only the editor shows, as a test of each could only repeat it: the strings of parameter definitions (with
// a `displayName`) and of their options (with a `name` and a `value`).
const TEXTS = ['action', 'description', 'displayName', 'hint', 'placeholder'];

const keysOf = ({ properties }) => properties.map(({ key }) => key?.name);

function isEditorText({ node, parent, parentPath }) {
	if (node.type !== 'StringLiteral' || parent?.type !== 'ObjectProperty' || parent.value !== node)
		return false;
	const keys = keysOf(parentPath.parent);
	const isOption = keys.includes('name') && keys.includes('value');
	return (
		(TEXTS.includes(parent.key.name) && (isOption || keys.includes('displayName'))) ||
		(parent.key.name === 'name' && isOption)
	);
}

/** Whether this is TypeScript's mark of a compiled module. */
const isModuleMark = ({ node }) =>
	node.type === 'ExpressionStatement' && node.expression.arguments?.[1]?.value === '__esModule';

/** About one in SAMPLE functions is mutated. A hash of its code decides, so each run chooses the same ones. */
const SAMPLE = Number(process.env.MUTATION_SAMPLE ?? 1);

/** Whether this is a method, or a function or statement of a module, that does not belong to the sample. */
function isOutsideSample(path) {
	const isUnit =
		path.parentPath?.isClassBody() || (path.parentPath?.isProgram() && !path.isClassDeclaration());
	if (!isUnit) return false;
	return createHash('sha256').update(path.toString()).digest()[0] % SAMPLE !== 0;
}

/** Returns what Stryker's `declareValuePlugin` returns. The module with it can't be imported from here. */
const ignorer = (name, reason, shouldIgnore) => ({
	kind: 'Ignore',
	name,
	value: { shouldIgnore: (path) => (shouldIgnore(path) ? reason : undefined) },
});

export const strykerPlugins = [
	ignorer('editor-texts', 'Text that only the editor shows', isEditorText),
	ignorer('module-mark', 'Made by the compiler', isModuleMark),
	ignorer('sample', 'Outside the sample', isOutsideSample),
];
