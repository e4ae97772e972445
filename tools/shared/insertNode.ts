import type { INode } from 'n8n-workflow';
import type { Credentials } from '../../test/e2e/n8n/credentials';
import { node } from '../../test/nodes';

/** Returns a node that adds a row of texts to a table in PostgreSQL for each item. @param texts expressions */
export function insertNode(name: string, table: string, texts: string[], credentials?: Credentials): INode {
	const query = `=INSERT INTO ${table} VALUES (${texts.map((text) => `'{{ ${text} }}'`).join(', ')})`;
	const parameters = { operation: 'executeQuery', query, options: {} };
	// Versions 2.1 to 2.6 change how n8n itself reads times from PostgreSQL, which stops the durable scheduler.
	return node(name, 'n8n-nodes-base.postgres', parameters, { typeVersion: 2, credentials });
}
