import { API_PREFIX, type Endpoint } from './request/endpoints';

/** The ids that an endpoint's path names (contract, section 4, path parameters). */
export interface PathIds {
	workflow_id?: string;
	run_id?: string;
}

/**
 * Fills an endpoint's path with ids, each encoded so that it stays one path segment.
 *
 * @returns the path from the host on, such as `/api/public/v1/prospector/runs/run_1`
 */
export function endpointPath(endpoint: Endpoint, ids: PathIds = {}): string {
	const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: keyof PathIds) =>
		encodeURIComponent(ids[name] ?? ''),
	);
	return API_PREFIX + path;
}
