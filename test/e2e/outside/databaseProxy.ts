/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** `hold`: PostgreSQL never receives the request. `withhold`: the client never receives the answer. */
export type Action = 'forward' | 'hold' | 'withhold';

export interface Interception {
	action: Action;
	/** Called when PostgreSQL has answered. */
	onAnswer?: () => void;
}

/** Types of the messages to which PostgreSQL responds. */
const ENDS_REQUEST = ['Q', 'S', 'p', 'X'];

/** The end of an answer, without the status of the transaction. */
const READY_FOR_QUERY = Buffer.from('Z\0\0\0\x05', 'latin1');

/** Returns a function that takes what a client sends, and returns the requests that are complete. */
function createSplitter(): (chunk: Buffer) => Buffer[] {
	let rest = Buffer.alloc(0);
	// The first message has no type.
	let typeLength = 0;
	return (chunk) => {
		rest = Buffer.concat([rest, chunk]);
		const requests: Buffer[] = [];
		for (let position = 0; position + typeLength + 4 <= rest.length;) {
			const end = position + typeLength + rest.readInt32BE(position + typeLength);
			if (end > rest.length) break;
			const endsRequest = typeLength === 0 || ENDS_REQUEST.includes(String.fromCharCode(rest[position]));
			typeLength = 1;
			position = endsRequest ? 0 : end;
			if (!endsRequest) continue;
			requests.push(rest.subarray(0, end));
			rest = rest.subarray(end);
		}
		return requests;
	};
}

/**
 * Starts a proxy for PostgreSQL without TLS. Call `close()` in the end.
 *
 * @param intercept gets a request, and all requests of the transaction if one is open, this one included
 */
export async function startDatabaseProxy(
	port: number,
	intercept: (sql: string, transaction: string) => Interception,
) {
	const sockets = new Set<Socket>();
	const proxy = createServer((client) => {
		const server = connect(port, '127.0.0.1');
		const both = [client, server];
		for (const socket of both) {
			sockets.add(socket);
			socket.on('error', () => {});
			socket.on('close', () => both.forEach((each) => each.destroy()));
		}
		const split = createSplitter();
		let transaction = '';
		let interception: Interception = { action: 'forward' };
		client.on('data', (chunk) => {
			for (const request of split(chunk)) {
				const sql = request.toString('latin1');
				if (transaction || sql.includes('START TRANSACTION')) transaction += sql;
				interception = intercept(sql, transaction);
				if (/COMMIT|ROLLBACK/.test(sql)) transaction = '';
				if (interception.action !== 'hold') server.write(request);
			}
		});
		server.on('data', (chunk) => {
			if (interception.action === 'forward') client.write(chunk);
			if (chunk.subarray(-6, -1).equals(READY_FOR_QUERY)) interception.onAnswer?.();
		});
	});
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	return {
		port: (proxy.address() as AddressInfo).port,
		async close() {
			sockets.forEach((socket) => socket.destroy());
			await new Promise((closed) => proxy.close(closed));
		},
	};
}
