import type { INode } from 'n8n-workflow';
import type { Rest } from './rest';

export type Credentials = NonNullable<INode['credentials']>;

/** Creates a credential, and returns the reference for nodes. */
export async function createCredential(
	rest: Rest,
	name: string,
	type: string,
	data: object,
): Promise<Credentials> {
	const { id } = await rest.create<{ id: string }>('/rest/credentials', { name, type, data });
	return { [type]: { id, name } };
}
