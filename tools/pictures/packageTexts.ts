import {
	NodeHelpers,
	type ICredentialType,
	type INodeParameters,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { fromDist } from '../../test/fromDist';

export type NodeName = 'Prospector' | 'ProspectorTrigger';

function nodeDescription(name: NodeName): INodeTypeDescription {
	const nodes = fromDist<Record<NodeName, new () => INodeType>>(`nodes/Prospector/${name}.node`);
	return new nodes[name]().description;
}

function credential(): ICredentialType {
	const { ProspectorApi } = fromDist<{ ProspectorApi: new () => ICredentialType }>(
		'credentials/ProspectorApi.credentials',
	);
	return new ProspectorApi();
}

/** Keys of descriptions whose texts n8n shows. */
const SHOWN = ['displayName', 'description', 'placeholder', 'hint', 'action', 'multipleValueButtonText'];

/** Returns the texts of the built nodes and the credential that n8n can show: labels, descriptions, options, actions. */
export function packageTexts(): Set<string> {
	const texts = new Set<string>();
	const collect = (value: unknown): void => {
		if (Array.isArray(value)) return value.forEach(collect);
		if (typeof value !== 'object' || value === null) return;
		for (const [key, inner] of Object.entries(value)) {
			if (typeof inner !== 'string') collect(inner);
			// The name of an option is shown, the name of a parameter is not.
			else if (SHOWN.includes(key) || (key === 'name' && 'value' in value)) texts.add(inner);
		}
	};
	for (const node of [nodeDescription('Prospector'), nodeDescription('ProspectorTrigger')]) {
		const { displayName, description, defaults, subtitle = '', properties } = node;
		collect({ displayName, description, properties });
		texts.add(String(defaults.name));
		// An expression that has the words for each operation or event.
		for (const [, words] of subtitle.matchAll(/"([^"]+)"/g)) texts.add(words);
	}
	const { displayName, properties } = credential();
	collect({ displayName, properties });
	return texts;
}

/** Returns the actions in n8n's order. */
export const actionNames = (): string[] =>
	nodeDescription('Prospector')
		.properties.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options as Array<{ action: string }>)
		.map(({ action }) => action);

/** Returns the labels of the fields that a node shows with these parameters, in order. */
export function fieldLabels(name: NodeName, parameters: INodeParameters): string[] {
	const node = nodeDescription(name);
	const all = NodeHelpers.getNodeParameters(node.properties, parameters, true, false, null, node) ?? {};
	return node.properties
		.filter((property) => NodeHelpers.displayParameter(all, property, { typeVersion: 1 }, node))
		.map(({ displayName }) => displayName);
}
