import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { createCA, createCert } from 'mkcert';

export interface OutsideRequest {
	method: string;
	/** Decoded, without the query. */
	path: string;
	query: URLSearchParams;
	/** Parsed JSON or form; empty if there is none. */
	body: IDataObject;
	/** Of the header `Authorization: Bearer …`. */
	token?: string;
}

export interface Reply {
	/** Default 200. */
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

/** A service outside of n8n, in memory. */
export interface OutsideService {
	hosts: string[];
	answer(request: OutsideRequest): Reply;
	/** Replies to the next requests, which then have no effect; `hang` never replies, undefined is the service's own answer. */
	nextReplies: Array<Reply | 'hang' | undefined>;
	/** Every request, including those that got one of {@link nextReplies}. */
	requests: OutsideRequest[];
}

const VALIDITY_DAYS = 2;

/** Creates a certificate authority, and a certificate for these hosts. */
async function createCertificates(domains: string[]) {
	const ca = await createCA({
		organization: 'Test CA',
		countryCode: 'BE',
		state: 'Antwerp',
		locality: 'Antwerp',
		validity: VALIDITY_DAYS,
	});
	return { ca, certificate: await createCert({ domains, validity: VALIDITY_DAYS, ca }) };
}

async function parseRequest(message: IncomingMessage): Promise<OutsideRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	const isForm = message.headers['content-type']?.includes('x-www-form-urlencoded');
	const url = new URL(message.url ?? '/', 'https://service');
	return {
		method: message.method ?? '',
		path: decodeURIComponent(url.pathname),
		query: url.searchParams,
		body: (isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')) as IDataObject,
		token: message.headers.authorization?.replace(/^Bearer /, ''),
	};
}

/**
 * Starts a CONNECT proxy on 127.0.0.1 that answers in place of these services, with a certificate of a new authority, and
 * refuses every other host. Call `close()` in the end.
 */
export async function startProxy(services: OutsideService[]) {
	const { ca, certificate } = await createCertificates(services.flatMap(({ hosts }) => hosts));
	const folder = mkdtempSync(join(tmpdir(), 'prospector-ca-'));
	const caFile = join(folder, 'ca.pem');
	writeFileSync(caFile, ca.cert);

	const serviceOf = (host = '') => services.find(({ hosts }) => hosts.includes(host.split(':', 1)[0]));
	const refusedHosts: string[] = [];
	const sockets = new Set<Socket>();

	// Listens on no port: it gets its connections from the proxy.
	const tls = createHttpsServer({ key: certificate.key, cert: certificate.cert }, (message, response) => {
		void (async () => {
			const service = serviceOf(message.headers.host) as OutsideService;
			const request = await parseRequest(message);
			service.requests.push(request);
			const reply = service.nextReplies.shift() ?? service.answer(request);
			if (reply === 'hang') return;
			const { status = 200, headers, body } = reply;
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			response.end(JSON.stringify(body));
		})();
	});
	const proxy = createServer((request, response) => {
		refusedHosts.push(request.url ?? '');
		response.writeHead(403).end();
	});
	proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Socket, head: Buffer) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
		if (!serviceOf(url)) {
			refusedHosts.push(url);
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
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
		/** Hosts and ports that something tried to reach. */
		refusedHosts,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((closed) => proxy.close(closed));
			rmSync(folder, { recursive: true });
		},
	};
}
