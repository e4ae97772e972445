import { jsonParse } from 'n8n-workflow';
import type { Failure } from '../failure/failure';
import type { HttpResponse } from './response';

/** More than a page of 100,000 resources. Bounds the memory that one response can take. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** A refusal, and text that is no JSON, only become part of a message. */
const MAX_TEXT_LENGTH = 64 * 1024;

/** A `Readable` of Node.js. */
type ByteStream = NodeJS.ReadableStream & { destroy(): void };

/**
 * Reads the body of a response of n8n's HTTP helper, up to {@link MAX_BODY_BYTES}.
 *
 * @param signal closes the connection when it is aborted
 */
export async function readResponse(
	response: HttpResponse,
	signal: AbortSignal,
): Promise<HttpResponse | Failure> {
	const { statusCode, headers, body } = response;
	// n8n's own test doubles return a parsed body.
	if (!isByteStream(body)) return { statusCode, headers, body };
	const close = () => body.destroy();
	if (signal.aborted) close();
	signal.addEventListener('abort', close);
	try {
		const text = await readText(body);
		if (text === undefined) return { kind: 'tooLarge' };
		const json = text.replace(/^\ufeff/, '');
		const beginning = json.slice(0, MAX_TEXT_LENGTH);
		const isMessage = statusCode >= 300 && json.length > MAX_TEXT_LENGTH;
		const parsed: unknown = isMessage ? beginning : jsonParse(json, { fallbackValue: beginning });
		return { statusCode, headers, body: parsed };
	} catch (thrown) {
		return {
			kind: 'truncatedResponse',
			code: String((thrown as { code?: unknown } | null)?.code ?? 'UNKNOWN'),
		};
	} finally {
		signal.removeEventListener('abort', close);
	}
}

const isByteStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && 'on' in body && 'destroy' in body;

/**
 * Events take half the time of an async iterator.
 *
 * @returns undefined if the body is too large; the connection is closed then
 * @throws an error with a code if the body is incomplete
 */
async function readText(stream: ByteStream): Promise<string | undefined> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	return await new Promise((resolve, reject) => {
		stream.on('data', (chunk: Uint8Array) => {
			size += chunk.length;
			chunks.push(chunk);
			if (size <= MAX_BODY_BYTES) return;
			resolve(undefined);
			stream.destroy();
		});
		stream.on('end', () => {
			const bytes = Buffer.concat(chunks, size);
			// The stream's listeners hold the list until the stream itself is collected.
			chunks.length = 0;
			resolve(bytes.toString('utf8'));
		});
		stream.on('error', reject);
		stream.on('close', () => reject(Object.assign(new Error(), { code: 'ERR_STREAM_PREMATURE_CLOSE' })));
	});
}
