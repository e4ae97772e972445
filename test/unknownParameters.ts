import type { INodeParameters } from 'n8n-workflow';

/**
 * Returns the paths of parameters that n8n would drop because the node has no such field.
 *
 * @param given parameters of a stored node
 * @param known the same parameters as n8n loads them
 */
export function unknownParameters(given: INodeParameters, known: INodeParameters, path = ''): string[] {
	return Object.entries(given).flatMap(([key, value]) => {
		if (!known || !(key in known)) return [`${path}${key}`];
		const inside = value !== null && typeof value === 'object' && !Array.isArray(value) && !('__rl' in value);
		if (!inside) return [];
		return unknownParameters(value as INodeParameters, known[key] as INodeParameters, `${path}${key}.`);
	});
}
