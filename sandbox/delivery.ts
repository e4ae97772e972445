import { pipeline, Readable } from 'node:stream';
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
		case 'trickle':
			return await trickle(reply, outcome.content, () => wait(outcome.byteDelayMs));
		case 'switchProtocols':
			reply.raw.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' });
			reply.raw.flushHeaders();
			return 101;
		case 'cutBody':
			sendFirstHalf(reply, outcome.content);
			break;
		case 'endless':
			sendEndless(reply);
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

/**
 * Sends a response byte by byte.
 * @param wait resolves when the next byte is due
 */
async function trickle(
	{ raw }: FastifyReply,
	{ status, headers, text }: ResponseContent,
	wait: () => Promise<void>,
): Promise<number | null> {
	const bytes = Buffer.from(text);
	const disconnected = new Promise<void>((resolve) => raw.once('close', resolve));
	raw.writeHead(status, { ...headers, 'content-length': bytes.length });
	raw.flushHeaders();
	for (let index = 0; index < bytes.length; index++) {
		if (index > 0) await Promise.race([wait(), disconnected]);
		if (raw.destroyed) return null;
		raw.write(bytes.subarray(index, index + 1));
	}
	raw.end();
	return status;
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

function sendFirstHalf({ raw, request }: FastifyReply, { status, headers, text }: ResponseContent): void {
	const bytes = Buffer.from(text);
	raw.writeHead(status, { ...headers, 'content-length': bytes.length });
	raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.raw.socket.destroy());
}
