import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { registerApiRoutes } from './apiRoutes';
import { createControlApi } from './controlApi';
import { registerControlRoutes } from './controlRoutes';
import { demoData } from './demoData';
import { mergeSettings } from './mergeSettings';
import { addSeed } from './seed';
import { createServiceState } from './serviceState';
import { DEFAULT_SETTINGS } from './settings';
import type { Sandbox, SandboxOptions } from './types';

const HOST = '127.0.0.1';

/**
 * Serves the contract's API and the control API on 127.0.0.1.
 * @throws ControlError on an invalid setting; a system error (`code` EADDRINUSE) if the port is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const baseClock = options.clock ?? Date.now;
	let clockOffsetMs = 0;
	const clock = () => baseClock() + clockOffsetMs;
	const initialSettings = mergeSettings(DEFAULT_SETTINGS, options.settings ?? {});
	const createState = () => {
		const state = createServiceState(structuredClone(initialSettings), clock);
		if (options.seed ?? true) addSeed(state, demoData(clock()));
		return state;
	};
	let state = createState();
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
		state: () => state,
		reset() {
			clockOffsetMs = 0;
			state = createState();
		},
		clockOffsetMs: () => clockOffsetMs,
		advanceClock: (ms) => void (clockOffsetMs += ms),
		baseUrl: () => baseUrl,
	});

	const app = Fastify({
		forceCloseConnections: true,
		bodyLimit: 10_000_000,
		// A long ID is an unknown ID, not an unknown path.
		routerOptions: { maxParamLength: 4096 },
		rewriteUrl: ({ url = '/' }) => escapeMalformedUrl(url),
	});
	const host = { state: () => state, wait, onRequest: options.onRequest ?? (() => {}) };
	await app.register(async (api) => registerApiRoutes(api, host), { prefix: '/api/public/v1' });
	await app.register(async (routes) => registerControlRoutes(routes, control), { prefix: '/_control' });
	app.setNotFoundHandler((_request, reply) => {
		return reply.code(404).send({ error: 'The API is at /api/public/v1, the control API at /_control.' });
	});
	await app.listen({ host: HOST, port: options.port ?? 0 });
	baseUrl = `http://${HOST}:${(app.server.address() as AddressInfo).port}`;

	return {
		baseUrl,
		controlUrl: `${baseUrl}/_control`,
		keys: state.keys.readyMade(),
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
