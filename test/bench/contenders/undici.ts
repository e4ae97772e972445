import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Job, Means, Output, Ready } from '../job';
import { readAllPages, resultsPath, runPath, withRequestId, type OneBody, type PageBody } from './service';

type Undici = Extract<Means, { by: 'undici' }>;

/** The service counts on its own clock; a window is waited out with so much to spare. */
const MARGIN_MS = 5;

/** The floor: undici on kept-alive connections, without n8n. */
export function undiciContender({ task, baseUrl, apiKey }: Job, { sideBySide, window }: Undici): Ready {
	const connections = window?.requests ?? sideBySide;
	const pool = new Pool(baseUrl, { connections, pipelining: 1 });
	const headers = { authorization: `Bearer ${apiKey}` };
	const get = async <T>(path: string, query = {}): Promise<T> => {
		const { statusCode, body } = await pool.request({ method: 'GET', path, query, headers });
		if (statusCode !== 200) throw new Error(`The service answered with ${statusCode}: ${await body.text()}`);
		return (await body.json()) as T;
	};
	const read = async (runId: string) => {
		const body = await get<OneBody>(runPath(runId));
		return withRequestId(body.data, body);
	};
	return async () => {
		if (task.kind === 'list') {
			return output(
				await readAllPages(
					task.pageSize,
					async (query) => await get<PageBody>(resultsPath(task.runId), query),
				),
			);
		}
		const { runIds } = task;
		// The pool lets no more requests go at once than it has connections.
		if (!window) return output(await Promise.all(runIds.map(read)));
		const resources: object[] = [];
		for (let sent = 0; sent < runIds.length; sent += window.requests) {
			if (sent > 0) await sleep(window.milliseconds + MARGIN_MS);
			resources.push(...(await Promise.all(runIds.slice(sent, sent + window.requests).map(read))));
		}
		return output(resources);
	};
}

/** As n8n would hold it. */
function output(resources: object[]): Output {
	return { resources, failedItems: 0, held: resources.map((json, item) => ({ json, pairedItem: { item } })) };
}
