import { jsonParse } from 'n8n-workflow';
import { createJsonValueCounter, maxJsonValues } from '../../utils';
import type { Failure } from '../../api/failure/failure';
import type { HttpResponse } from '../../api/response';

/** More than a page of 100,000 resources. Bounds the memory that one response can take. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** A refusal, and text that is no JSON, only become part of a message. */
const MAX_TEXT_LENGTH = 64 * 1024;

/** A `Readable` of Node.js. */
type ByteStream = NodeJS.ReadableStream & { destroy(): void };

/** Reads the body of a response of n8n's HTTP helper, up to {@link MAX_BODY_BYTES} and {@link maxJsonValues}. */
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
		const { text, isWhole } = await readText(body, statusCode < 300);
		const beginning = text.slice(0, MAX_TEXT_LENGTH);
		if (isWhole) return { statusCode, headers, body: jsonParse(text, { fallbackValue: beginning }) };
		const isJson = statusCode < 300 && /^\s*[[{]/.test(beginning);
		return isJson ? { kind: 'tooLarge' } : { statusCode, headers, body: beginning };
	} catch (thrown) {
		const { code = 'UNKNOWN' } = (thrown ?? {}) as { code?: unknown };
		return { kind: 'network', code: String(code), wasRequestSent: true };
	} finally {
		signal.removeEventListener('abort', close);
	}
}

const isByteStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && 'on' in body && 'destroy' in body;

/** Returns the text, and whether it is the whole body; if not, the connection is closed. @throws an error with a code */
async function readText(stream: ByteStream, isSuccess: boolean): Promise<{ text: string; isWhole: boolean }> {
	const maxBytes = isSuccess ? MAX_BODY_BYTES : MAX_TEXT_LENGTH;
	const decoder = new TextDecoder();
	const countValues = createJsonValueCounter();
	const unscanned: Uint8Array[] = [];
	let values = 0;
	let size = 0;
	let text = '';
	return await new Promise((resolve, reject) => {
		// Events take half the time of an async iterator.
		stream.on('data', (chunk: Uint8Array) => {
			size += chunk.length;
			text += decoder.decode(chunk, { stream: true });
			unscanned.push(chunk);
			// A smaller body can't have too many.
			if (size > maxJsonValues(0)) for (const part of unscanned.splice(0)) values = countValues(part);
			if (size <= maxBytes && values <= maxJsonValues(size)) return;
			resolve({ text, isWhole: false });
			stream.destroy();
		});
		stream.on('end', () => resolve({ text: text + decoder.decode(), isWhole: true }));
		stream.on('error', reject);
		stream.on('close', () => reject(Object.assign(new Error(), { code: 'ERR_STREAM_PREMATURE_CLOSE' })));
	});
}
