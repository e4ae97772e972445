/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { IDataObject } from 'n8n-workflow';
import { createCA, createCert } from 'mkcert';

interface RecordedRequest {
	/** Method, host and decoded path without the query, such as `POST slack.com/api/chat.postMessage`. */
	target: string;
	/** Parsed JSON; empty if there is none. */
	body: IDataObject;
}

export interface Reply {
	status: number;
	body: unknown;
}

/** The start of a request's target → the response with status 200: JSON, or a file. The first match wins. */
type Answers = Record<string, (request: RecordedRequest) => unknown>;

/** Issuer of the certificate, which is valid for two days. */
const ISSUER = {
	organization: 'Test CA',
	countryCode: 'BE',
	state: 'Antwerp',
	locality: 'Antwerp',
	validity: 2,
};

async function parseRequest(message: IncomingMessage): Promise<RecordedRequest> {
	const { pathname } = new URL(message.url ?? '/', 'https://service');
	return {
		target: `${message.method} ${message.headers.host}${decodeURIComponent(pathname)}`,
		body: JSON.parse((await text(message)) || '{}') as IDataObject,
	};
}

/**
 * Starts a CONNECT proxy on 127.0.0.1 that answers in place of these HTTPS hosts, records their requests, and refuses
 * every other host. Call `close()` in the end.
 */
export async function startRecorder(hosts: string[], answers: Answers) {
	const ca = await createCA(ISSUER);
	const { key, cert } = await createCert({ domains: hosts, validity: ISSUER.validity, ca });
	const folder = mkdtempSync(join(tmpdir(), 'prospector-ca-'));
	const caFile = join(folder, 'ca.pem');
	writeFileSync(caFile, ca.cert);
	const requests: RecordedRequest[] = [];
	const nextReplies: Array<Reply | undefined> = [];
	const refusedHosts: string[] = [];
	const sockets = new Set<Socket>();

	function answer(request: RecordedRequest): Reply {
		const reply = nextReplies.shift();
		if (reply) return reply;
		const start = Object.keys(answers).find((each) => request.target.startsWith(each));
		return start ? { status: 200, body: answers[start](request) } : { status: 404, body: request.target };
	}

	// Listens on no port: the proxy passes its connections on.
	const tls = createHttpsServer({ key, cert }, (message, response) => {
		void parseRequest(message).then((request) => {
			requests.push(request);
			const { status, body } = answer(request);
			const isFile = Buffer.isBuffer(body);
			response.writeHead(status, {
				'content-type': isFile ? 'application/octet-stream' : 'application/json',
			});
			response.end(isFile ? body : JSON.stringify(body));
		});
	});
	const proxy = createServer((request, response) => {
		refusedHosts.push(request.url ?? '');
		response.writeHead(403).end();
	});
	proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Socket, head: Buffer) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
		if (!hosts.includes(url.split(':', 1)[0])) {
			refusedHosts.push(url);
			return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		}
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		if (head.length > 0) socket.unshift(head);
		tls.emit('connection', socket);
	});
	await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));

	return {
		/** Environment variables with which n8n uses the proxy. */
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: caFile,
		},
		requests,
		/** The bodies of the requests to targets that start like this. */
		bodiesOf: (start: string): IDataObject[] =>
			requests.filter(({ target }) => target.startsWith(start)).map(({ body }) => body),
		/** Replies to the next requests, in place of {@link answers}; undefined is the usual answer. */
		nextReplies,
		/** Hosts and ports that something else tried to reach. */
		refusedHosts,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((closed) => proxy.close(closed));
			rmSync(folder, { recursive: true });
		},
	};
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;
