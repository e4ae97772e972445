import type { ICredentialsDecrypted, INode } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/types';
import { exampleFiles, PLACEHOLDERS, readExample } from '../../examples/examples';
import type { Rest } from '../n8n/rest';
import { Workflows, type Saved } from '../n8n/workflows';

type Key = keyof Sandbox['keys'];

/** The credentials that a person finds in n8n, by the sandbox's key in each. The first one is in the examples. */
export const CREDENTIALS: Partial<Record<Key, { name: string; what: string }>> = {
	full: { name: PLACEHOLDERS.prospectorApi.name, what: 'may do all' },
	readOnlyScope: { name: 'Prospector, key for reading only', what: 'lacks the scope prospector.run' },
	readOnlyMembership: {
		name: 'Prospector, key of a read-only member',
		what: 'has all scopes, but its member may only read',
	},
	revoked: { name: 'Prospector, revoked key', what: 'is refused everywhere' },
};

/** Creates the credentials and imports the examples, as a person would. */
export async function fill(rest: Rest, sandbox: Sandbox): Promise<Saved[]> {
	// n8n chooses the one that was made last for a new node: that must be the first.
	for (const [key, { name }] of Object.entries(CREDENTIALS).reverse()) {
		const data = { apiKey: sandbox.keys[key as Key], baseUrl: sandbox.baseUrl };
		await rest.post('/rest/credentials', { name, type: 'prospectorApi', data });
	}
	const credentials = await rest.get<ICredentialsDecrypted[]>('/rest/credentials');
	const workflows = new Workflows(rest);
	const imported: Saved[] = [];
	for (const file of exampleFiles) {
		const example = readExample(file);
		const nodes = example.nodes.map((node) => withCredentials(node, credentials));
		imported.push(await workflows.create({ ...example, nodes }));
	}
	return imported;
}

/**
 * A node whose placeholders are the credentials of the same names; where there is none, a person has to choose.
 * n8n 2 does this by itself, n8n 1 does not.
 */
export function withCredentials(
	node: INode,
	known: Array<{ id: string; name: string; type: string }>,
): INode {
	if (!node.credentials) return node;
	const chosen = Object.entries(node.credentials).flatMap(([type, { name }]) =>
		known.filter((each) => each.type === type && each.name === name).map(({ id }) => [type, { id, name }]),
	);
	return { ...node, credentials: Object.fromEntries(chosen) as INode['credentials'] };
}
