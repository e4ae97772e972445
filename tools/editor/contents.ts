import type { ICredentialsDecrypted, INode } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/types';
import { DEMO_FILE, exampleFiles, PLACEHOLDERS, readExample } from '../../test/examples/examples';
import type { Rest } from '../../test/e2e/n8n/rest';
import { Workflows, type Saved } from '../../test/e2e/n8n/workflows';
import { createCredential } from '../../test/e2e/n8n/credentials';

type Key = keyof Sandbox['keys'];

/** The credentials in n8n, by the sandbox's API key. The examples use the first one. */
export const CREDENTIALS = {
	full: { name: PLACEHOLDERS.prospectorApi.name, description: 'has all permissions' },
	readOnlyScope: { name: 'Prospector, key for reading only', description: 'lacks the scope prospector.run' },
	readOnlyMembership: {
		name: 'Prospector, key of a read-only member',
		description: 'has all scopes, but its member may only read',
	},
	revoked: { name: 'Prospector, revoked key', description: 'is rejected everywhere' },
} satisfies Partial<Record<Key, { name: string; description: string }>>;

/** Creates the credentials and imports the examples. */
export async function createContents(rest: Rest, sandbox: Sandbox): Promise<Saved[]> {
	// n8n chooses the newest credential for a new node, so the first one is created last.
	for (const [key, { name }] of Object.entries(CREDENTIALS).reverse()) {
		const data = { apiKey: sandbox.keys[key as Key], baseUrl: sandbox.baseUrl };
		await createCredential(rest, name, 'prospectorApi', data);
	}
	const credentials = await rest.get<ICredentialsDecrypted[]>('/rest/credentials');
	const workflows = new Workflows(rest);
	const imported: Saved[] = [];
	for (const file of [DEMO_FILE, ...exampleFiles]) {
		const example = readExample(file);
		const nodes = example.nodes.map((node) => withCredentials(node, credentials));
		imported.push(await workflows.create({ ...example, nodes }));
	}
	return imported;
}

/** Replaces the placeholders of a node by the credentials of the same names. n8n 2 does this itself, n8n 1 does not. */
function withCredentials(node: INode, known: ICredentialsDecrypted[]): INode {
	if (!node.credentials) return node;
	const chosen = Object.entries(node.credentials).flatMap(([type, { name }]) =>
		known.filter((each) => each.type === type && each.name === name).map(({ id }) => [type, { id, name }]),
	);
	return { ...node, credentials: Object.fromEntries(chosen) as INode['credentials'] };
}
