/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import type { Socket } from 'node:net';
import { pipeline, Readable, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { JSON_TYPE } from './errors';
import type { Outcome, ResponseContent } from './exchange';

/**
 * Delivers the outcome of a request over HTTP.
 *
 * @param wait resolves after real milliseconds
 * @returns the status that the client received; null if it received no complete response
 */
export async function deliver(
	reply: FastifyReply,
	outcome: Outcome,
	wait: (ms: number) => Promise<void>,
): Promise<number | null> {
	const { socket } = reply.request.raw;
	// The client may have disconnected during the delay of a slow response.
	if (outcome.kind === 'response' && !socket.destroyed) {
		const { status, headers, text } = outcome.content;
		void reply.code(status).headers(headers).send(text);
		return status;
	}
	reply.hijack();
	switch (outcome.kind) {
		case 'trickle': {
			const body = startResponse(reply, outcome.content);
			if (!(await writeBytes(reply.raw, body, outcome.byteDelayMs, wait))) return null;
			reply.raw.end();
			return outcome.content.status;
		}
		case 'raw': {
			const { bytes = '', delayMs = 0, keepOpen } = outcome.rule;
			await writeBytes(socket, Buffer.from(bytes, 'latin1'), delayMs, wait);
			if (!keepOpen) socket.end();
			break;
		}
		case 'switchProtocols':
			reply.raw.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' });
			reply.raw.flushHeaders();
			return 101;
		case 'cutBody': {
			const body = startResponse(reply, outcome.content);
			reply.raw.write(body.subarray(0, Math.floor(body.length / 2)), () => socket.destroy());
			break;
		}
		case 'endless':
			sendEndless(reply);
			break;
		case 'breakTls':
			connectionOf(socket).write('no TLS');
			socket.destroy();
			break;
		case 'reset':
			socket.resetAndDestroy();
			break;
		case 'drop':
			socket.destroy();
	}
	// With `hang`, the socket stays open until the client or the sandbox closes it.
	return null;
}

/** Sends the headers and returns the body. */
function startResponse({ raw }: FastifyReply, { status, headers, text }: ResponseContent): Buffer {
	const body = Buffer.from(text);
	raw.writeHead(status, { ...headers, 'content-length': body.length });
	raw.flushHeaders();
	return body;
}

/** Writes one byte per `delayMs`, or all bytes at once if it is 0. Returns false if the client has disconnected. */
async function writeBytes(
	stream: Writable,
	bytes: Buffer,
	delayMs: number,
	wait: (ms: number) => Promise<void>,
): Promise<boolean> {
	const size = delayMs > 0 ? 1 : bytes.length;
	const disconnected = new Promise<void>((resolve) => stream.once('close', resolve));
	for (let index = 0; index < bytes.length; index += size) {
		if (index > 0) await Promise.race([wait(delayMs), disconnected]);
		if (stream.destroyed) return false;
		stream.write(bytes.subarray(index, index + size));
	}
	return true;
}

/** Returns the TCP connection below TLS. */
const connectionOf = (socket: Socket): Socket => (socket as { _parent?: Socket })._parent ?? socket;

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
