import { jsonParse } from 'n8n-workflow';
import type { Failure } from '../failure/failure';
import type { HttpResponse } from './response';

/** More than a page of 100,000 resources. Bounds the memory that one response can take. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;
/**
 * JSON.parse takes the more time per byte, the shorter the values are: 1 MB of brackets would block n8n's event loop for
 * 100 ms. The values of a resource have more than 20 bytes on average, with their names.
 */
export const MAX_JSON_VALUES = { base: 25_000, perByte: 1 / 20 };
/** A refusal, and text that is no JSON, only become part of a message. */
const MAX_TEXT_LENGTH = 64 * 1024;

/** A `Readable` of Node.js. */
type ByteStream = NodeJS.ReadableStream & { destroy(): void };

/**
 * Reads the body of a response of n8n's HTTP helper, up to {@link MAX_BODY_BYTES} and {@link MAX_JSON_VALUES}.
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
		const { text, isWhole } = await readText(body, statusCode < 300);
		const beginning = text.slice(0, MAX_TEXT_LENGTH);
		if (isWhole) return { statusCode, headers, body: jsonParse(text, { fallbackValue: beginning }) };
		const isJson = statusCode < 300 && /^\s*[[{]/.test(beginning);
		return isJson ? { kind: 'tooLarge' } : { statusCode, headers, body: beginning };
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
 * @returns the text, and whether the body has no more than that; otherwise, the connection is closed
 * @throws an error with a code if the body is incomplete
 */
async function readText(stream: ByteStream, isSuccess: boolean): Promise<{ text: string; isWhole: boolean }> {
	const maxBytes = isSuccess ? MAX_BODY_BYTES : MAX_TEXT_LENGTH;
	const decoder = new TextDecoder();
	const countValues = createValueCounter();
	const unscanned: Uint8Array[] = [];
	let values = 0;
	let size = 0;
	let text = '';
	return await new Promise((resolve, reject) => {
		stream.on('data', (chunk: Uint8Array) => {
			size += chunk.length;
			text += decoder.decode(chunk, { stream: true });
			unscanned.push(chunk);
			// A smaller body can't have too many.
			if (size > MAX_JSON_VALUES.base) values = unscanned.splice(0).map(countValues).pop() ?? values;
			const maxValues = MAX_JSON_VALUES.base + MAX_JSON_VALUES.perByte * size;
			if (size <= maxBytes && values <= maxValues) return;
			resolve({ text, isWhole: false });
			stream.destroy();
		});
		stream.on('end', () => resolve({ text: text + decoder.decode(), isWhole: true }));
		stream.on('error', reject);
		stream.on('close', () => reject(Object.assign(new Error(), { code: 'ERR_STREAM_PREMATURE_CLOSE' })));
	});
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{');

/** Returns a function that counts the values of a JSON text, which is passed in chunks. */
function createValueCounter(): (chunk: Uint8Array) => number {
	let count = 0;
	let isInText = false;
	let isEscaped = false;
	return (chunk) => {
		// Takes half the time of `for … of`.
		for (let i = 0; i < chunk.length; i++) {
			const code = chunk[i];
			if (isEscaped) isEscaped = false;
			else if (code === QUOTE) isInText = !isInText;
			else if (isInText) isEscaped = code === BACKSLASH;
			else if (code === COMMA || code === BRACKET || code === BRACE) count++;
		}
		return count;
	};
}
