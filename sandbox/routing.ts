import { OPERATIONS } from './operations';
import type { Operation } from './operations';

export const API_PREFIX = '/api/public/v1';

const ROUTES = OPERATIONS.map((operation) => ({
	operation,
	segments: (API_PREFIX + operation.path).split('/'),
}));

export interface Route {
	/** Absent if the path is no operation, or has another method: the contract lists no 405. */
	operation?: Operation;
	params: Record<string, string>;
}

/**
 * Returns the operation of a request, and the decoded IDs in its path. HEAD counts as GET.
 * @param path as sent, without the query
 */
export function findRoute(method: string, path: string): Route {
	const sent = path.split('/').map(decode);
	const route = ROUTES.find(
		({ operation, segments }) =>
			operation.method === (method === 'HEAD' ? 'GET' : method) &&
			segments.length === sent.length &&
			segments.every((part, index) => (part.startsWith(':') ? sent[index] !== '' : part === sent[index])),
	);
	const named = (route?.segments ?? []).map((part, index) => [part, sent[index]]);
	const ids = named.filter(([part]) => part.startsWith(':')).map(([part, id]) => [part.slice(1), id]);
	return { operation: route?.operation, params: Object.fromEntries(ids) as Record<string, string> };
}

// A malformed ID is an unknown ID like any other.
function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
