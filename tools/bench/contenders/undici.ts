import { setTimeout as sleep } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { Pool } from 'undici';
import {
	readAllPages,
	resultsPath,
	runPath,
	withRequestId,
	type ItemBody,
	type Job,
	type Means,
	type Output,
	type PageBody,
	type Work,
} from '../job';

/** Extra wait after a window, because the service has its own clock. */
const MARGIN_MS = 5;

/** The floor: undici with keep-alive connections, without n8n. */
export function loadUndici(
	{ task, baseUrl, apiKey }: Job,
	{ concurrency, window }: Extract<Means, { by: 'undici' }>,
): Work {
	const pool = new Pool(baseUrl, { connections: window?.requests ?? concurrency, pipelining: 1 });
	const headers = { authorization: `Bearer ${apiKey}` };
	const get = async <T>(path: string, query = {}): Promise<T> => {
		const { statusCode, body } = await pool.request({ method: 'GET', path, query, headers });
		if (statusCode !== 200) throw new Error(`The service answered with ${statusCode}: ${await body.text()}`);
		return (await body.json()) as T;
	};
	// The pool limits the number of requests in flight.
	const readRuns = async (runIds: string[]) =>
		await Promise.all(
			runIds.map(async (runId) => {
				const body = await get<ItemBody>(runPath(runId));
				return withRequestId(body.data, body);
			}),
		);
	return async () => {
		if (task.kind === 'list') {
			const path = resultsPath(task.runId);
			return toOutput(await readAllPages(task.pageSize, async (query) => await get<PageBody>(path, query)));
		}
		const { runIds } = task;
		if (!window) return toOutput(await readRuns(runIds));
		const resources: object[] = [];
		for (let sent = 0; sent < runIds.length; sent += window.requests) {
			if (sent > 0) await sleep(window.milliseconds + MARGIN_MS);
			resources.push(...(await readRuns(runIds.slice(sent, sent + window.requests))));
		}
		return toOutput(resources);
	};
}

/** Holds the resources as n8n would. */
function toOutput(resources: object[]): Output {
	return { resources, failedItems: 0, held: resources.map((json, item) => ({ json, pairedItem: { item } })) };
}
