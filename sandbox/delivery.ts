import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { JSON_TYPE, renderError } from './errors';
import type { ApiResponse } from './handleRequest';
import type { SandboxSettings } from './settings';
import type { FaultView } from './types';

/** What reached the client. */
export interface Delivery {
	/** Null if the client received no complete response. */
	status: number | null;
	requestId: string | null;
}

interface ResponseContent {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** Sends a response unchanged. */
export function send(
	reply: FastifyReply,
	{ status, headers, text, requestId }: ResponseContent & { requestId: string | null },
): Delivery {
	const { socket } = reply.request.raw;
	if (socket.destroyed) {
		// The client disconnected during the delay of a slow response.
		reply.hijack();
		return { status: null, requestId };
	}
	void reply.code(status).headers(headers).send(text);
	return { status, requestId };
}

/**
 * Responds according to a fault rule of any kind except `slow` and `trickle`.
 * @param response undefined if the fault replaces the request's effect
 */
export function applyFault(
	reply: FastifyReply,
	fault: FaultView,
	response: ApiResponse | undefined,
	newRequestId: () => string,
	settings: SandboxSettings,
): Delivery {
	const requestId = response?.requestId ?? null;
	const sendInstead = (status: number, headers: Record<string, string>, text: string) =>
		send(reply, { status, headers, text, requestId });
	const { socket } = reply.request.raw;
	switch (fault.kind) {
		case 'status': {
			const status = fault.status ?? 500;
			const id = requestId ?? newRequestId();
			const { text, headers } =
				fault.body === undefined ? renderError(status, id, settings) : renderBody(fault.body);
			return send(reply, { status, text, headers: { ...headers, ...fault.headers }, requestId: id });
		}
		case 'notJson': {
			const { text } = renderBody(
				fault.body ?? '<!doctype html><title>Sign in</title><p>Please sign in.</p>',
			);
			return sendInstead(200, { 'content-type': 'text/html; charset=utf-8' }, text);
		}
		case 'notEnvelope': {
			const { text } = renderBody(fault.body ?? { ok: true });
			return sendInstead(200, { 'content-type': JSON_TYPE }, text);
		}
		case 'redirect':
			return sendInstead(fault.status ?? 302, { location: fault.location ?? '/' }, '');
		case 'cutBody':
			reply.hijack();
			if (response) sendFirstHalf(reply, response);
			break;
		case 'switchProtocols':
			reply.hijack();
			reply.raw.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' });
			reply.raw.flushHeaders();
			return { status: 101, requestId };
		case 'endless':
			reply.hijack();
			sendEndless(reply);
			break;
		case 'reset':
			reply.hijack();
			socket.resetAndDestroy();
			break;
		case 'drop':
			reply.hijack();
			socket.destroy();
			break;
		default:
			// `hang`: the socket stays open until the client or the sandbox closes it.
			reply.hijack();
	}
	return { status: null, requestId };
}

/**
 * Sends a response byte by byte.
 * @param wait resolves when the next byte is due
 */
export async function trickle(
	reply: FastifyReply,
	response: ApiResponse,
	wait: () => Promise<void>,
): Promise<Delivery> {
	const { raw } = reply;
	const bytes = Buffer.from(response.text);
	reply.hijack();
	const disconnected = new Promise<void>((resolve) => raw.once('close', resolve));
	raw.writeHead(response.status, { ...response.headers, 'content-length': bytes.length });
	raw.flushHeaders();
	for (let index = 0; index < bytes.length; index++) {
		if (index > 0) await Promise.race([wait(), disconnected]);
		if (raw.destroyed) return { status: null, requestId: response.requestId };
		raw.write(bytes.subarray(index, index + 1));
	}
	raw.end();
	return { status: response.status, requestId: response.requestId };
}

function sendEndless(reply: FastifyReply): void {
	reply.raw.writeHead(200, { 'content-type': JSON_TYPE });
	// Node.js drops the body of a response to HEAD without backpressure, so the pipeline would never pause.
	if (reply.request.method === 'HEAD') reply.raw.end();
	else pipeline(Readable.from(endlessList()), reply.raw, () => {});
}

async function* endlessList(): AsyncGenerator<string> {
	const item = `{"id":"res_endless","company_name":"${'x'.repeat(1000)}"},`;
	yield '{"data":[';
	for (;;) {
		yield item.repeat(60);
		// A fast reader must not block other requests.
		await setImmediate();
	}
}

function sendFirstHalf(reply: FastifyReply, response: ApiResponse): void {
	const bytes = Buffer.from(response.text);
	reply.raw.writeHead(response.status, { ...response.headers, 'content-length': bytes.length });
	reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => reply.request.raw.socket.destroy());
}

function renderBody(body: unknown): { text: string; headers: Record<string, string> } {
	return typeof body === 'string'
		? { text: body, headers: { 'content-type': 'text/plain; charset=utf-8' } }
		: { text: JSON.stringify(body), headers: { 'content-type': JSON_TYPE } };
}
