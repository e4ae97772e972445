import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const API_PREFIX = '/api/public/v1';

export interface HostileRequest {
	method: string;
	/** Below `/api/public/v1`. */
	path: string;
	query: URLSearchParams;
	headers: Record<string, string>;
	body: string;
	/** From 1, per place. */
	number: number;
}

/** Writes a response, or anything else, to the socket of a request. */
export type Answer = (socket: Socket, request: HostileRequest) => unknown;

/** A Base URL of its own on the hostile service, with its own behavior. */
export interface Place {
	baseUrl: string;
	requests: HostileRequest[];
	/** Sockets that are still open. */
	sockets: ReadonlySet<Socket>;
	/** Replaces the behavior for later requests. */
	answer(next: Answer): void;
}

export type HostileService = Awaited<ReturnType<typeof startHostileService>>;

/** A server on 127.0.0.1 that sends exactly the bytes a test wants; call `close()` in `afterAll`. */
export async function startHostileService() {
	const places: Array<{ requests: HostileRequest[]; sockets: Set<Socket>; answer: Answer }> = [];
	const open = new Set<Socket>();
	const server = createServer((socket) => {
		open.add(socket);
		socket.on('close', () => open.delete(socket));
		// The client may close the connection at any moment.
		socket.on('error', () => {});
		readRequests(socket, (request) => {
			const [, index, rest] = /^\/place(\d+)(.*)$/.exec(request.target) ?? [];
			const place = places[Number(index)];
			if (place === undefined) return void socket.destroy();
			place.sockets.add(socket);
			socket.on('close', () => place.sockets.delete(socket));
			const url = new URL(rest, 'http://127.0.0.1');
			const known: HostileRequest = {
				method: request.method,
				path: url.pathname.replace(API_PREFIX, ''),
				query: url.searchParams,
				headers: request.headers,
				body: request.body,
				number: place.requests.length + 1,
			};
			place.requests.push(known);
			place.answer(socket, known);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		/** Adds a Base URL that answers in the given way. */
		place(answer: Answer): Place {
			const place = { requests: [] as HostileRequest[], sockets: new Set<Socket>(), answer };
			const baseUrl = `http://127.0.0.1:${port}/place${places.push(place) - 1}`;
			const { requests, sockets } = place;
			return { baseUrl, requests, sockets, answer: (next) => void (place.answer = next) };
		},
		/** Number of open connections, as the operating system reports it. */
		connections: async () =>
			await new Promise<number>((resolve, reject) =>
				server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
			),
		async close() {
			const closed = new Promise((resolve) => server.close(resolve));
			for (const socket of open) socket.destroy();
			await closed;
		},
	};
}

interface RawRequest {
	method: string;
	target: string;
	headers: Record<string, string>;
	body: string;
}

function readRequests(socket: Socket, onRequest: (request: RawRequest) => void): void {
	let received = Buffer.alloc(0);
	socket.on('data', (chunk) => {
		received = Buffer.concat([received, chunk]);
		for (;;) {
			const end = received.indexOf('\r\n\r\n');
			if (end < 0) return;
			const [first, ...lines] = received.toString('latin1', 0, end).split('\r\n');
			const [method, target] = first.split(' ');
			const headers = Object.fromEntries(
				lines.map((line) => {
					const colon = line.indexOf(':');
					return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
				}),
			);
			const length = Number(headers['content-length'] ?? 0);
			if (received.length < end + 4 + length) return;
			const body = received.toString('utf8', end + 4, end + 4 + length);
			received = received.subarray(end + 4 + length);
			onRequest({ method, target, headers, body });
		}
	});
}

export type Headers = Array<[name: string, value: string]>;

export const head = (status: number, headers: Headers = []) =>
	`HTTP/1.1 ${status} Hostile\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

/** A complete response; the connection is closed after it. */
export const respond =
	(status: number, body: string | Buffer, headers: Headers = []): Answer =>
	(socket) => {
		socket.write(
			head(status, [
				['content-type', 'application/json'],
				['content-length', String(Buffer.byteLength(body))],
				['connection', 'close'],
				...headers,
			]),
		);
		socket.end(body);
	};

export const json = (value: unknown, status = 200, headers: Headers = []): Answer =>
	respond(status, JSON.stringify(value), headers);

/** A single resource in the contract's envelope. */
export const one = (data: object, requestId = 'req_1'): Answer => json({ data, request_id: requestId });

/** A page of a list in the contract's envelope. */
export const list = (data: object[], nextCursor?: string): Answer =>
	json({
		data,
		pagination: { next_cursor: nextCursor ?? null, has_more: nextCursor !== undefined },
		request_id: 'req_1',
	});

/** Like `answer`, but knows the Prospector workflow that a trigger gets before its first poll. */
export const withWorkflow =
	(answer: Answer): Answer =>
	(socket, request) => {
		const isWorkflow = request.method === 'GET' && /\/workflows\/[^/]+$/.test(request.path);
		(isWorkflow ? one({ id: 'wf_1' }) : answer)(socket, request);
	};

/** Never answers. */
export const hang: Answer = () => {};

/** Writes one byte at a time; without a length in the end, the response never ends. */
const trickle = (socket: Socket, text: string, everyMs: number) => {
	let sent = 0;
	const timer = setInterval(() => socket.write(text[sent++ % text.length]), everyMs);
	socket.on('close', () => clearInterval(timer));
};

/** Faster than the shortest Request Timeout, so that a timeout that only counts silence never fires. */
const TRICKLE_MS = 250;
const UPGRADE = head(101, [
	['upgrade', 'websocket'],
	['connection', 'upgrade'],
]);

/** Responses that never end. */
export const ENDLESS: Record<string, Answer> = {
	'101 without Upgrade': (socket) => socket.write(head(101)),
	'101 with Upgrade': (socket) => socket.write(UPGRADE),
	'101 with Upgrade, then a byte at a time': (socket) => {
		socket.write(UPGRADE);
		trickle(socket, '\u0000', TRICKLE_MS);
	},
	'100 Continue again and again': (socket) => {
		const timer = setInterval(() => socket.write(head(100)), TRICKLE_MS);
		socket.on('close', () => clearInterval(timer));
	},
	'a head that arrives byte by byte': (socket) => {
		socket.write('HTTP/1.1 200 OK\r\nx-long: ');
		trickle(socket, 'a', TRICKLE_MS);
	},
	'a body that arrives byte by byte': (socket) => {
		socket.write(
			head(200, [
				['content-type', 'application/json'],
				['content-length', '1000000'],
			]),
		);
		trickle(socket, ' ', TRICKLE_MS);
	},
	'a chunked body that arrives byte by byte': (socket) => {
		socket.write(head(500, [['transfer-encoding', 'chunked']]));
		const timer = setInterval(() => socket.write('1\r\n \r\n'), TRICKLE_MS);
		socket.on('close', () => clearInterval(timer));
	},
	'no response': hang,
	'half a response': (socket) =>
		socket.write(`${head(200, [['content-length', '1000']])}{"data":{"id":"run_1"`),
};

/** Waits until a condition holds; resolves to whether it did in time. */
export async function waitUntil(
	condition: () => boolean | Promise<boolean>,
	withinMs = 10_000,
): Promise<boolean> {
	const end = performance.now() + withinMs;
	while (!(await condition())) {
		if (performance.now() > end) return false;
		await pause(10);
	}
	return true;
}
