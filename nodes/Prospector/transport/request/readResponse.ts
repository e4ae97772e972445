import { jsonParse } from 'n8n-workflow';
import { createJsonValueCheck } from '../../utils';
import { noResponse } from '../../api/failure/evidence';
import type { Failure } from '../../api/failure/failure';
import type { HttpResponse } from '../../api/response';

/** More than a page of 100,000 resources. Bounds the memory that one response can take. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** A refusal, and text that is no JSON, only become part of a message. */
const MAX_MESSAGE_TEXT_LENGTH = 64 * 1024;

/** A `Readable` of Node.js. */
type ByteStream = NodeJS.ReadableStream & { destroy(): void };

/** Reads the body of a response of n8n's HTTP helper, up to {@link MAX_BODY_BYTES} and a number of values. */
export async function readResponse(
	response: HttpResponse,
	signal: AbortSignal,
): Promise<HttpResponse | Failure> {
	const { statusCode, headers, body } = response;
	// n8n's own test doubles return a parsed body.
	if (!isByteStream(body)) return { statusCode, headers, body };
	const closeStream = () => body.destroy();
	if (signal.aborted) closeStream();
	signal.addEventListener('abort', closeStream);
	try {
		const { text, isWhole } = await readText(body, statusCode < 300);
		const truncatedText = text.slice(0, MAX_MESSAGE_TEXT_LENGTH);
		if (isWhole) return { statusCode, headers, body: jsonParse(text, { fallbackValue: truncatedText }) };
		const isLikelyJson = statusCode < 300 && /^\s*[[{]/.test(truncatedText);
		return isLikelyJson ? { kind: 'tooLarge' } : { statusCode, headers, body: truncatedText };
	} catch (thrown) {
		const { code = 'UNKNOWN' } = (thrown ?? {}) as { code?: unknown };
		return noResponse([String(code)], ['read']);
	} finally {
		signal.removeEventListener('abort', closeStream);
	}
}

const isByteStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && 'on' in body && 'destroy' in body;

/** Returns the text, and whether it is the whole body; if not, the connection is closed. @throws an error with a code */
async function readText(stream: ByteStream, isSuccess: boolean): Promise<{ text: string; isWhole: boolean }> {
	const maxBytes = isSuccess ? MAX_BODY_BYTES : MAX_MESSAGE_TEXT_LENGTH;
	const textDecoder = new TextDecoder();
	const hasTooManyValues = createJsonValueCheck();
	let sizeBytes = 0;
	let text = '';
	return await new Promise((resolve, reject) => {
		// Events take half the time of an async iterator.
		stream.on('data', (chunk: Uint8Array) => {
			sizeBytes += chunk.length;
			text += textDecoder.decode(chunk, { stream: true });
			if (!hasTooManyValues(chunk) && sizeBytes <= maxBytes) return;
			resolve({ text, isWhole: false });
			stream.destroy();
		});
		stream.on('end', () => resolve({ text: text + textDecoder.decode(), isWhole: true }));
		stream.on('error', reject);
		stream.on('close', () => reject(Object.assign(new Error(), { code: 'ERR_STREAM_PREMATURE_CLOSE' })));
	});
}
