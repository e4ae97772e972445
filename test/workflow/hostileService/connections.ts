/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const open = new Set<ClientRequest>();

// A request is closed when its response was read to the end, or when its connection was destroyed.
subscribe('http.client.request.start', (message) => {
	const { request } = message as { request: ClientRequest };
	open.add(request);
	request.once('close', () => open.delete(request));
});

/** Waits until this process has closed all requests to a service. Returns false if some stay open. */
export async function areRequestsClosed(baseUrl: string): Promise<boolean> {
	const { host } = new URL(baseUrl);
	const end = performance.now() + 40_000;
	while ([...open].some((request) => request.getHeader('host') === host)) {
		if (performance.now() > end) return false;
		await pause(10);
	}
	return true;
}
