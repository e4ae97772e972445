// Reads the body of a response. Called by the client for each attempt; a body that ends early is a failure, and so is JSON
// of a success that is too large.
import { noResponse } from '../../api/failure/evidence';
import type { Failure } from '../../api/failure/failure';
import { type HttpResponse, MAX_QUOTED_BYTES } from '../../api/response';
import { toText } from '../../utils';
import type { Turns } from '../turns';
import { JsonLimitError, readJson } from './readJson';

/** A `Readable` of Node.js. */
type ByteStream = NodeJS.ReadableStream & { destroy(): void };

/**
 * @param signal closes the connection when it is aborted
 * @param maxBytes of a successful response, as UTF-8
 */
export async function readResponse(
	{ statusCode, headers, body }: HttpResponse,
	{ signal, maxBytes, turns }: { signal: AbortSignal; maxBytes: number; turns: Turns },
): Promise<HttpResponse | Failure> {
	// Test doubles of the helper return a parsed body.
	if (!isByteStream(body)) return { statusCode, headers, body };
	const closeStream = () => body.destroy();
	if (signal.aborted) closeStream();
	signal.addEventListener('abort', closeStream);
	const isSuccess = statusCode < 300;
	try {
		const toUtf8 = createTranscoder(headers['content-type']);
		const { bytes, isWhole } = await readBytes(body, toUtf8, isSuccess ? maxBytes : MAX_QUOTED_BYTES);
		const text = bytes.toString('utf8', 0, MAX_QUOTED_BYTES);
		// Only JSON of a success is needed as a whole. A message quotes the beginning of anything else.
		const isNeededWhole = isSuccess && /^\s*[[{]/.test(text);
		if (!isWhole && isNeededWhole) return { kind: 'tooLarge', limit: maxBytes };
		if (!isWhole || (!isNeededWhole && bytes.length > MAX_QUOTED_BYTES))
			return { statusCode, headers, body: text };
		const json = await readJson(bytes, turns).catch((thrown: Error) => thrown);
		if (json instanceof JsonLimitError && isSuccess) return { kind: 'tooLarge', limit: json.limit };
		if (json instanceof Error) return { statusCode, headers, body: text };
		const { value, fieldsWithTextNumbers } = json;
		return { statusCode, headers, body: value, sizeBytes: bytes.length, fieldsWithTextNumbers };
	} catch (thrown) {
		return noResponse([codeOf(thrown)], ['read']);
	} finally {
		signal.removeEventListener('abort', closeStream);
	}
}

function codeOf(thrown: unknown): string {
	const { code = 'UNKNOWN' } = (thrown ?? {}) as { code?: unknown };
	return String(code);
}

const isByteStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && 'on' in body && 'destroy' in body;

/** Returns a function that converts chunks to UTF-8, which JSON has unless the response declares another charset. */
function createTranscoder(contentType: unknown): (chunk?: Uint8Array) => Uint8Array {
	const [, charset = 'utf-8'] =
		/charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(toText(contentType).slice(0, 1000)) ?? [];
	const decoder = createDecoder(charset);
	if (decoder.encoding === 'utf-8') return (chunk = Buffer.alloc(0)) => chunk;
	return (chunk) => Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
}

function createDecoder(charset: string) {
	try {
		return new TextDecoder(charset);
	} catch {
		// An unknown charset.
		return new TextDecoder();
	}
}

/** A body that is larger gets memory for the largest one at once: a copy of 16 MB can block n8n for 50 ms. */
const MAX_COPIED_BYTES = 2 * 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Returns the bytes, and whether they are the whole body; if not, the connection is closed. @throws an error with a code */
async function readBytes(
	stream: ByteStream,
	toUtf8: (chunk?: Uint8Array) => Uint8Array,
	maxBytes: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
	let bytes = Buffer.alloc(0);
	let length = 0;
	// Not a list of chunks, because a chunk of one byte takes a hundred bytes of memory.
	const addChunk = (chunk?: Uint8Array) => {
		const utf8Chunk = toUtf8(chunk);
		const added = utf8Chunk.subarray(0, maxBytes - length);
		if (length + added.length > bytes.length) {
			const doubledSize = Math.min(2 * (length + added.length), maxBytes);
			const largerBuffer = Buffer.allocUnsafe(length > MAX_COPIED_BYTES ? maxBytes : doubledSize);
			bytes.copy(largerBuffer, 0, 0, length);
			bytes = largerBuffer;
		}
		bytes.set(added, length);
		length += added.length;
		return added.length === utf8Chunk.length;
	};
	const isWhole = await new Promise<boolean>((resolve, reject) => {
		// Events take half the time of an async iterator.
		stream.on('data', (chunk: Uint8Array) => {
			if (addChunk(chunk)) return;
			resolve(false);
			stream.destroy();
		});
		// Without a chunk, the decoder returns what it has kept of a last, incomplete character.
		stream.on('end', () => resolve(addChunk()));
		stream.on('error', reject);
		stream.on('close', () => reject(Object.assign(new Error(), { code: 'ERR_STREAM_PREMATURE_CLOSE' })));
	});
	const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
	return { bytes: bytes.subarray(hasMark ? BYTE_ORDER_MARK.length : 0, length), isWhole };
}
