/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { registerApiRoutes } from './apiRoutes';
import { registerControlRoutes } from './controlRoutes';
import { demoData } from './demoData';
import { API_PREFIX } from './routing';
import { createService } from './service';
import type { Sandbox, SandboxOptions } from './types';

const HOST = '127.0.0.1';

/**
 * Serves the contract's API and the control API on 127.0.0.1.
 * @throws ControlError on an invalid setting; a system error (`code` EADDRINUSE) if the port is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { tls } = options;
	let baseUrl = '';
	const service = createService({
		clock: options.clock ?? Date.now,
		settings: options.settings,
		initialData: (options.seed ?? true) ? demoData : undefined,
		baseUrl: () => baseUrl,
	});
	const { control } = service;

	const timers = new Set<NodeJS.Timeout>();
	const wait = (ms: number) =>
		new Promise<void>((resolve) => {
			const timer = setTimeout(() => {
				timers.delete(timer);
				resolve();
			}, ms);
			timers.add(timer);
		});

	const app = Fastify({
		forceCloseConnections: true,
		...(tls && { https: { ...tls, rejectUnauthorized: tls.requestCert === true } }),
		bodyLimit: 10_000_000,
		rewriteUrl: ({ url = '/' }) => escapeMalformedUrl(url),
	});
	const host = { service, wait, onRequest: options.onRequest ?? (() => {}) };
	await app.register(async (api) => registerApiRoutes(api, host), { prefix: API_PREFIX });
	await app.register(async (routes) => registerControlRoutes(routes, control), { prefix: '/_control' });
	app.setNotFoundHandler((_request, reply) => {
		return reply.code(404).send({ error: 'The API is at /api/public/v1, the control API at /_control.' });
	});
	await app.listen({ host: HOST, port: options.port ?? 0 });
	baseUrl = `${tls ? 'https' : 'http'}://${HOST}:${(app.server.address() as AddressInfo).port}`;

	return {
		baseUrl,
		controlUrl: `${baseUrl}/_control`,
		keys: service.state().keys.readyMade(),
		control,
		async close() {
			timers.forEach(clearTimeout);
			await app.close();
		},
	};
}

// Fastify rejects malformed URLs before routing. Escaped, they are unknown paths or IDs like any other.
function escapeMalformedUrl(url: string): string {
	try {
		decodeURIComponent(url.split('?', 1)[0]);
		return url;
	} catch {
		return url.replaceAll('%', '%25');
	}
}
