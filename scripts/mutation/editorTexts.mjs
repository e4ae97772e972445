// Stryker plugin: texts that only the editor shows are not mutated, as a test of each could only repeat it. They are
// the strings of parameter definitions (with a `displayName`) and of their options (with a `name` and a `value`).
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

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

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'editor-texts', {
		shouldIgnore: (path) => (isEditorText(path) ? 'Text that only the editor shows' : undefined),
	}),
];
