import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';
import type * as Requests from '../../nodes/Prospector/api/endpoints';
import type * as Messages from '../../nodes/Prospector/messages/failureMessages';
import { fromDist } from '../../test/fromDist';

type NodeName = 'Prospector' | 'ProspectorTrigger';

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

/** Returns the message of a node whose API key is not allowed to start runs. */
function refusal(): string[] {
	const { describeFailure } = fromDist<typeof Messages>('nodes/Prospector/messages/failureMessages');
	const { endpoints } = fromDist<typeof Requests>('nodes/Prospector/api/endpoints');
	const failed = {
		failure: { kind: 'status' as const, status: 403 },
		request: { endpoint: endpoints.runWorkflow },
	};
	const { message, description } = describeFailure(failed, 'node', (text) => text);
	return [message, `${description}.`];
}

/**
 * Returns the texts of the built package that pictures can show: labels, descriptions, options and actions,
 * and the message of a refusal.
 */
export function packageTexts(): Set<string> {
	const texts = new Set(refusal());
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
