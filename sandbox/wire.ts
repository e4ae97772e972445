import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { ApiResponse } from './answer';
import { JSON_TYPE, renderError } from './errors';
import type { SandboxSettings } from './settings';
import type { FaultView } from './types';

/** What reached the client. */
export interface Delivery {
	/** Null: nothing, or not all of it. */
	status: number | null;
	requestId: string | null;
}

interface Page {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** Sends an answer as it is. */
export function send(reply: FastifyReply, page: Page & { requestId: string | null }): Delivery {
	const { socket } = reply.request.raw;
	if (socket.destroyed) {
		// A slow answer to a client that has left.
		reply.hijack();
		return { status: null, requestId: page.requestId };
	}
	void reply.code(page.status).headers(page.headers).send(page.text);
	return { status: page.status, requestId: page.requestId };
}

/**
 * Answers in the way a fault rule wants it (all kinds but `slow` and `trickle`, which bring the whole answer late).
 * @param answer what the API had to say; undefined when the request never reached it
 */
export function applyFault(
	reply: FastifyReply,
	fault: FaultView,
	answer: ApiResponse | undefined,
	newRequestId: () => string,
	settings: SandboxSettings,
): Delivery {
	const requestId = answer?.requestId ?? null;
	const instead = (status: number, headers: Record<string, string>, text: string) =>
		send(reply, { status, headers, text, requestId });
	const { socket } = reply.request.raw;
	switch (fault.kind) {
		case 'status': {
			const status = fault.status ?? 500;
			const id = requestId ?? newRequestId();
			const { text, headers } =
				fault.body === undefined ? renderError(status, id, settings) : custom(fault.body);
			return send(reply, { status, text, headers: { ...headers, ...fault.headers }, requestId: id });
		}
		case 'notJson': {
			const { text } = custom(fault.body ?? '<!doctype html><title>Sign in</title><p>Please sign in.</p>');
			return instead(200, { 'content-type': 'text/html; charset=utf-8' }, text);
		}
		case 'notEnvelope': {
			const { text } = custom(fault.body ?? { ok: true });
			return instead(200, { 'content-type': JSON_TYPE }, text);
		}
		case 'redirect':
			return instead(fault.status ?? 302, { location: fault.location ?? '/' }, '');
		case 'cutBody':
			reply.hijack();
			if (answer) cut(reply, answer);
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
			// hang: the socket stays open until the client or the sandbox closes it.
			reply.hijack();
	}
	return { status: null, requestId };
}

/**
 * Sends an answer byte by byte.
 * @param wait resolves when the next byte is due
 */
export async function trickle(reply: FastifyReply, answer: ApiResponse, wait: () => Promise<void>): Promise<Delivery> {
	const { raw } = reply;
	const bytes = Buffer.from(answer.text);
	reply.hijack();
	const left = new Promise<void>((resolve) => raw.once('close', resolve));
	raw.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
	raw.flushHeaders();
	for (let index = 0; index < bytes.length; index++) {
		if (index > 0) await Promise.race([wait(), left]);
		if (raw.destroyed) return { status: null, requestId: answer.requestId };
		raw.write(bytes.subarray(index, index + 1));
	}
	raw.end();
	return { status: answer.status, requestId: answer.requestId };
}

function sendEndless(reply: FastifyReply): void {
	reply.raw.writeHead(200, { 'content-type': JSON_TYPE });
	// Node.js would take the body of an answer to HEAD for sent, as fast as it is made.
	if (reply.request.method === 'HEAD') reply.raw.end();
	else pipeline(Readable.from(endlessList()), reply.raw, () => {});
}

async function* endlessList(): AsyncGenerator<string> {
	const item = `{"id":"res_endless","company_name":"${'x'.repeat(1000)}"},`;
	yield '{"data":[';
	for (;;) {
		yield item.repeat(60);
		// A client that reads faster than this writes must not keep other requests waiting.
		await setImmediate();
	}
}

function cut(reply: FastifyReply, answer: ApiResponse): void {
	const bytes = Buffer.from(answer.text);
	reply.raw.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
	reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => reply.request.raw.socket.destroy());
}

function custom(body: unknown): { text: string; headers: Record<string, string> } {
	return typeof body === 'string'
		? { text: body, headers: { 'content-type': 'text/plain; charset=utf-8' } }
		: { text: JSON.stringify(body), headers: { 'content-type': JSON_TYPE } };
}
