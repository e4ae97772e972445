import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { apiRoutes } from './api';
import { controlRoutes } from './control';
import { seedDemo } from './seed';
import { DEFAULT_SETTINGS } from './settings';
import { mergeSettings } from './settingsCheck';
import type { Sandbox, SandboxOptions } from './types';
import { createControlApi } from './verbs';
import { createWorld } from './world';

const HOST = '127.0.0.1';

/**
 * Serves the API of the contract, and the control API, on 127.0.0.1.
 * @throws ControlError on a bad setting; the system's error (`code` EADDRINUSE) when the port is taken
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const baseClock = options.clock ?? Date.now;
	let ahead = 0;
	const clock = () => baseClock() + ahead;
	const firstSettings = mergeSettings(DEFAULT_SETTINGS, options.settings ?? {});
	const newWorld = () => {
		const created = createWorld(structuredClone(firstSettings), clock);
		if (options.seed ?? true) seedDemo(created);
		return created;
	};
	let world = newWorld();
	let baseUrl = '';

	const timers = new Set<NodeJS.Timeout>();
	const wait = (ms: number) =>
		new Promise<void>((resolve) => {
			const timer = setTimeout(() => {
				timers.delete(timer);
				resolve();
			}, ms);
			timers.add(timer);
		});

	const control = createControlApi({
		world: () => world,
		renew() {
			ahead = 0;
			world = newWorld();
		},
		ahead: () => ahead,
		advance: (ms) => void (ahead += ms),
		baseUrl: () => baseUrl,
	});

	const app = Fastify({
		forceCloseConnections: true,
		bodyLimit: 10_000_000,
		// Ids come back as the client sent them; a long one is unknown, not another route.
		routerOptions: { maxParamLength: 4096 },
		rewriteUrl: ({ url = '/' }) => decodable(url),
	});
	const host = { world: () => world, wait, onRequest: options.onRequest ?? (() => {}) };
	await app.register(async (api) => apiRoutes(api, host), { prefix: '/api/public/v1' });
	await app.register(async (routes) => controlRoutes(routes, control), { prefix: '/_control' });
	app.setNotFoundHandler((_request, reply) => {
		return reply
			.code(404)
			.send({ error: 'The API is below /api/public/v1, the control API below /_control.' });
	});
	await app.listen({ host: HOST, port: options.port ?? 0 });
	baseUrl = `http://${HOST}:${(app.server.address() as AddressInfo).port}`;

	return {
		baseUrl,
		controlUrl: `${baseUrl}/_control`,
		keys: world.keys.readyMade(),
		control,
		async close() {
			timers.forEach(clearTimeout);
			await app.close();
		},
	};
}

// Such a path would be refused before any route sees it; like this it is an unknown path or id, as any other.
function decodable(url: string): string {
	try {
		decodeURIComponent(url.split('?', 1)[0]);
		return url;
	} catch {
		return url.replaceAll('%', '%25');
	}
}
